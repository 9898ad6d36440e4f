package bootdyno.stats

import org.apache.commons.statistics.distribution.FDistribution
import kotlin.math.max
import kotlin.math.sqrt

/** A sample, and the block in which it was taken: the machine of a round. */
data class Sample(val value: Double, val block: Int = 0)

/**
 * How much the true means of blocks differ.
 *
 * [deviation]: their estimated standard deviation, on the scale of the samples; 0 if the observed means differ no more than by chance.
 * [p]: the probability that observed means differ at least this much if the true ones are equal.
 */
data class Between(val deviation: Double, val p: Double)

/**
 * Mean and deviation of [samples] whose blocks are a random sample of blocks: the interval is that of the mean over all such blocks, and
 * contains their differences. Null without samples; one block is [spreadOf].
 *
 * Blocks are weighted by the inverse variance of their means, with the variance between blocks from a one-way analysis of variance
 * (Searle, Casella & McCulloch 1992, Variance Components, chapter 3). The variance of the weighted mean is that of Hartung & Knapp 2001
 * (A refined method for the meta-analysis of controlled clinical trials with binary outcome, Statistics in Medicine 20), with blocks − 1
 * degrees of freedom. If all blocks have equally many samples, this is Student's interval over the means of blocks, which is exact. If
 * each has one sample, it is [spreadOf]: whether blocks or samples differ is not known then, and does not matter.
 */
fun spreadOfBlocks(samples: List<Sample>, scale: Scale): Spread? {
    val all = spreadOf(samples.map { it.value }, scale) ?: return null
    val blocks = Blocks(samples.groupBy({ it.block }, { all.toScale(it.value) }).values.toList())
    return if (blocks.count == 1 || blocks.count == samples.size) all else blocks.spread(scale)
}

/** Of two or more [blocks], on the scale of the samples. */
private class Blocks(private val blocks: List<List<Double>>) {
    val count = blocks.size
    private val size = blocks.sumOf { it.size }
    private val means = blocks.map { it.average() }
    private val freedomBetween = count - 1.0
    private val freedomWithin = (size - count).toDouble()

    fun spread(scale: Scale): Spread {
        val within = blocks.zip(means).sumOf { (block, mean) -> block.sumOf { squared(it - mean) } } / freedomWithin
        val grandMean = blocks.sumOf { it.sum() } / size
        val between = blocks.zip(means).sumOf { (block, mean) -> block.size * squared(mean - grandMean) } / freedomBetween
        val perBlock = (size - blocks.sumOf { it.size * it.size } / size.toDouble()) / freedomBetween
        val variance = max(0.0, (between - within) / perBlock)
        val weights = blocks.map { block ->
            val ofMean = variance + within / block.size
            if (ofMean > 0) 1 / ofMean else block.size.toDouble()
        }
        val sum = weights.sum()
        val mean = weights.zip(means).sumOf { (weight, mean) -> weight * mean } / sum
        val ofMean = weights.zip(means).sumOf { (weight, own) -> weight * squared(own - mean) } / freedomBetween / sum
        return Spread(mean, sqrt(ofMean * size), size, scale, freedomBetween, Between(sqrt(variance), chance(between, within)))
    }

    /** The F test of the analysis of variance. */
    private fun chance(between: Double, within: Double): Double = when {
        within > 0 -> FDistribution.of(freedomBetween, freedomWithin).survivalProbability(between / within)
        between > 0 -> 0.0
        else -> 1.0
    }
}
