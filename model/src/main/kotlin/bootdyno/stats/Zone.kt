package bootdyno.stats

import kotlin.math.abs
import kotlin.math.expm1
import kotlin.math.sqrt

/**
 * The ratios too near 1 to matter: 1/(1 + [tolerance]) to 1 + [tolerance], so that a ratio and its inverse lie in it together.
 */
data class Zone(val tolerance: Double) {
    init {
        require(tolerance > 0) { "a zone needs a tolerance above 0: $tolerance" }
    }

    val low: Double get() = 1 / (1 + tolerance)
    val high: Double get() = 1 + tolerance

    fun sideOf(ratio: Double): Side = when {
        ratio > high -> Side.ABOVE
        ratio < low -> Side.BELOW
        else -> Side.WITHIN
    }

    /** Whether the whole [interval] lies in the zone. */
    fun contains(interval: Interval) = interval.low >= low && interval.high <= high

    /** Whether the whole [interval] lies outside, on one side. */
    fun excludes(interval: Interval) = interval.low > high || interval.high < low
}

enum class Side { ABOVE, BELOW, WITHIN }

/** The side of 1 on which the whole interval lies; [Side.WITHIN] where it contains 1. */
fun Interval.sideOfOne(): Side = when {
    low > 1 -> Side.ABOVE
    high < 1 -> Side.BELOW
    else -> Side.WITHIN
}

/**
 * The two-sided p of "the ratio is 1": at most 1 − level exactly where the interval at that level does not contain 1. 1 for a single
 * sample.
 */
fun pOfOne(ratio: Spread): Double {
    if (ratio.n < 2) return 1.0
    val distance = abs(ratio.mean - ratio.toScale(1.0))
    return if (distance == 0.0) 1.0 else studentTwoSided(distance / ratio.standardError, ratio.freedom)
}

/** The smallest number of samples, two or more, at which half the interval of a mean of such [deviation] is at most [share]; null beyond [MOST_FURTHER]. */
fun samplesFor(share: Double, deviation: Double): Int? = (2..MOST_FURTHER).find { halfWidth(it, deviation) <= share }

/** Half the width of the 95 % interval of the mean of [n] samples of a logarithm, as a share. */
fun halfWidth(n: Int, deviation: Double): Double =
    expm1(studentQuantile(1 - (1 - DEFAULT_LEVEL) / 2, n - 1.0) * deviation / sqrt(n.toDouble()))
