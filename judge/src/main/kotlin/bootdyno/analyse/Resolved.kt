package bootdyno.analyse

import bootdyno.stats.Looks
import bootdyno.stats.MOST_FURTHER
import bootdyno.stats.ONE_LOOK
import bootdyno.stats.Scale
import bootdyno.stats.Spread
import bootdyno.stats.foundBy
import kotlin.math.sqrt

/**
 * The deviation of a candidate against both measurements of the baseline, by that of the baseline against itself. They are 1 + 1/2 and 2 variances of a
 * trial.
 */
val AGAINST_BOTH: Double = sqrt(1.5 / 2)

/** A difference that is worth the rounds it takes. */
private const val FINE = 0.02

/**
 * [itself]: the baseline's second measurement by its first. [comparisons]: number of those that share the error of 5 %, at the [looks] of the run. More
 * rounds than it may have would be a fixed number.
 */
internal fun resolvedBy(itself: Spread, comparisons: Int, looks: Looks = ONE_LOOK): Map<Int, Double> {
    if (itself.n < 2 || itself.scale != Scale.LOGARITHM) return emptyMap()
    val alpha = ALPHA / comparisons.coerceAtLeast(1)
    fun found(n: Int): Double {
        val error = if (n > looks.last) alpha else 1 - looks.levelAt(n, alpha)
        return foundBy(n, itself.standardErrorOf(n) * sqrt(n.toDouble()) * AGAINST_BOTH, error)
    }
    return listOfNotNull(itself.n, (2..MOST_FURTHER).find { found(it) <= FINE }).sorted().associateWith(::found)
}
