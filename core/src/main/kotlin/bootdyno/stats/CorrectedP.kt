package bootdyno.stats

import kotlin.math.max
import kotlin.math.min

/** A p of a family as corrected: [adjusted] ≤ α decides; [factor] is what its own p was multiplied by. */
data class CorrectedP(val adjusted: Double, val factor: Int)

/**
 * The p values of a family, each adjusted so that comparing it with α keeps the chance of any false decision in the family below
 * α, whatever the dependence between them: the k-th smallest of m is multiplied by m − k + 1 and never falls below the one before
 * it. Holm 1979, A Simple Sequentially Rejective Multiple Test Procedure. In the order given.
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
