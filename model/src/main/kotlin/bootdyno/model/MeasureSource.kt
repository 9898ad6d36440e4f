package bootdyno.model

/** How the value of a measure is computed for one trial. */
sealed interface MeasureSource

/** Response time at [percentile] (0 to 100), or the mean. */
data class ResponseTime(val percentile: Double?) : MeasureSource

/**
 * Seconds from the start of a burst until [percent] of all its requests are answered. Where that never happened, the time limit of the burst is
 * a lower bound.
 */
data class TimeUntilAnswered(val percent: Int) : MeasureSource

/** The highest request rate that meets the objective of the experiment, of a trial that searched for it. */
data object SearchedRate : MeasureSource

/** From the engine's counts in a window: of all requests, or of one operation. */
class Requests(val value: RequestCounts.(seconds: Double) -> Double?) : MeasureSource

/** From other data of the trial: its readings and its record. */
class ResourceUse(val value: TrialReadings.() -> Double?) : MeasureSource

/** [window] is null if the trial did not reach it. */
class TrialReadings(val record: TrialRecord, val window: WindowReadings?)

internal fun requests(value: RequestCounts.(seconds: Double) -> Double?) = Requests(value)

internal fun record(value: TrialRecord.() -> Double?) = ResourceUse { record.value() }

internal fun window(value: WindowReadings.() -> Double?) = ResourceUse { window?.value() }

/** CPUs used by the subject, without answering the probe, which a subject without a JVM need not do. */
internal fun WindowReadings.cpuWithoutProbe(): Double? =
    summary(Metric.CPU)?.let { (it - (summary(Metric.PROBE_CPU) ?: 0.0)).coerceAtLeast(0.0) }

/** [value], which a process has from its start on: not that of one trial, if several share it. */
internal fun ofProcess(value: TrialReadings.() -> Double?) = ResourceUse { if (record.shared == null) value() else null }

internal fun share(part: Metric, whole: Metric) = window { share(part, whole) }

/** [rate] per second divided by the throughput. */
internal fun perRequest(rate: WindowReadings.() -> Double?) = ResourceUse {
    val answered = record.load?.perSecond ?: 0.0
    if (answered > 0) window?.rate()?.div(answered) else null
}

internal fun Long.share(of: Long): Double? = if (of > 0) toDouble() / of else null
