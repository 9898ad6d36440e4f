package bootdyno.stats

import kotlin.math.abs
import kotlin.math.max
import kotlin.math.min
import kotlin.math.sqrt

/**
 * Ratios that count as equal: 1/(1 + [tolerance]) to 1 + [tolerance], symmetric under inversion.
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
}

/** The zone of [atLeast], or as wide as [interval] reaches from 1 if that is more: 0.05 for 0.99 to 1.05 and for 1/1.05 to 1.01. */
fun zoneReaching(interval: Interval?, atLeast: Double) = Zone(max(atLeast, interval?.let(::farEnd) ?: 0.0))

private fun farEnd(interval: Interval) = max(interval.high, if (interval.low > 0) 1 / interval.low else Double.MAX_VALUE) - 1

enum class Side { ABOVE, BELOW, WITHIN }

/**
 * The smallest α at which the (1 − α) interval of [ratio] touches no edge of the zone: 2·P(T > distance to the nearest edge / standard error),
 * n − 1 degrees of freedom. Below 0.05 exactly if the 95 % interval touches no edge: it lies outside (a difference) or inside (equivalence,
 * the two one-sided tests of Schuirmann 1987 at 2.5 % each). 1 for a single sample.
 */
fun Zone.pOf(ratio: Spread): Double {
    if (ratio.n < 2) return 1.0
    val distance = distance(ratio)
    return if (distance == 0.0) 1.0 else studentTwoSided(distance / ratio.standardError, ratio.n - 1)
}

/**
 * Number of further samples until the (1 − [alpha]) interval touches no edge of the zone, at the current mean and deviation. Null above
 * [MOST_FURTHER], and for a single sample.
 */
fun Zone.furtherSamples(ratio: Spread, alpha: Double): Int? {
    val distance = distance(ratio)
    fun enough(n: Int) = studentQuantile(1 - alpha / 2, n - 1) * ratio.deviation / sqrt(n.toDouble()) < distance
    if (ratio.n < 2 || !enough(ratio.n + MOST_FURTHER)) return null
    var tooFew = ratio.n
    var enough = ratio.n + MOST_FURTHER
    while (enough - tooFew > 1) {
        val middle = (tooFew + enough) / 2
        if (enough(middle)) enough = middle else tooFew = middle
    }
    return enough - ratio.n
}

/** Maximum number of further samples that is reported. */
const val MOST_FURTHER = 1000

private fun Zone.distance(ratio: Spread) = min(abs(ratio.mean - ratio.toScale(low)), abs(ratio.mean - ratio.toScale(high)))
