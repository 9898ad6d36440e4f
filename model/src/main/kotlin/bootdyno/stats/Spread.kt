package bootdyno.stats

import org.apache.commons.statistics.distribution.TDistribution
import kotlin.math.exp
import kotlin.math.ln
import kotlin.math.max
import kotlin.math.min
import kotlin.math.sqrt

/** A confidence interval; [level] is 0.95 by default. */
data class Interval(val low: Double, val high: Double, val level: Double = 0.95) {
    operator fun contains(value: Double) = value in low..high
}

/** A value with its interval over [n] independent samples; null for a single sample. */
data class Estimate(val value: Double, val interval: Interval?, val n: Int)

/** The scale of averages and of symmetric intervals. */
enum class Scale {
    /** For positive quantities with multiplicative noise; the point is the geometric mean. */
    LOGARITHM,

    /** For quantities that may be 0; intervals are cut at 0. */
    PLAIN,
}

/**
 * Mean and standard deviation of [n] independent samples, both on [scale]; NaN for the deviation of one sample. [freedom]: degrees of
 * freedom of the deviation, n − 1 if only these samples estimate it. [between]: of samples in several blocks, how much these differ;
 * null if that is not known. [deviation] contains their differences then: it is √n times the standard error of [mean].
 *
 * [step]: samples on the logarithm were rounded to steps of this size. All may have the same rounding error, so that more of them do not make it
 * smaller: its variance, step² / 12 (Sheppard 1898), is added to that of the mean.
 */
data class Spread(
    val mean: Double,
    val deviation: Double,
    val n: Int,
    val scale: Scale,
    val freedom: Double = n - 1.0,
    val between: Between? = null,
    val step: Double = 0.0,
) {
    val standardError: Double get() = standardErrorOf(n)

    internal val varianceOfRounding get() = step * step / 12

    /** That of [number] samples with this deviation. */
    fun standardErrorOf(number: Int): Double = sqrt(deviation * deviation / number + varianceOfRounding)

    /** [mean] on the scale of the samples. */
    val point: Double get() = fromScale(mean)

    /**
     * The point with its two-sided Student t interval, computed on [scale] and transformed back; no interval for a single sample. With [looks], those
     * at all of them hold together at [level].
     *
     * Student 1908; for the mean of independent starts of a program: Georges, Buytaert & Eeckhout 2007, Statistically Rigorous
     * Java Performance Evaluation, §3.2; Kalibera & Jones 2013, Rigorous Benchmarking in Reasonable Time.
     */
    fun estimate(level: Double = DEFAULT_LEVEL, looks: Looks = ONE_LOOK): Estimate {
        if (n < 2) return Estimate(point, null, n)
        val half = studentQuantile(1 - (1 - looks.levelAt(n, 1 - level)) / 2, freedom) * standardError
        return Estimate(point, Interval(max(0.0, fromScale(mean - half)), fromScale(mean + half), level), n)
    }

    /** The same, of samples that were rounded to [step]s if they are on the logarithm. */
    fun roundedTo(step: Double): Spread = if (scale == Scale.LOGARITHM) copy(step = step) else this

    internal fun toScale(value: Double) = if (scale == Scale.LOGARITHM) ln(value) else value

    private fun fromScale(value: Double) = if (scale == Scale.LOGARITHM) exp(value) else value
}

const val DEFAULT_LEVEL = 0.95

/** Null without samples. On the logarithm, all samples must be positive. */
fun spreadOf(samples: List<Double>, scale: Scale): Spread? {
    if (samples.isEmpty()) return null
    samples.forEach { require(it.isFinite() && it >= 0) { "a sample must be finite and not negative: $it" } }
    if (scale == Scale.LOGARITHM) samples.forEach { require(it > 0) { "no logarithm of $it" } }
    val scaled = if (scale == Scale.LOGARITHM) samples.map { ln(it) } else samples
    val mean = scaled.average()
    return Spread(mean, deviation(scaled, mean), samples.size, scale)
}

/** Mean with a t interval on the logarithm (the point is the geometric mean); null without samples. */
fun logMean(samples: List<Double>, level: Double = DEFAULT_LEVEL): Estimate? = spreadOf(samples, Scale.LOGARITHM)?.estimate(level)

/** Arithmetic mean with a plain t interval, cut at 0: for non-negative values that can be 0; null without samples. */
fun plainMean(samples: List<Double>, level: Double = DEFAULT_LEVEL): Estimate? = spreadOf(samples, Scale.PLAIN)?.estimate(level)

/** [logMean], or [plainMean] if a sample is 0. */
fun meanOf(samples: List<Double>, level: Double = DEFAULT_LEVEL): Estimate? =
    spreadOf(samples, scaleFor(samples))?.estimate(level)

/** The logarithm where every sample has one. */
fun scaleFor(samples: List<Double>) = if (samples.all { it > 0 }) Scale.LOGARITHM else Scale.PLAIN

internal fun studentQuantile(probability: Double, freedom: Double): Double =
    TDistribution.of(freedom).inverseCumulativeProbability(probability)

/** Two-sided p of a t statistic. */
internal fun studentTwoSided(t: Double, freedom: Double): Double =
    if (t.isInfinite()) 0.0 else 2 * TDistribution.of(freedom).survivalProbability(t)

internal fun deviation(values: List<Double>, mean: Double): Double =
    if (values.size < 2) Double.NaN else sqrt(values.sumOf { (it - mean) * (it - mean) } / (values.size - 1))

/** Two samples of one round. [block]: the machine of that round. */
data class Paired(val numerator: Double, val denominator: Double, val block: Int = 0)

/**
 * The spread of the ratios within [pairs], on the logarithm: swapping numerator and denominator inverts the ratio, and common effects
 * of a round cancel (randomised complete blocks: Fisher 1935; for cloud machines Abedi & Brecht 2017). Ratios of several machines are pooled by
 * [spreadOfBlocks].
 *
 * A numerator of 0 has no logarithm and puts all ratios on the plain scale, so that the worst pair is not dropped. Pairs with a denominator
 * of 0 are left out, which reduces n. Null without pairs. [step]: see [Spread], of both samples.
 */
fun ratioOf(pairs: List<Paired>, step: Double = 0.0): Spread? {
    val ratios = pairs.filter { it.denominator > 0 }.map { Sample(it.numerator / it.denominator, it.block) }
    return spreadOfBlocks(ratios, scaleFor(ratios.map { it.value }))?.roundedTo(step * sqrt(2.0))
}

/**
 * The ratio of two independent groups of samples, on the logarithm: Welch 1947, with the degrees of freedom of Satterthwaite 1946. Null unless
 * both groups are on the logarithm. [Spread.n] is that of the smaller group.
 */
fun ratioOfIndependent(above: Spread, below: Spread): Spread? {
    if (above.scale != Scale.LOGARITHM || below.scale != Scale.LOGARITHM) return null
    val n = min(above.n, below.n)
    val difference = above.mean - below.mean
    if (n < 2) return Spread(difference, Double.NaN, n, Scale.LOGARITHM)
    val ofAbove = above.standardError * above.standardError
    val ofBelow = below.standardError * below.standardError
    val sum = ofAbove + ofBelow
    val freedom = if (sum > 0) {
        sum * sum / (ofAbove * ofAbove / above.freedom + ofBelow * ofBelow / below.freedom)
    } else {
        above.freedom + below.freedom
    }
    return Spread(difference, sqrt(sum * n), n, Scale.LOGARITHM, freedom)
}
