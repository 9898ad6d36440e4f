package bootdyno.stats

import kotlin.math.abs

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
