package bootdyno.stats

import kotlin.math.abs
import kotlin.math.ln
import kotlin.math.sqrt

/** Throughput in one short slice of time with [limit] units of something, from [count] answers. */
data class AtLimit(val limit: Double, val perSecond: Double, val count: Double)

/** Standard deviation of the logarithm of the ratio of two slices without a change between them, and the degrees of freedom it counts for. */
private const val USUAL_DEVIATION = 0.03
private const val USUAL_FREEDOM = 3.0

/** Squared coefficient of variation of the times between answers: those of a pool that is full vary less than random ones (1). */
private const val SPREAD_OF_ANSWERS = 0.25

/**
 * The elasticity of the throughput: d ln throughput / d ln limit. 1: it follows the limit; 0: it does not depend on it. Null without a slice at
 * another value that has one at [original] beside it.
 *
 * Each slice of [slices] at another value is paired with its neighbours at the original one (the mean of both logarithms), so that a drift
 * cancels. The log ratios of throughput are divided by those of the values, and averaged, weighted by the squares of the latter. That is the least
 * squares fit of a line through the original. With so few pairs their variance is moderated: the mean of their own and a usual one, weighted by degrees of freedom (Smyth 2004, with a
 * fixed prior).
 */
fun elasticity(original: Double, slices: List<AtLimit>, level: Double = DEFAULT_LEVEL): Estimate? {
    val pairs = slices.indices.filter { slices[it].limit != original && slices[it].limit > 0 && slices[it].perSecond > 0 }
        .mapNotNull { index ->
            val beside = listOfNotNull(slices.getOrNull(index - 1), slices.getOrNull(index + 1))
                .filter { it.limit == original && it.perSecond > 0 }.ifEmpty { return@mapNotNull null }
            val slice = slices[index]
            LogRatio(
                ln(slice.limit / original),
                ln(slice.perSecond) - beside.map { ln(it.perSecond) }.average(),
                SPREAD_OF_ANSWERS * (1 / slice.count + 1 / beside.sumOf { it.count }),
            )
        }.ifEmpty { return null }
    val squares = pairs.sumOf { it.ofLimit * it.ofLimit }
    val value = pairs.sumOf { it.ofLimit * it.ofThroughput } / squares
    val own = pairs.sumOf { (it.ofThroughput - value * it.ofLimit).let { rest -> rest * rest } }
    val usual = USUAL_DEVIATION * USUAL_DEVIATION + pairs.map { it.counting }.average()
    val freedom = pairs.size - 1 + USUAL_FREEDOM
    val deviation = sqrt((own + USUAL_FREEDOM * usual) / freedom / squares)
    val half = abs(studentQuantile(1 - (1 - level) / 2, freedom) * deviation)
    return Estimate(value, Interval(value - half, value + half, level), pairs.size)
}

/** Logarithms of two ratios; [counting]: the variance of the second one from the number of answers alone. */
private class LogRatio(val ofLimit: Double, val ofThroughput: Double, val counting: Double)
