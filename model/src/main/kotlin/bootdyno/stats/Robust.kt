package bootdyno.stats

import kotlin.math.abs
import kotlin.math.exp
import kotlin.math.ln
import kotlin.math.sqrt

/** Of fewer values, too few are left for an interval. */
private const val FEWEST_TO_TRIM = 6

/** The middle value; for an even number of values the mean of the middle two. */
fun median(values: List<Double>): Double {
    require(values.isNotEmpty()) { "no median of nothing" }
    val sorted = values.sorted()
    val middle = sorted.size / 2
    return if (sorted.size % 2 == 1) sorted[middle] else (sorted[middle - 1] + sorted[middle]) / 2
}

/**
 * Median distance from the median × 1.4826, which estimates the standard deviation of normal noise (Hampel 1974).
 */
fun medianAbsoluteDeviation(values: List<Double>): Double {
    val middle = median(values)
    return 1.4826 * median(values.map { abs(it - middle) })
}

/**
 * The mean of [values] on the logarithm without the quarter of them at each end, with Student's interval from the winsorized variance: single values
 * far off move neither (Tukey, McLaughlin 1963; Yuen 1974). Null of fewer than six values, and where one is not positive.
 */
fun trimmedMean(values: List<Double>, level: Double = DEFAULT_LEVEL): Estimate? {
    if (values.size < FEWEST_TO_TRIM || values.any { it <= 0 }) return null
    val sorted = values.map { ln(it) }.sorted()
    val cut = sorted.size / 4
    val left = sorted.subList(cut, sorted.size - cut)
    val winsorized = List(cut) { left.first() } + left + List(cut) { left.last() }
    val mean = left.average()
    val half = studentQuantile((1 + level) / 2, left.size - 1.0) *
        deviation(winsorized, winsorized.average()) * sqrt(sorted.size.toDouble()) / left.size
    return Estimate(exp(mean), Interval(exp(mean - half), exp(mean + half), level), values.size)
}
