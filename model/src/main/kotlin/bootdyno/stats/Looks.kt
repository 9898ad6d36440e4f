package bootdyno.stats

import org.apache.commons.statistics.distribution.NormalDistribution
import org.apache.commons.statistics.distribution.TDistribution
import java.util.Collections
import kotlin.math.abs
import kotlin.math.asinh
import kotlin.math.ln
import kotlin.math.max
import kotlin.math.min
import kotlin.math.pow
import kotlin.math.sinh
import kotlin.math.sqrt
import kotlin.math.tanh

/**
 * The sample sizes at which a growing sample is judged: [first] samples, and each further one up to [last]. Whoever may stop at any of them needs
 * intervals that hold at all of them together: repeated confidence intervals (Jennison, Turnbull 1989), here Student's at [levelAt]. [planned]: the last
 * size as it was planned, if something else than the samples, such as the time, ended them earlier.
 */
data class Looks(val first: Int, val last: Int, val planned: Int = last) {
    init {
        require(first in 1..last && last <= planned) { "looks go from the first size to the last: $first, $last of $planned" }
    }

    /**
     * The two-sided level of Student's interval of [n] samples with which all intervals of these looks hold together with the probability
     * 1 − [alpha]. The error is spent as a power of n / planned (Lan, DeMets 1983; Kim, DeMets 1987), [SPENT_FIRST] of it at the first look, and what
     * is left of it at the last one. Before the first look its level holds, after the last one that of the last: nobody stops there.
     */
    fun levelAt(n: Int, alpha: Double): Double {
        val from = max(first, FEWEST)
        if (from >= last) return 1 - alpha
        val levels = Spending(from, last, planned, alpha).let { LEVELS.getOrPut(it, it::levels) }
        return levels[(n - from).coerceIn(levels.indices)]
    }
}

/** One sample has no interval. */
private const val FEWEST = 2

/** Computed once each: the same few for all analyses of a run. */
private val LEVELS = Collections.synchronizedMap(HashMap<Spending, DoubleArray>())

/** The number of samples was fixed beforehand. */
val ONE_LOOK = Looks(1, 1)

/** The part of the error that the first look may spend: most runs should not end there. */
private const val SPENT_FIRST = 0.25

/**
 * The levels by the exact joint distribution of Student's t of growing normal samples. Let r = Σx / √(n Σx²), which t = √(n − 1) · r / √(1 − r²)
 * depends on alone. If the mean is 0, r₁ … rₙ do not depend on Σx² (Basu 1955), so xₙ₊₁ / √Σx² is a t of n degrees of freedom divided by √n, whatever
 * they were, and r is a Markov chain: its distribution without those that were stopped is carried from look to look on a grid, as Armitage, McPherson
 * and Rowe 1969 did for a known variance. The error of the grid is below 1 % of a level's distance from 1 (`LooksTest`).
 */
private data class Spending(val first: Int, val last: Int, val planned: Int, val alpha: Double) {
    private val power = ln(SPENT_FIRST) / ln(first / planned.toDouble())

    private fun spent(n: Int) = if (n == last) alpha else alpha * (n / planned.toDouble()).pow(power)

    fun levels(): DoubleArray {
        val levels = DoubleArray(last - first + 1)
        var going = Going.startingAt(first, spent(first))
        levels[0] = 1 - spent(first)
        for (n in first + 1..last) {
            val (cut, error) = going.next(spent(n) - spent(n - 1))
            levels[n - first] = 1 - error
            going = cut
        }
        return levels
    }
}

/** What goes on after a look, and the two-sided p from which on it was cut. */
private data class Cut(val going: Going, val error: Double)

/**
 * The probability [mass] of |r| after [n] samples, as far as it went on, at equal distances of the angle artanh |r| from 0 to [most].
 */
private class Going(private val n: Int, private val most: Double, private val mass: DoubleArray) {
    /** After one more sample, without the outermost part, which has the probability [spent]. */
    fun next(spent: Double): Cut {
        val t = TDistribution.of(n.toDouble())
        val farthest = angle(t.inverseSurvivalProbability(spent / 2), n + 1)
        val reached = DoubleArray(NODES + 1)
        var outside = carry(reached, farthest)
        // From the outside inwards until the error is spent; within a node linearly.
        var node = NODES
        while (node > 0 && outside + reached[node] < spent) outside += reached[node--]
        val share = if (reached[node] > 0) ((spent - outside) / reached[node]).coerceIn(0.0, 1.0) else 0.0
        val limit = min(farthest, (node + HALF - share) * farthest / NODES)
        reached.fill(0.0, node + 1)
        reached[node] *= 1 - share
        val error = 2 * t.survivalProbability(sqrt(n.toDouble()) * sinh(limit))
        return Cut(Going(n + 1, farthest, reached), error)
    }

    /** Adds to [reached] where one more sample leads; returns the probability of what is beyond [farthest]. */
    private fun carry(reached: DoubleArray, farthest: Double): Double {
        val samples = samplesAfter(n)
        var outside = 0.0
        for (node in mass.indices) {
            if (mass[node] == 0.0) continue
            val r = tanh(node * most / NODES) * sqrt(n.toDouble())
            for (i in samples.indices) {
                val w = samples[i]
                val next = abs(r + w) / sqrt((n + 1) * (1 + w * w))
                val part = mass[node] * WEIGHTS[i]
                val at = HALF * ln((1 + next) / (1 - next)) / farthest * NODES
                if (at >= NODES) {
                    outside += part
                } else {
                    val below = at.toInt()
                    reached[below] += part * (below + 1 - at)
                    reached[below + 1] += part * (at - below)
                }
            }
        }
        return outside
    }

    companion object {
        fun startingAt(n: Int, spent: Double): Going {
            val t = TDistribution.of(n - 1.0)
            val most = angle(t.inverseSurvivalProbability(spent / 2), n)
            fun below(angle: Double) = 1 - 2 * t.survivalProbability(sqrt(n - 1.0) * sinh(angle))
            val edges = DoubleArray(NODES + 2) { below(((it - HALF) * most / NODES).coerceIn(0.0, most)) }
            return Going(n, most, DoubleArray(NODES + 1) { edges[it + 1] - edges[it] })
        }

        private fun angle(t: Double, n: Int) = asinh(t / sqrt(n - 1.0))
    }
}

private const val NODES = 200
private const val HALF = 0.5

/** Farthest normal quantile of the next sample, and the distance of those that are taken. */
private const val FARTHEST = 5.0
private const val APART = 0.08

private val QUANTILES = generateSequence(-FARTHEST) { it + APART }.takeWhile { it <= FARTHEST }.toList()
private val WEIGHTS = NormalDistribution.of(0.0, 1.0).let { normal ->
    QUANTILES.map { normal.density(it) }.let { all -> DoubleArray(all.size) { all[it] / all.sum() } }
}
private val SAMPLES = Collections.synchronizedMap(HashMap<Int, DoubleArray>())

/** The next sample after [n], divided by the root of their sum of squares: a t of n degrees of freedom by √n, at the normal quantiles. */
private fun samplesAfter(n: Int): DoubleArray = SAMPLES.getOrPut(n) {
    val t = TDistribution.of(n.toDouble())
    val normal = NormalDistribution.of(0.0, 1.0)
    DoubleArray(QUANTILES.size) { i ->
        val tail = t.inverseSurvivalProbability(normal.survivalProbability(abs(QUANTILES[i]))) / sqrt(n.toDouble())
        if (QUANTILES[i] < 0) -tail else tail
    }
}
