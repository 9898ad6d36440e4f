package bootdyno.stats

import kotlin.math.abs
import kotlin.math.exp
import kotlin.math.ln
import kotlin.math.sqrt

/** The spread of a ratio, on the logarithm, at the value [x] > 0 of an axis. */
data class RatioAt(val x: Double, val ratio: Spread)

/** Where a ratio that grows along an axis rises above 1 and stays there. */
sealed interface Passing {
    /** Above 1 from the smallest value on. */
    data object Everywhere : Passing

    /** Not above 1 at the largest value. */
    data object Nowhere : Passing

    /** Whether it is above 1 at the largest value is undecided. */
    data object Undecided : Passing

    /** At [x], with the interval [reach]; null for single samples. */
    data class At(val x: Double, val reach: Reach?) : Passing
}

/** The values whose interval contains 1. A null end lies beyond the axis. */
data class Reach(val low: Double?, val high: Double?)

/** Steps of the search along the axis; 1/500 of five decades is 2.3 %. */
private const val STEPS = 500

/**
 * The logarithm of the ratio is interpolated along the logarithm of the axis. The reach inverts the test "is the ratio 1 here?": its ends
 * are the outermost values around the point whose interval at [level] contains 1 (Fieller 1954). Ratios at two values are assumed to be
 * independent, with the smaller number of degrees of freedom. Null for fewer than two values.
 */
fun passing(places: List<RatioAt>, level: Double = DEFAULT_LEVEL): Passing? {
    val sorted = places.filter { it.ratio.scale == Scale.LOGARITHM }.sortedBy { it.x }
    if (sorted.size < 2) return null
    val last = sorted.indexOfLast { it.ratio.mean <= 0 }
    return when (last) {
        -1 -> fromTheFirst(sorted, level)

        sorted.lastIndex -> Passing.Nowhere

        else -> {
            val below = sorted[last]
            val above = sorted[last + 1]
            val share = -below.ratio.mean / (above.ratio.mean - below.ratio.mean)
            val at = ln(below.x) + share * (ln(above.x) - ln(below.x))
            Passing.At(exp(at), reach(sorted, at, level))
        }
    }
}

/** At the first place if the ratio may be 1 there. */
private fun fromTheFirst(places: List<RatioAt>, level: Double): Passing {
    val first = ln(places.first().x)
    val isSure = places.any { it.ratio.n < 2 } || !mayBeOne(places, first, level)
    return if (isSure) Passing.Everywhere else Passing.At(places.first().x, reach(places, first, level))
}

private fun reach(places: List<RatioAt>, at: Double, level: Double): Reach? {
    if (places.any { it.ratio.n < 2 }) return null
    val from = ln(places.first().x)
    val to = ln(places.last().x)
    val step = (to - from) / STEPS
    val left = generateSequence(at) { it - step }.takeWhile { it >= from }
    val right = generateSequence(at) { it + step }.takeWhile { it <= to }
    val low = left.find { !mayBeOne(places, it, level) }
    val high = right.find { !mayBeOne(places, it, level) }
    return Reach(low?.let(::exp), high?.let(::exp))
}

private fun mayBeOne(places: List<RatioAt>, at: Double, level: Double): Boolean {
    val after = places.indexOfFirst { ln(it.x) >= at - 1e-12 }.coerceAtLeast(1)
    val (a, b) = places.subList(after - 1, after + 1)
    val weight = ((at - ln(a.x)) / (ln(b.x) - ln(a.x))).coerceIn(0.0, 1.0)
    val mean = (1 - weight) * a.ratio.mean + weight * b.ratio.mean
    val error = sqrt(squared((1 - weight) * a.ratio.standardError) + squared(weight * b.ratio.standardError))
    return abs(mean) <= studentQuantile(1 - (1 - level) / 2, minOf(a.ratio.freedom, b.ratio.freedom)) * error
}

internal fun squared(value: Double) = value * value
