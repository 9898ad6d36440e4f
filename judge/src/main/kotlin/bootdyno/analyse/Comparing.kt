package bootdyno.analyse

import bootdyno.model.Cell
import bootdyno.model.CellId
import bootdyno.model.Experiment
import bootdyno.model.LoadProfile
import bootdyno.model.Measure
import bootdyno.model.OpenRate
import bootdyno.model.ResponseTime
import bootdyno.model.TimeUntilAnswered
import bootdyno.model.Work
import bootdyno.stats.DEFAULT_LEVEL
import bootdyno.stats.Interval
import bootdyno.stats.Scale
import bootdyno.stats.Side
import bootdyno.stats.Spread
import bootdyno.stats.Zone
import bootdyno.stats.furtherSamples
import bootdyno.stats.halfWidth
import bootdyno.stats.moderated
import bootdyno.stats.pOfOne
import bootdyno.stats.pooled
import bootdyno.stats.samplesFor
import bootdyno.stats.sideOfOne
import kotlin.math.max
import kotlin.math.min
import kotlin.math.sqrt

/** The chance of any false difference among the comparisons of a family. */
internal const val ALPHA = 1 - DEFAULT_LEVEL

/** A cell whose share of failed requests is larger by more than this is not called faster. */
internal const val MORE_ERRORS = 0.001

/** Fewer rounds cannot spare one. */
private const val FEWEST_TO_SPARE_ONE = 4

/**
 * Cells are ranked by throughput. The requests of a burst are fixed, so its cells are ranked by the time that they take. 99 % rather than all,
 * because a single failed request makes all impossible; rather than 50 %, because users who wait for the accept queue or a timeout are last.
 */
internal val Cell.rankedBy: Measure get() = if (isBurst) Measure.TIME_TO_99 else Measure.THROUGHPUT

/** What a cell is compared by, as far as [isComparedUnder] its load. */
internal val Cell.comparedBy: List<Measure>
    get() = listOf(rankedBy, Measure.CAPACITY) + RESPONSE_TIMES.filter { it.isComparedUnder(profile.loadInWindow) } +
        listOf(Measure.CPU_PER_REQUEST, Measure.RSS, Measure.STARTUP)

private val RESPONSE_TIMES = listOf(Measure.P50, Measure.P99, Measure.P999)

/**
 * Response times are compared under open load. Closed load sends less to a slow cell: its percentiles are service times under back-off, and get
 * no verdict.
 */
internal fun Measure.isComparedUnder(load: LoadProfile?): Boolean = source !is ResponseTime || load is LoadProfile.Open

/**
 * The comparisons of a run. Ranking, verdicts, claims and gates take theirs from here, so that they agree.
 *
 * Cells that do the same [Work] are compared, measure by measure. The first family are the comparisons that the experiment names before any
 * data: each cell with the baseline, and the two cells of a claim or a gate. Each of its m intervals has the level 1 − 5 %/m (Bonferroni), so
 * that all hold together with 95 %. The other pairs of the work are the second family. It gets the share of the 5 % that belongs to comparisons
 * of the first found different (parallel gatekeeping: Dmitrienko, Offen, Westfall 2003). Where none of these differs, no other pair is called
 * different. Without a first family it has all of the 5 %.
 */
internal class Comparisons(private val measured: Measurements) {
    private val plan = measured.run.plan
    private val works = plan.cells.groupBy(plan::workOf)
    private val families = mutableMapOf<Quantity, FamiliesOfWork>()

    /** Every cell against the baseline of its work: measure after measure, then the response times at each open rate after the windows. */
    val withBaseline: List<Comparison> by lazy {
        val inWindows = works.flatMap { (work, cells) -> cells.first().comparedBy.map { Quantity(work, it) } }
            .groupBy { it.measure }.values.flatten()
        val atRates = works.flatMap { (work, cells) ->
            cells.flatMap { it.latencyAt }.distinct().flatMap { rate -> RESPONSE_TIMES.map { Quantity(work, it, at = rate) } }
        }
        (inWindows + atRates).flatMap { familiesOf(it).withBaseline }
    }

    /** [candidate] divided by [other]; null where no round has both. */
    fun between(candidate: CellId, other: CellId, measure: Measure, operation: String? = null): Comparison? =
        pair(candidate, other, Quantity(workOf(candidate), measure, operation))?.let { judged(it, familyOf(it)) }

    /** Whether the verdict of [between] is *faster*. */
    fun isFaster(candidate: CellId, other: CellId, measure: Measure): Boolean =
        pair(candidate, other, Quantity(workOf(candidate), measure))?.let { Judging(it, familyOf(it)).verdict == Verdict.FASTER }
            ?: false

    /** [cell] against itself: the second measurement of each round by the first. */
    fun itself(cell: CellId, measure: Measure): Comparison? = measured.againstItself(cell, measure)?.let { ratio ->
        val pair = Pair(cell, cell, Quantity(workOf(cell), measure), ratio)
        judged(pair, Family(listOf(pair)))
    }

    /** A pair of different work is a family of its own. */
    private fun familyOf(pair: Pair): Family =
        if (workOf(pair.other) == pair.of.work) familiesOf(pair.of).of(pair.candidate, pair.other) else Family(listOf(pair))

    private fun workOf(cell: CellId) = plan.workOf(plan.cell(cell))

    private fun familiesOf(of: Quantity) = families.getOrPut(of) { FamiliesOfWork(of) }

    private fun pair(candidate: CellId, other: CellId, of: Quantity): Pair? =
        measured.ratio(candidate, other, of.measure, of.operation, of.at)?.let { Pair(candidate, other, of, it) }

    /** [at]: under open load at this rate after the windows; null: in the windows. */
    private data class Quantity(val work: Work, val measure: Measure, val operation: String? = null, val at: OpenRate? = null) {
        fun rateOf(cell: CellId, measured: Measurements): ComparedRate? = at?.let { rate ->
            measured.offered(cell, rate)?.let { ComparedRate((rate as? OpenRate.Share)?.share, it) }
        }
    }

    private class Pair(val candidate: CellId, val other: CellId, val of: Quantity, val ratio: RatioOfCells) {
        val exact get() = ratio.bound == Bound.EXACT && ratio.spread.n >= 2

        /** A burst that never answered a share took longer than one that did: the bound decides. */
        val bounded get() =
            of.measure.source is TimeUntilAnswered && ratio.bound in setOf(Bound.AT_LEAST, Bound.AT_MOST) && ratio.spread.n >= 2
        val decidable get() = exact || bounded
    }

    /** Comparisons that are judged together, at [alpha]. [closed]: none of them may be called different. */
    private class Family(all: List<Pair>, alpha: Double = ALPHA, val closed: Boolean = false) {
        val size = all.count { it.decidable }.coerceAtLeast(1)
        val level = 1 - alpha / size
        val variance = pooled(all.filter { it.exact }.map { it.ratio.spread })
    }

    private inner class FamiliesOfWork(private val of: Quantity) {
        private val cells = works.getValue(of.work).map { it.id }
        private val baselines = cells.associateWith { id -> measured.baselineOf(plan.cell(id))?.id?.takeIf { it in cells } }
        private val named = plan.experiment.pairsNamedFor(of.measure, of.operation)
        private val ofBaseline = cells.mapNotNull { id -> baselines[id]?.takeIf { it != id }?.let { pair(id, it, of) } }
        private val ofNamed = pairs { one, other -> !hasBaseline(one, other) && setOf(one, other) in named }
        private val first = Family(ofBaseline + ofNamed)
        val withBaseline = ofBaseline.map { judged(it, first) }

        private val second by lazy {
            val others = pairs { one, other -> !isInFirst(one, other) }
            val decided = (withBaseline + ofNamed.map { judged(it, first) }).filter { it.verdict != null }
            val different = decided.count { it.verdict == Verdict.FASTER || it.verdict == Verdict.SLOWER }
            when {
                decided.isEmpty() -> Family(others)
                different == 0 -> Family(others, closed = true)
                else -> Family(others, ALPHA * different / decided.size)
            }
        }

        fun of(one: CellId, other: CellId): Family = if (isInFirst(one, other)) first else second

        private fun pairs(wanted: (CellId, CellId) -> Boolean) = cells.flatMapIndexed { i, one ->
            cells.drop(i + 1).filter { wanted(one, it) }.mapNotNull { pair(one, it, of) }
        }

        private fun isInFirst(one: CellId, other: CellId) = hasBaseline(one, other) || setOf(one, other) in named

        private fun hasBaseline(one: CellId, other: CellId) = baselines[one] == other || baselines[other] == one
    }

    private inner class Judging(private val pair: Pair, private val family: Family) {
        val zone = Zone(plan.experiment.matters[pair.of.measure])
        val spread = pair.ratio.spread.moderated(family.variance)
        val interval = intervalOf(spread).takeIf { pair.decidable }
        private val byInterval = verdictOf(interval)
        val moreErrors = when (byInterval) {
            Verdict.FASTER -> fails(pair.candidate, moreThan = pair.other, pair.of.at)
            Verdict.SLOWER -> fails(pair.other, moreThan = pair.candidate, pair.of.at)
            else -> false
        }
        val verdict = if (moreErrors) Verdict.UNDECIDED else byInterval

        /** Rounds without any one of which the verdict would be another. */
        fun dependsOn(): List<Int> = if (!pair.decidable || spread.n < FEWEST_TO_SPARE_ONE) {
            emptyList()
        } else {
            pair.ratio.withoutEach().filterValues { others ->
                verdictOf(intervalOf(others.moderated(family.variance))) != byInterval
            }.keys.toList()
        }

        fun furtherRounds(): Int? = if (byInterval != Verdict.UNDECIDED || family.closed) {
            null
        } else {
            furtherSamples(spread, zone, family.level)
        }

        private fun intervalOf(spread: Spread): Interval? = spread.estimate(family.level).interval?.let {
            when {
                family.closed -> it.copy(low = min(it.low, 1.0), high = max(it.high, 1.0))
                pair.ratio.bound == Bound.AT_LEAST -> it.copy(high = Double.POSITIVE_INFINITY)
                pair.ratio.bound == Bound.AT_MOST -> it.copy(low = 0.0)
                else -> it
            }
        }

        /** A bound is a difference, or it says nothing. */
        private fun verdictOf(interval: Interval?): Verdict? = interval?.let { verdictBy(it, pair.of.measure, zone) }
            ?.takeIf { pair.exact || it == Verdict.FASTER || it == Verdict.SLOWER }
    }

    private fun judged(pair: Pair, family: Family): Comparison = Judging(pair, family).run {
        Comparison(
            baseline = pair.other,
            candidate = pair.candidate,
            measure = pair.of.measure,
            ratio = pair.ratio.figure.estimate.copy(interval = interval.takeIf { pair.exact }),
            verdict = verdict,
            furtherRounds = furtherRounds(),
            delta = zone.tolerance,
            bound = pair.ratio.bound,
            p = if (pair.exact) min(1.0, pOfOne(spread) * family.size) else null,
            matters = interval?.takeIf { verdict != null }?.let { mattersBy(it, zone) },
            moreErrors = moreErrors,
            dependsOn = dependsOn(),
            at = pair.of.rateOf(pair.candidate, measured),
            betweenMachines = pair.ratio.spread.between,
        )
    }

    /** A cell is not faster for requests that fail early and make room for others. */
    private fun fails(cell: CellId, moreThan: CellId, at: OpenRate?): Boolean {
        fun share(of: CellId) = measured.figure(of, Measure.ERRORS, at = at)?.estimate?.value ?: 0.0
        return share(cell) > share(moreThan) + MORE_ERRORS
    }
}

/** The two cells of each claim and of each gate about [measure], of all requests or of one [operation]. */
private fun Experiment.pairsNamedFor(measure: Measure, operation: String?): Set<Set<CellId>> {
    val ofClaims = claims.filter { it.assertion.measure == measure && it.assertion.operation == operation }.map { it.cells }
    val ofGates = gates.map { listOfNotNull(it.left, it.right) }
        .filter { sides -> sides.all { it.measure == measure && it.operation == operation } }
        .map { sides -> sides.map { it.cell } }
    return (ofClaims + ofGates).map { it.toSet() }.filter { it.size == 2 }.toSet()
}

/**
 * The deviation of a candidate against both measurements of the baseline, from that of the baseline against itself: 1 + 1/2 variances of a
 * trial instead of 2.
 */
private val AGAINST_BOTH = sqrt(1.5 / 2)

/** A difference that is worth the rounds it takes. */
private const val FINE = 0.02

/** [itself]: the baseline's second measurement by its first. */
internal fun resolvedBy(itself: Spread): Map<Int, Double> {
    if (itself.n < 2 || itself.scale != Scale.LOGARITHM) return emptyMap()
    val deviation = itself.deviation * AGAINST_BOTH
    return listOfNotNull(itself.n, samplesFor(FINE, deviation)).sorted().associateWith { halfWidth(it, deviation) }
}

/** A small difference is none, however sure it is: what lies within the zone is looked at first. */
internal fun verdictBy(interval: Interval, measure: Measure, zone: Zone): Verdict = when {
    zone.contains(interval) -> Verdict.EQUIVALENT
    interval.sideOfOne() == Side.WITHIN -> Verdict.UNDECIDED
    (interval.sideOfOne() == Side.ABOVE) == measure.moreIsBetter -> Verdict.FASTER
    else -> Verdict.SLOWER
}

internal fun mattersBy(interval: Interval, zone: Zone): Boolean? = when {
    zone.excludes(interval) -> true
    zone.contains(interval) -> false
    else -> null
}
