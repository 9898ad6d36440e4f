package bootdyno.stats

import kotlin.math.max

/** [value], seen [count] times. */
data class Counted(val value: Double, val count: Long)

/** A [value], or, when [censored], only a bound: the truth lies at or beyond it. */
data class CensoredValue(val value: Double, val censored: Boolean)

/** The share of values above each value, estimated although some were only seen to be larger than something. */
class SurvivalCurve internal constructor(private val steps: List<Step>, private val largest: Double) {
    internal data class Step(val value: Double, val survivors: Double)

    /**
     * The smallest value at which the survivors are at most 1 − [p] (without censoring: the inverse of the empirical distribution
     * function, type 1 of Hyndman & Fan 1996). Censored when the curve never falls that far: then the value is the largest seen.
     * [p] from 0 (the smallest value) to 1 (the largest).
     */
    fun quantile(p: Double): CensoredValue {
        require(p in 0.0..1.0) { "a quantile is asked for from 0 to 1: $p" }
        val reached = firstWith(1 - p + ROUNDING)
        return if (reached == null) CensoredValue(largest, true) else CensoredValue(reached.value, false)
    }

    /**
     * The area under the curve up to the largest value seen (Irwin 1949). A lower bound, and censored, when a share of more than
     * [negligible] lives on beyond it.
     */
    fun mean(negligible: Double = 0.0): CensoredValue {
        var area = 0.0
        var from = 0.0
        var survivors = 1.0
        for (step in steps) {
            area += survivors * (step.value - from)
            from = step.value
            survivors = step.survivors
        }
        return CensoredValue(area + survivors * (largest - from), survivors > negligible + ROUNDING)
    }

    private fun firstWith(survivors: Double): Step? {
        val found = steps.binarySearch { if (it.survivors > survivors) -1 else 1 }
        return steps.getOrNull(-found - 1)
    }

    private companion object {
        /** Far below one in the most values ever counted, far above the error of the product. */
        const val ROUNDING = 1e-10
    }
}

/**
 * The product-limit estimator of Kaplan & Meier 1958 from [seen] values and [beyond], bounds of values that were not seen to
 * their end. At a tie the seen value comes first, as theirs. It assumes that being cut off says nothing about how long it would
 * have lasted. No value is negative. Null when nothing was seen at all.
 */
fun survivalOf(seen: List<Counted>, beyond: List<Counted>): SurvivalCurve? {
    val events = seen.filter {
        it.count > 0
    }.groupBy { it.value }.mapValues { (_, same) -> same.sumOf { it.count } }.toSortedMap()
    val cuts = beyond.filter { it.count > 0 }.sortedBy { it.value }
    if (events.isEmpty() && cuts.isEmpty()) return null
    var atRisk = events.values.sum() + cuts.sumOf { it.count }
    var survivors = 1.0
    var cut = 0
    val steps = events.map { (value, count) ->
        while (cut < cuts.size && cuts[cut].value < value) atRisk -= cuts[cut++].count
        survivors *= (atRisk - count).toDouble() / atRisk
        atRisk -= count
        SurvivalCurve.Step(value, survivors)
    }
    val largest = max(steps.lastOrNull()?.value ?: 0.0, cuts.lastOrNull()?.value ?: 0.0)
    return SurvivalCurve(steps, largest)
}
