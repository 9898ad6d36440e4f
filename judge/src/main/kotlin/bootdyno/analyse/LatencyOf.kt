package bootdyno.analyse

import bootdyno.model.Distribution
import bootdyno.model.ErrorCause
import bootdyno.model.LatencyFacts
import bootdyno.model.Measure
import bootdyno.model.RequestCounts
import bootdyno.model.ResponseTime
import bootdyno.model.associateWithNotNull
import bootdyno.stats.CensoredValue
import bootdyno.stats.Counted
import bootdyno.stats.SurvivalCurve
import bootdyno.stats.survivalOf
import kotlin.math.pow

/**
 * The distribution of response times in ms of all [latencies] together. Requests without a response, the slowest, count as "at least
 * their age". Requests that began before the window count from their age at its start on (Kaplan–Meier with delayed entry). Null without data.
 */
internal fun responseTimes(latencies: List<LatencyFacts>): SurvivalCurve? = survivalOf(
    seen = latencies.flatMap { counted(it.response) },
    beyond = latencies.flatMap { counted(it.unanswered) },
    entered = latencies.flatMap { it.entered?.let(::counted).orEmpty() },
)

/**
 * The same of one window with the failed requests of [counts] as infinitely slow ones. Those that timed out, also while connecting, are in it with
 * their age: no response takes longer.
 */
internal fun responseTimes(latencies: LatencyFacts, counts: RequestCounts): SurvivalCurve? = survivalOf(
    seen = counted(latencies.response),
    beyond = counted(latencies.unanswered) +
        Counted(Double.POSITIVE_INFINITY, counts.failed - TIMED_OUT.sumOf { counts.errors[it] ?: 0L }),
    entered = latencies.entered?.let(::counted).orEmpty(),
)

/** The p99 of one window in ms, as the report has it; null without data. */
fun p99Of(latencies: LatencyFacts): CensoredValue? = responseTimes(listOf(latencies))?.quantile(0.99)

/** The same for one [operation]. */
internal fun responseTimes(latencies: LatencyFacts, operation: String): SurvivalCurve? = survivalOf(
    seen = latencies.operations[operation]?.let(::counted).orEmpty(),
    beyond = latencies.unansweredOperations[operation]?.let(::counted).orEmpty(),
    entered = latencies.enteredOperations[operation]?.let(::counted).orEmpty(),
)

/** The distribution of connect times in ms of opened connections. Null without data. */
internal fun connectTimes(latencies: List<LatencyFacts>): SurvivalCurve? =
    survivalOf(latencies.flatMap { it.connect?.let(::counted).orEmpty() }, emptyList())

/** Empty without data. */
internal fun latenciesOf(times: SurvivalCurve?): Map<Measure, CensoredValue> =
    Measure.latencies.associateWithNotNull { measure -> (measure.source as? ResponseTime)?.let { times?.at(it) } }

internal fun SurvivalCurve.at(time: ResponseTime): CensoredValue = time.percentile?.let { quantile(it / 100) } ?: mean(NEGLIGIBLE)

internal fun latencyEstimates(
    trials: List<MeasuredTrial>,
    times: (MeasuredTrial) -> Map<Measure, CensoredValue>,
): Map<Measure, LatencyEstimate> = Measure.latencies.associateWithNotNull { measure -> trials.estimate { times(it)[measure] } }

internal fun errorsOf(counts: List<RequestCounts>): Map<ErrorCause, Long> =
    counts.flatMap { it.errors.entries }.groupBy({ it.key }, { it.value }).mapValues { (_, each) -> each.sum() }

/** 81 points up to 99.99 %, evenly spaced in the number of nines, including 90, 99 and 99.9 %. */
internal fun SurvivalCurve.curve(): List<CurvePoint> = (0..CURVE_STEPS).map { step ->
    val p = 1 - 10.0.pow(-CURVE_NINES * step / CURVE_STEPS)
    val value = quantile(p)
    CurvePoint(p * 100, value.value, value.censored)
}

/** The mean ignores up to this share of unanswered requests, because the oldest request of a window often is one. */
private const val NEGLIGIBLE = 0.001
private const val CURVE_STEPS = 80
private const val CURVE_NINES = 4.0
private const val NANOS_PER_MS = 1e6

/** In ms. */
private fun counted(seen: Distribution): List<Counted> = seen.map { nanos, count -> Counted(nanos / NANOS_PER_MS, count) }

/** Failures that an engine also records as unanswered requests. */
private val TIMED_OUT = listOf(ErrorCause.TIMEOUT, ErrorCause.CONNECT_TIMEOUT)
