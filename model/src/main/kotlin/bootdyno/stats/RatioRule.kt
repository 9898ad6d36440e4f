package bootdyno.stats

import kotlin.math.abs
import kotlin.math.exp
import kotlin.math.expm1
import kotlin.math.ln
import kotlin.math.min

/**
 * How a ratio on the logarithm is judged: whether it differs from 1, with the error [alpha], and whether it lies in [zone], with the error [alpha]
 * too. Both hold at all [looks] together.
 */
class RatioRule(val zone: Zone, val alpha: Double, private val looks: Looks = ONE_LOOK) {
    /** At the level 1 − [alpha]; null for a single sample. */
    fun interval(ratio: Spread): Interval? = ratio.estimate(1 - alpha, looks).interval

    /**
     * The largest difference that [ratio] may have, as 0.04 for 4 % in either direction, by two one-sided tests with the error [alpha] each: the farther
     * end of the interval at the level 1 − 2 [alpha] (Schuirmann 1987). Null for a single sample, and on the plain scale.
     */
    fun most(ratio: Spread): Double? {
        val isJudged = ratio.n >= 2 && ratio.scale == Scale.LOGARITHM
        return if (isJudged) expm1(at(ratio.n, ratio.freedom).farther(ratio)) else null
    }

    /** The two-sided p of "the ratio is 1": at most [alpha] exactly where [interval] does not contain 1. */
    fun p(ratio: Spread): Double = min(1.0, pOfOne(ratio) * alpha / (1 - looks.levelAt(ratio.n, alpha)))

    /** After [n] samples, with so many degrees of [freedom]. */
    internal fun at(n: Int, freedom: Double) = At(n, freedom)

    /** Quantiles of Student's t, computed as they are needed: of many cells, that takes most of the time of their comparisons. */
    internal inner class At(n: Int, freedom: Double) {
        private val difference by lazy { studentQuantile((1 + looks.levelAt(n, alpha)) / 2, freedom) }
        private val equivalence by lazy { studentQuantile((1 + looks.levelAt(n, min(2 * alpha, MOST))) / 2, freedom) }

        fun farther(ratio: Spread) = abs(ratio.mean) + equivalence * ratio.standardError

        /** Whether a logarithm of [mean] differs from 1, lies in the zone, or has an interval within ± [exact]. */
        fun decides(mean: Double, standardError: Double, exact: Double): Boolean = difference * standardError < abs(mean) ||
            abs(mean) + equivalence * standardError <= ln(zone.high) || exp(difference * standardError) - 1 <= exact
    }

    /** Whether no sample is to come after [n]. After an early end, more can be planned. */
    internal fun isOverAfter(n: Int) = looks.run { first < last && last == planned && n >= last }
}

/** An interval at the level 0 is a point. */
private const val MOST = 0.5
