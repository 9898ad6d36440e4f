package bootdyno.stats

import kotlin.math.max
import kotlin.math.min

/** A corrected p of a family: [adjusted] ≤ α decides. [factor]: the multiplier of the original p. */
data class CorrectedP(val adjusted: Double, val factor: Int)

/**
 * Holm's correction: comparing the adjusted p values with α keeps the probability of any false decision in the family below α, with any
 * dependence between them. The k-th smallest of m is multiplied by m − k + 1, and is at least the previous one. Holm 1979, A Simple
 * Sequentially Rejective Multiple Test Procedure. In the given order.
 */
fun holm(family: List<Double>): List<CorrectedP> {
    val adjusted = arrayOfNulls<CorrectedP>(family.size)
    var atLeast = 0.0
    family.indices.sortedBy { family[it] }.forEachIndexed { step, index ->
        val factor = family.size - step
        atLeast = max(atLeast, min(1.0, family[index] * factor))
        adjusted[index] = CorrectedP(atLeast, factor)
    }
    return adjusted.filterNotNull()
}
