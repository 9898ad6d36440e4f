package bootdyno.stats

import kotlin.math.max
import kotlin.math.min
import kotlin.math.sqrt

/** Degrees of freedom that the variance of the family counts for, beside those of a member's own. */
private const val MOST_PRIOR = 3.0

/** With so few samples (or machines, where several measured) the variances of a family are too uncertain to borrow from. */
private const val FEW = 3

/** A member is not made noisier than this multiple of its own variance: a throughput set by a pool is quieter than one set by the CPU. */
private const val MOST_BORROWED = 4.0

/** The mean [variance] of a family of [members] ratios, on the logarithm. */
data class Pooled(val variance: Double, val members: Int)

/** Of the members that have a logarithm and a variance; null of fewer than two. */
fun pooled(family: List<Spread>): Pooled? = family.filter { it.scale == Scale.LOGARITHM && it.n >= 2 }
    .map { it.deviation * it.deviation }.takeIf { it.size > 1 }?.let { Pooled(it.average(), it.size) }

/**
 * With a moderated variance: the mean of its own (n − 1 degrees of freedom) and the family's (up to 3 degrees), weighted by these degrees, but never
 * less than its own. Six samples estimate a variance badly; ratios measured on one machine in the same rounds inform each other. Smyth 2004,
 * Linear Models and Empirical Bayes Methods for Assessing Differential Expression, with a fixed prior.
 *
 * The degrees of freedom are at most the sum of both. In a small family the mean contains mostly the own variance, so they are those of the
 * weighted sum of its members' variances (Satterthwaite 1946). The noisier a member is than the others, the fewer degrees it gets from them.
 *
 * Nothing is borrowed with two degrees of freedom or fewer (three samples), nor on the plain scale; never more than four times its own
 * variance.
 */
fun Spread.moderated(family: Pooled?): Spread {
    val prior = (freedom + 1 - FEW).coerceIn(0.0, MOST_PRIOR)
    if (family == null || prior == 0.0 || scale != Scale.LOGARITHM) return this
    val own = deviation * deviation
    val sum = freedom + prior
    val weightOfOther = prior / sum / family.members
    val weightOfOwn = freedom / sum + weightOfOther
    val others = family.members - 1
    val ofOthers = max(0.0, family.variance * family.members - own) / others
    val more = min(sum, freedom / (weightOfOwn * weightOfOwn + others * weightOfOther * weightOfOther)) - freedom
    return copy(
        deviation = sqrt(max(own, (freedom * own + prior * min(family.variance, MOST_BORROWED * own)) / sum)),
        freedom = freedom + more * if (own > ofOthers) ofOthers / own else 1.0,
    )
}
