package bootdyno.explain

import bootdyno.model.MovedLimit
import bootdyno.model.exact
import bootdyno.model.listed
import bootdyno.model.perSecond
import bootdyno.stats.AtLimit
import bootdyno.stats.Estimate
import bootdyno.stats.elasticity

/** From this elasticity on, throughput follows a limit upwards; below, a larger limit hardly brings anything: 1.23 times for twice the limit. */
private const val FOLLOWS = 0.3

/** Below this elasticity, a fifth less costs so little that the limit does not bind. */
private const val HARDLY_FOLLOWS = 0.5

/** What changing a limit in the running application showed. */
enum class MovedOutcome(val word: String) {
    /** More of it serves more. */
    LIMITS("limits"),

    /** Neither more nor, where that was tried, less of it makes a difference. */
    CLEARED("cleared"),

    /** Less of it serves less. More could not be tried, or gains nothing, because another limit allows hardly more. */
    SUSPECT("suspect"),

    /** The slices differ too much among themselves. */
    UNDECIDED("undecided"),
    NOT_TESTED("not tested"),
}

/** A limit that was [moved], and what follows. */
class JudgedMove(val moved: MovedLimit) {
    /** d ln throughput / d ln limit above the original value; null if that was not tried. */
    val upwards: Estimate? = elasticity { it > moved.original }

    /** The same below it. */
    val downwards: Estimate? = elasticity { it < moved.original }

    val outcome: MovedOutcome = when {
        upwards == null && downwards == null -> MovedOutcome.NOT_TESTED
        downwards != null && downwards.high < HARDLY_FOLLOWS -> if (follows) MovedOutcome.UNDECIDED else MovedOutcome.CLEARED
        follows -> MovedOutcome.LIMITS
        upwards != null && upwards.high >= FOLLOWS -> MovedOutcome.UNDECIDED
        downwards != null && downwards.low > HARDLY_FOLLOWS -> MovedOutcome.SUSPECT
        upwards != null -> MovedOutcome.CLEARED
        else -> MovedOutcome.UNDECIDED
    }

    private val follows get() = upwards != null && upwards.low >= FOLLOWS

    /** Whether more of it was tried, and served no more: to name it as the limit would promise a gain that is not there. */
    val gainsNothing: Boolean
        get() = outcome == MovedOutcome.CLEARED || (outcome == MovedOutcome.SUSPECT && upwards != null)

    /** The largest value that was tried above the original one; null without any. */
    val largest: Double? = moved.slices.maxOfOrNull { it.value }?.takeIf { it > moved.original }

    /** Mean requests per second by value, ascending. */
    val throughputs: Map<Double, Double> = moved.slices.groupBy { it.value }.toSortedMap()
        .mapValues { (_, same) -> same.sumOf { it.perSecond * it.seconds } / same.sumOf { it.seconds } }

    /** `Changed while running: 8 → 80/s, 10 → 100/s, 20 → 199/s.` */
    val sentence: String get() = "Changed while running: $values."

    internal val values: String
        get() = throughputs.entries.joinToString { (value, rate) -> "${exact(value)} → ${perSecond(rate)}" }

    private fun elasticity(isTried: (Double) -> Boolean): Estimate? {
        val slices = moved.slices.map { AtLimit(it.value, it.perSecond, it.perSecond * it.seconds) }
        return elasticity(moved.original, slices.filter { it.limit == moved.original || isTried(it.limit) })
    }
}

/** What was changed while the application ran, and is not the limit; null without any. */
internal fun testedSentence(moves: List<JudgedMove>): String? {
    val cleared = moves.filter { it.gainsNothing }.ifEmpty { return null }
    val others = moves.filter { it.outcome in listOf(MovedOutcome.UNDECIDED, MovedOutcome.NOT_TESTED) }
    val which = listed(cleared.map { "${it.moved.noun} (${it.values})" })
    val rest = if (others.isEmpty()) "" else " Not decided by such a change: ${listed(others.map { it.moved.noun })}."
    return "Not the limit, as changing them while running shows: $which.$rest"
}

/** Of a busy CPU. */
internal fun cpuTested(move: JudgedMove): String? = when (move.outcome) {
    MovedOutcome.LIMITS -> move.sentence
    MovedOutcome.SUSPECT -> "${move.sentence} It limits, or would with a fifth less; more could not be tried."
    MovedOutcome.CLEARED, MovedOutcome.UNDECIDED, MovedOutcome.NOT_TESTED -> null
}

private val Estimate.low: Double get() = checkNotNull(interval).low
private val Estimate.high: Double get() = checkNotNull(interval).high
