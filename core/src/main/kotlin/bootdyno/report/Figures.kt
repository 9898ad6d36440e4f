package bootdyno.report

import bootdyno.model.Measure
import bootdyno.stats.Estimate
import java.math.BigDecimal
import java.math.MathContext
import java.math.RoundingMode
import java.util.Locale
import kotlin.math.max
import kotlin.math.roundToLong

/** How numbers become text for people: three significant digits, a comma between thousands, whatever the reader's locale. */
internal fun significant(value: Double, digits: Int = 3): String {
    if (!value.isFinite()) return "–"
    if (value == 0.0) return "0"
    val rounded = BigDecimal(value).round(MathContext(digits, RoundingMode.HALF_UP))
    val whole = rounded.precision() - rounded.scale()
    val scaled = rounded.setScale(max(0, digits - whole), RoundingMode.HALF_UP)
    return String.format(Locale.ROOT, "%,.${scaled.scale()}f", scaled)
}

internal fun count(value: Long): String = String.format(Locale.ROOT, "%,d", value)

internal fun fixed(value: Double, decimals: Int): String = String.format(Locale.ROOT, "%,.${decimals}f", value)

/** A share between 0 and 1 as per cent. */
internal fun percent(share: Double): String = when {
    share == 0.0 -> "0 %"
    share < 0.001 -> "<0.1 %"
    share < 0.1 -> "${fixed(share * 100, 1)} %"
    else -> "${fixed(share * 100, 0)} %"
}

internal fun ratio(value: Double): String = "${significant(value)}×"

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

/** A time given in milliseconds, in the unit people would say: `506 ms`, `29.1 s`. */
internal fun time(milliseconds: Double): String =
    if (milliseconds < 1000) "${significant(milliseconds)} ms" else "${significant(milliseconds / 1000)} s"

internal fun mebibytes(bytes: Double): String = significant(bytes / (1024 * 1024))

/** A memory size in the binary unit it divides into: `1 GiB`, `512 MiB`. */
internal fun size(bytes: Long): String {
    val gib = 1024L * 1024 * 1024
    return if (bytes % gib == 0L) "${bytes / gib} GiB" else "${mebibytes(bytes.toDouble())} MiB"
}

/** A value of [measure] with its unit, as a sentence would say it. */
internal fun spoken(measure: Measure, value: Double): String = when (measure) {
    Measure.THROUGHPUT -> "${significant(value)}/s"
    Measure.MEAN, Measure.MIN, Measure.P50, Measure.P90, Measure.P99, Measure.P999, Measure.MAX -> time(value)
    Measure.REQUESTS -> count(value.roundToLong())
    Measure.ERRORS -> percent(value)
    Measure.THREADS -> fixed(value, if (value % 1.0 == 0.0) 0 else 1)
    Measure.RSS -> "${mebibytes(value)} MiB"
    Measure.STARTUP -> time(value * 1000)
    Measure.CPU_PER_REQUEST -> "${significant(value * 1_000_000)} µs"
    Measure.ANSWERED -> count(value.roundToLong())
    Measure.HEAP -> "${mebibytes(value)} MiB"
    Measure.LIVE_THREADS -> fixed(value, 0)
    Measure.REFUSED -> percent(value)
    Measure.BUILD_TIME -> time(value * 1000)
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
