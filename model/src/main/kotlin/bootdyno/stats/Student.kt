package bootdyno.stats

import org.apache.commons.statistics.distribution.NormalDistribution
import org.apache.commons.statistics.distribution.TDistribution
import kotlin.math.abs

private val NORMAL = NormalDistribution.of(0.0, 1.0)

/** Of a step of Newton's method to its result: the next one would be beyond the digits of a double. */
private const val LAST_STEP = 1e-7
private const val MOST_STEPS = 30

/**
 * The quantile of Student's t with so many degrees of [freedom], above 0, at [probability], between 0 and 1. Newton's method from two terms of the
 * expansion of Cornish and Fisher (Abramowitz, Stegun 1964, 26.7.5) asks for three probabilities, the library's search for a dozen, and an analysis
 * for thousands of quantiles.
 */
internal fun studentQuantile(probability: Double, freedom: Double): Double {
    if (probability < 0.5) return -studentQuantile(1 - probability, freedom)
    val student = TDistribution.of(freedom)
    val z = NORMAL.inverseCumulativeProbability(probability)
    val square = z * z
    var t = z * (1 + (square + 1) / (4 * freedom) + ((5 * square + 16) * square + 3) / (96 * freedom * freedom))
    repeat(MOST_STEPS) {
        val step = (student.survivalProbability(t) - (1 - probability)) / student.density(t)
        t += step
        if (abs(step) <= LAST_STEP * t) return t
    }
    return student.inverseCumulativeProbability(probability)
}

/** Two-sided p of a t statistic. */
internal fun studentTwoSided(t: Double, freedom: Double): Double =
    if (t.isInfinite()) 0.0 else 2 * TDistribution.of(freedom).survivalProbability(t)
