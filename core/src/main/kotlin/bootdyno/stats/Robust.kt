package bootdyno.stats

import kotlin.math.abs
import kotlin.math.ceil

/** The middle value; of an even number of values the mean of the two in the middle. */
fun median(values: List<Double>): Double {
    require(values.isNotEmpty()) { "no median of nothing" }
    val sorted = values.sorted()
    val middle = sorted.size / 2
    return if (sorted.size % 2 == 1) sorted[middle] else (sorted[middle - 1] + sorted[middle]) / 2
}

/**
 * The median distance from the median, times 1.4826 so that it estimates the standard deviation of normal noise (Hampel 1974).
 */
fun medianAbsoluteDeviation(values: List<Double>): Double {
    val middle = median(values)
    return 1.4826 * median(values.map { abs(it - middle) })
}

/**
 * The smallest of [values] that at least the share [p] of them does not exceed: type 1 of Hyndman & Fan 1996, no interpolation.
 */
fun quantile(values: List<Double>, p: Double): Double {
    require(values.isNotEmpty()) { "no quantile of nothing" }
    require(p in 0.0..1.0) { "a quantile is asked for from 0 to 1: $p" }
    val rank = ceil(p * values.size - ROUNDING).toInt().coerceIn(1, values.size)
    return values.sorted()[rank - 1]
}

private const val ROUNDING = 1e-9
