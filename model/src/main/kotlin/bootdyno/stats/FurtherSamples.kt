package bootdyno.stats

import java.util.Random
import kotlin.math.sqrt

/** Nobody repeats a measurement more often than this to decide it. */
const val MOST_FURTHER = 200

private const val FUTURES = 201
private const val SEED = 1L

/**
 * How many further samples it takes until [test] decides, or the interval is within ± [exact], judged after each sample, if mean and deviation are
 * those of [ratio]: the median of simulated continuations with a fixed seed. Null beyond [MOST_FURTHER] and the last look, and for a single sample,
 * whose deviation is unknown.
 */
fun furtherSamples(ratio: Spread, test: RatioRule, exact: Double = 0.0): Int? {
    if (ratio.n < 2 || ratio.scale != Scale.LOGARITHM) return null
    val random = Random(SEED)
    var undecided = List(FUTURES) { Future(ratio) }
    for (further in 1..MOST_FURTHER) {
        if (test.isOverAfter(ratio.n + further - 1)) return null
        val rule = test.at(ratio.n + further, ratio.freedom + further)
        undecided = undecided.onEach { it.add(ratio.mean + ratio.deviation * random.nextGaussian()) }
            .filterNot { rule.decides(it.mean, it.standardError, exact) }
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
    private val ofRounding = spread.varianceOfRounding
    private var squares = spread.deviation * spread.deviation * spread.freedom

    val standardError get() = sqrt(squares / freedom / n + ofRounding)

    fun add(sample: Double) {
        val before = sample - mean
        n++
        freedom++
        mean += before / n
        squares += before * (sample - mean)
    }
}
