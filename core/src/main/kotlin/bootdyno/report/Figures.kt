package bootdyno.report

import bootdyno.model.Measure
import bootdyno.model.count
import bootdyno.model.fixed
import bootdyno.model.mebibytes
import bootdyno.model.percent
import bootdyno.model.significant
import bootdyno.model.timeOfMillis
import bootdyno.stats.Estimate
import java.math.BigDecimal
import java.math.MathContext
import java.math.RoundingMode
import java.util.Locale
import kotlin.math.max
import kotlin.math.roundToLong

/** The point of [estimate] with as many decimals as its bounds are shown with: `1.004` beside `[0.991, 1.016]`. */
internal fun point(estimate: Estimate): String = inStep(estimate)(estimate.value)

/** `[1.94, 2.00]`, or null without an interval. */
internal fun range(estimate: Estimate, text: (Double) -> String = inStep(estimate)): String? =
    estimate.interval?.let { "[${text(it.low)}, ${text(it.high)}]" }

/** Three significant digits for the smallest of the figures, but at most one decimal more than the point alone would have. */
internal fun inStep(estimate: Estimate): (Double) -> String {
    val bounds = listOfNotNull(estimate.interval?.low, estimate.interval?.high)
    val own = decimals(estimate.value)
    val shown = max(own, bounds.maxOfOrNull(::decimals) ?: 0).coerceAtMost(own + 1)
    return { value -> if (shown == 0) significant(value) else fixed(value, shown) }
}

private fun decimals(value: Double): Int = significant(value).substringAfter('.', "").length

/** The wider side of the interval, relative to the value: `±1.0 %`. */
internal fun plusMinus(estimate: Estimate): String? = estimate.interval?.let {
    val half = max(it.high - estimate.value, estimate.value - it.low)
    if (estimate.value == 0.0) "±${significant(half)}" else "±${percent(half / estimate.value)}"
}

/** A value of [measure] with its unit, as a sentence would say it. */
internal fun spoken(measure: Measure, value: Double): String = when (measure) {
    Measure.THROUGHPUT -> "${significant(value)}/s"
    Measure.MEAN, Measure.MIN, Measure.P50, Measure.P90, Measure.P99, Measure.P999, Measure.MAX -> timeOfMillis(value)
    Measure.REQUESTS -> count(value.roundToLong())
    Measure.ERRORS -> percent(value)
    Measure.THREADS -> fixed(value, if (value % 1.0 == 0.0) 0 else 1)
    Measure.RSS -> "${mebibytes(value)} MiB"
    Measure.STARTUP -> timeOfMillis(value * 1000)
    Measure.CPU_PER_REQUEST -> "${significant(value * 1_000_000)} µs"
    Measure.ANSWERED -> count(value.roundToLong())
    Measure.HEAP -> "${mebibytes(value)} MiB"
    Measure.LIVE_THREADS -> fixed(value, 0)
    Measure.REFUSED -> percent(value)
    Measure.BUILD_TIME -> timeOfMillis(value * 1000)
    Measure.SIZE -> "${mebibytes(value)} MiB"
}

/** What people call [measure]. */
internal fun name(measure: Measure): String = when (measure) {
    Measure.THROUGHPUT -> "throughput"
    Measure.MEAN -> "mean latency"
    Measure.MIN -> "minimum"
    Measure.P50 -> "p50"
    Measure.P90 -> "p90"
    Measure.P99 -> "p99"
    Measure.P999 -> "p99.9"
    Measure.MAX -> "maximum"
    Measure.REQUESTS -> "requests in all"
    Measure.ERRORS -> "errors"
    Measure.RSS -> "memory (RSS)"
    Measure.STARTUP -> "start-up time"
    Measure.THREADS -> "threads"
    Measure.CPU_PER_REQUEST -> "CPU per request"
    Measure.ANSWERED -> "answered requests"
    Measure.HEAP -> "heap used"
    Measure.LIVE_THREADS -> "JVM threads, most"
    Measure.REFUSED -> "share of failures refused"
    Measure.BUILD_TIME -> "build time"
    Measure.SIZE -> "size"
}
