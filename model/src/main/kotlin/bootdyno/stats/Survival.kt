package bootdyno.stats

import kotlin.math.max

/** [value], seen [count] times. */
data class Counted(val value: Double, val count: Long)

/** A [value]; if [censored], a lower bound. */
data class CensoredValue(val value: Double, val censored: Boolean)

/** Share of values above each value, estimated from values and lower bounds. */
class SurvivalCurve internal constructor(private val steps: List<Step>, private val largest: Double) {
    internal data class Step(val value: Double, val survivors: Double)

    /**
     * The smallest value with a survival of at most 1 − [p] (without censoring: the inverse of the empirical distribution function, type 1 of
     * Hyndman & Fan 1996). If the curve never falls that far: the largest value, censored. [p] is from 0 (smallest value) to 1 (largest).
     */
    fun quantile(p: Double): CensoredValue {
        require(p in 0.0..1.0) { "a quantile is asked for from 0 to 1: $p" }
        val reached = firstWith(1 - p + ROUNDING)
        return if (reached == null) CensoredValue(largest, true) else CensoredValue(reached.value, false)
    }

    /**
     * The area under the curve up to the largest value (Irwin 1949). Censored, a lower bound, if the survival beyond it exceeds [negligible].
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
}

/** Far below 1 / the largest possible count, and far above the rounding error of the product. */
private const val ROUNDING = 1e-10

/**
 * The product-limit estimator of Kaplan & Meier 1958 from [seen] values and lower bounds [beyond]. At a tie the seen value comes first, as in
 * the paper. [entered]: where the observation of some of them began, as far as not at 0; below that they were not at risk to be seen (left
 * truncation: Turnbull 1976; Klein & Moeschberger 2003, §4.6). Assumes that entry and censoring are independent of the value. No value is
 * negative. Null without values.
 */
fun survivalOf(seen: List<Counted>, beyond: List<Counted>, entered: List<Counted> = emptyList()): SurvivalCurve? {
    val events = seen.filter { it.count > 0 }
        .groupBy { it.value }.mapValues { (_, same) -> same.sumOf { it.count } }.toSortedMap()
    val cuts = beyond.filter { it.count > 0 }.sortedBy { it.value }
    if (events.isEmpty() && cuts.isEmpty()) return null
    val entries = entered.filter { it.count > 0 }.sortedBy { it.value }
    var atRisk = events.values.sum() + cuts.sumOf { it.count } - entries.sumOf { it.count }
    var survivors = 1.0
    var cut = 0
    var entry = 0
    val steps = events.map { (value, count) ->
        while (entry < entries.size && entries[entry].value <= value) atRisk += entries[entry++].count
        while (cut < cuts.size && cuts[cut].value < value) atRisk -= cuts[cut++].count
        // The curve reaches 0 only when no longer ones are still to enter.
        val left = max(atRisk - count, if (entry < entries.size) 1L else 0L)
        survivors *= left.toDouble() / (left + count)
        atRisk -= count
        SurvivalCurve.Step(value, survivors)
    }
    val largest = max(steps.lastOrNull()?.value ?: 0.0, cuts.lastOrNull()?.value ?: 0.0)
    return SurvivalCurve(steps, largest)
}
