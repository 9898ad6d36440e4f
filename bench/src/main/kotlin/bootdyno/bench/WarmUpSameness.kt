package bootdyno.bench

import bootdyno.analyse.COARSEST_SAMENESS
import bootdyno.analyse.DEFAULT_DELTA
import bootdyno.run.WayToWarm
import bootdyno.stats.Interval
import bootdyno.stats.Paired
import bootdyno.stats.Spread
import bootdyno.stats.Zone
import bootdyno.stats.furtherSamples
import bootdyno.stats.ratioOf
import bootdyno.stats.zoneReaching
import java.util.Locale

private const val ALPHA = 0.05

/**
 * Whether the fast way ends in the steady state of the others: the ratio of window throughputs within rounds in which both were certified,
 * judged by the rules of docs/method.md, "Statistics", the fast way measured twice a round being the machine's resolution.
 */
internal fun samenessLines(warmed: List<TurnFound.Warmed>, budget: Int): List<String> = buildList {
    if (warmed.none { it.turn.way == WayToWarm.FAVOURED }) {
        add("No turn favoured the compiler: there is no fast way to compare.")
        return@buildList
    }
    val itself = throughputRatio(inOneRound(warmed, WayToWarm.FAVOURED, WayToWarm.FAVOURED))
    val zone = zoneReaching(itself?.estimate()?.interval, DEFAULT_DELTA)
    add("Throughput of the window, ${words(WayToWarm.FAVOURED)} / another way, within rounds in which both were certified:")
    add("  / itself, the machine's resolution: ${text(itself)}")
    (WayToWarm.entries - WayToWarm.FAVOURED).forEach { other ->
        val ratio = throughputRatio(inOneRound(warmed, WayToWarm.FAVOURED, other))
        add("  / ${words(other)}: ${text(ratio)}")
        add("      ${verdict(ratio, other, zone.takeIf { itself != null && itself.n > 1 }, budget)}")
    }
}

/** Two turns of one round. */
internal class InOneRound(val first: TurnFound.Warmed, val second: TurnFound.Warmed)

/** [one] and [other] of each round that has both; a way beside itself is its second turn beside its first. */
internal fun inOneRound(warmed: List<TurnFound.Warmed>, one: WayToWarm, other: WayToWarm): List<InOneRound> =
    warmed.filter { it.turn.way == one && it.turn.again == (one == other) }.mapNotNull { first ->
        warmed.find { it.turn == WarmUpTurn(first.turn.round, other) }?.let { InOneRound(first, it) }
    }

private fun throughputRatio(rounds: List<InOneRound>): Spread? =
    ratioOf(rounds.filter { it.first.certified && it.second.certified }.map { Paired(it.first.perSecond, it.second.perSecond) })

private fun verdict(ratio: Spread?, other: WayToWarm, zone: Zone?, budget: Int): String {
    if (ratio == null) return "undecided: in no round were both certified within $budget s"
    val interval = ratio.estimate().interval
    if (interval == null || zone == null) return "undecided: one round has no interval"
    val within = "±%.1f %%".format(Locale.ROOT, zone.tolerance * 100)
    return when {
        interval.low > zone.high -> "not the same state: the fast way serves more than ${words(other)}, beyond $within"
        interval.high < zone.low -> "not the same state: the fast way serves less than ${words(other)}, beyond $within"
        !zone.contains(interval) -> "undecided within $within${further(zone, ratio)}"
        zone.tolerance > COARSEST_SAMENESS -> "undecided: a resolution of $within cannot attest that two things are the same"
        else -> "the same steady state, within $within"
    }
}

private fun further(zone: Zone, ratio: Spread) = zone.furtherSamples(ratio, ALPHA)?.let {
    "; about $it more rounds would tell"
}.orEmpty()

private fun text(ratio: Spread?): String {
    val estimate = ratio?.estimate() ?: return "–"
    return "%.3f%s, n = %d".format(Locale.ROOT, estimate.value, text(estimate.interval), estimate.n)
}

private fun text(interval: Interval?) = interval?.let { " [%.3f, %.3f]".format(Locale.ROOT, it.low, it.high) } ?: ", no interval"
