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

/** The smallest number of samples, two or more, that find the difference [share] with the error [alpha]; null beyond [MOST_FURTHER]. */
fun samplesFor(share: Double, deviation: Double, alpha: Double): Int? =
    (2..MOST_FURTHER).find { foundBy(it, deviation, alpha) <= share }

/** How often a difference is found that [foundBy] gives. */
const val POWER = 0.8

/**
 * The difference, as a share, that [n] samples of a logarithm find with the probability [POWER]: (t(1 − [alpha]/2) + t([POWER])) · s / √n, the usual
 * approximation of the power of Student's test.
 */
fun foundBy(n: Int, deviation: Double, alpha: Double): Double =
    expm1((studentQuantile(1 - alpha / 2, n - 1.0) + studentQuantile(POWER, n - 1.0)) * deviation / sqrt(n.toDouble()))
