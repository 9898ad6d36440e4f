package bootdyno.analyse

import bootdyno.model.Cell
import bootdyno.model.LoadProfile
import bootdyno.model.Measure
import bootdyno.model.Metric
import bootdyno.model.Reading
import bootdyno.model.TimeUntilAnswered
import bootdyno.model.TrialFacts
import bootdyno.model.WindowReadings
import bootdyno.stats.CensoredValue
import bootdyno.stats.Counted
import bootdyno.stats.survivalOf
import kotlin.math.max
import kotlin.time.DurationUnit

private const val NANOS_PER_SECOND = 1e9

internal val Cell.isBurst: Boolean get() = profile.loadInWindow is LoadProfile.Burst

/**
 * Seconds from the start of the burst of [cell] until shares of all its requests are answered; empty for other loads. All requests: users ×
 * requests × steps of a chain, sent or not. A share that is never reached has the burst's time limit as a lower bound: nothing was left that
 * could have been answered before it.
 *
 * Runs of older versions did not record when each request was answered. Their times are interpolated between the readings of `series.csv`,
 * which are about a second apart.
 */
internal fun burstTimes(cell: Cell, facts: TrialFacts, window: WindowReadings?): Map<Measure, CensoredValue> {
    val burst = cell.profile.loadInWindow as? LoadProfile.Burst ?: return emptyMap()
    val load = facts.record.load ?: return emptyMap()
    val all = burst.users.toLong() * burst.requestsEach * cell.workload.requestsPerArrival
    val limit = max(cell.profile.window.toDouble(DurationUnit.SECONDS), load.windowSeconds)
    val recorded = facts.latencies?.sinceStart?.map { nanos, count -> Counted(nanos / NANOS_PER_SECOND, count) }
        ?.let { survivalOf(it, listOf(Counted(limit, all - load.answered))) }
    val counts = window?.grownSinceStart(Metric.ANSWERED).orEmpty() + Reading(load.windowSeconds, load.answered.toDouble())
    return Measure.burstTimes.associateWith { measure ->
        val share = (measure.source as TimeUntilAnswered).percent / 100.0
        recorded?.quantile(share) ?: interpolated(counts, share * all)?.let(::uncensored) ?: CensoredValue(limit, true)
    }
}

/** When [counts], ascending, pass [needed]; null if they never do. */
private fun interpolated(counts: List<Reading>, needed: Double): Double? {
    val next = counts.indexOfFirst { it.value >= needed }.takeIf { it >= 0 } ?: return null
    val after = counts[next]
    val before = counts.getOrNull(next - 1) ?: Reading(0.0, 0.0)
    return before.at + (needed - before.value) / (after.value - before.value) * (after.at - before.at)
}
