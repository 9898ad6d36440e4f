package bootdyno.model

/** What the value of a measure is computed from, in one trial. */
sealed interface MeasureSource

/** Of all response times the one at [percentile] (0 to 100), or their mean. */
data class ResponseTime(val percentile: Double?) : MeasureSource

/** Of what the engine counted in a window of so many seconds: of all requests, or of one operation. */
class Requests(val value: RequestCounts.(seconds: Double) -> Double?) : MeasureSource

/** Of what else the trial left: its readings and its record. */
class Resource(val value: TrialReadings.() -> Double?) : MeasureSource

/** [window] is null when the trial never came to it. */
class TrialReadings(val record: TrialRecord, val window: WindowReadings?)

internal fun requests(value: RequestCounts.(seconds: Double) -> Double?) = Requests(value)

internal fun record(value: TrialRecord.() -> Double?) = Resource { record.value() }

internal fun window(value: WindowReadings.() -> Double?) = Resource { window?.value() }

internal fun share(part: Metric, whole: Metric) = window { share(part, whole) }

/** [rate] a second by the throughput. */
internal fun perRequest(rate: WindowReadings.() -> Double?) = Resource {
    val answered = record.load?.let { it.answered / it.windowSeconds } ?: 0.0
    if (answered > 0) window?.rate()?.div(answered) else null
}

internal fun Long.share(of: Long): Double? = if (of > 0) toDouble() / of else null
