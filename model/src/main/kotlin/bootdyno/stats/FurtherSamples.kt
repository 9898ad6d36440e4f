package bootdyno.stats

import java.util.Random
import kotlin.math.abs
import kotlin.math.ln
import kotlin.math.sqrt

/** Nobody repeats a measurement more often than this to decide it. */
const val MOST_FURTHER = 200

private const val FUTURES = 201
private const val SEED = 1L

/**
 * How many further samples it takes until the interval at [level] excludes 1 or lies in [zone], judged after each sample, if mean and
 * deviation are those of [ratio]: the median of simulated continuations with a fixed seed. The number at which the expected interval decides
 * would be about half more, because chance decides earlier. Null beyond [MOST_FURTHER], and for a single sample, whose deviation is unknown.
 */
fun furtherSamples(ratio: Spread, zone: Zone, level: Double): Int? {
    if (ratio.n < 2 || ratio.scale != Scale.LOGARITHM) return null
    val random = Random(SEED)
    var undecided = List(FUTURES) { Future(ratio) }
    for (further in 1..MOST_FURTHER) {
        val quantile = studentQuantile(1 - (1 - level) / 2, ratio.freedom + further)
        undecided = undecided.onEach { it.add(ratio.mean + ratio.deviation * random.nextGaussian()) }.filterNot {
            val half = quantile * it.standardError
            half < abs(it.mean) || half + abs(it.mean) <= ln(zone.high)
        }
        if (undecided.size <= FUTURES / 2) return further
    }
    return null
}

/** Mean and deviation of a growing sample (Welford 1962). */
private class Future(spread: Spread) {
    var mean = spread.mean
        private set
    private var n = spread.n
    private var freedom = spread.freedom
    private var squares = spread.deviation * spread.deviation * spread.freedom

    val standardError get() = sqrt(squares / freedom / n)

    fun add(sample: Double) {
        val before = sample - mean
        n++
        freedom++
        mean += before / n
        squares += before * (sample - mean)
    }
}
