package bootdyno.report

import bootdyno.model.Measure
import bootdyno.model.MeasureUnit
import bootdyno.model.exact
import bootdyno.model.fixed
import bootdyno.model.mebibytes
import bootdyno.model.percent
import bootdyno.model.significant
import bootdyno.model.timeOfMillis
import bootdyno.model.timeOfSeconds
import bootdyno.stats.Estimate
import kotlin.math.max

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
internal fun spoken(measure: Measure, value: Double): String = when (measure.unit) {
    MeasureUnit.PER_SECOND -> "${significant(value)}/s"
    MeasureUnit.MILLISECONDS -> timeOfMillis(value)
    MeasureUnit.SECONDS -> timeOfSeconds(value)
    MeasureUnit.BYTES -> "${mebibytes(value)} MiB"
    MeasureUnit.COUNT -> exact(value)
    MeasureUnit.SHARE -> percent(value)
}
