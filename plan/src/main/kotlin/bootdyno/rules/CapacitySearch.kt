package bootdyno.rules

import bootdyno.model.RATES_IN_A_DECADE
import bootdyno.model.REQUEST_RATES
import java.math.BigDecimal
import java.math.MathContext
import kotlin.math.log10
import kotlin.math.pow
import kotlin.math.roundToInt

/** Steps from the first rate outwards, until one rate meets the objective and another does not: 5 %, 26 %, then doubling. At most tenfold. */
private val OUTWARD = listOf(2, 10, 30, 30, 30)

/** One rate of a search. [met]: whether the objective was met; null if the load generator could not offer the rate. */
data class TriedRate(val step: Int, val met: Boolean?)

/**
 * Requests per second of a [step]: 10^(step / 100) to three digits. All trials, cells and runs try the same rates, so that their response times
 * at a rate can be compared.
 */
fun searchRate(step: Int): Double = BigDecimal(10.0.pow(step.toDouble() / RATES_IN_A_DECADE)).round(MathContext(3)).toDouble()

/** The step with the rate nearest to [perSecond], which is above 0. */
fun searchStep(perSecond: Double): Int = (RATES_IN_A_DECADE * log10(perSecond)).roundToInt()

/**
 * The next step of a search for the highest rate that meets the objective. It goes from [start] outwards until one rate meets it and one
 * does not, then bisects until these are neighbours. A rate that the load generator could not offer is tried a second time, since other
 * processes may have taken its CPU. Null when the search is over: also after [OUTWARD] without an end, and at the limits of rates.
 */
fun nextStep(start: Int, tried: List<TriedRate>): Int? {
    val last = tried.lastOrNull() ?: return start.takeIf { searchRate(it) in REQUEST_RATES }
    if (last.met == null && tried.count { it.step == last.step } == 1) return last.step
    val (met, missed) = bracket(tried)
    val outward = OUTWARD.getOrNull(tried.distinctBy { it.step }.size - 1)
    val next = when {
        met != null && missed != null -> Math.floorDiv(met + missed, 2).takeIf { it > met }
        met != null -> outward?.let { met + it }
        missed != null -> outward?.let { missed - it }
        else -> null
    }
    return next?.takeIf { searchRate(it) in REQUEST_RATES }
}

/** The lowest step that [missed] the objective, and the highest below it that [met] it; null: none yet. Of two attempts the second counts. */
data class Bracket(val met: Int?, val missed: Int?)

/** What the rates that were [tried] say of the capacity. */
fun bracket(tried: List<TriedRate>): Bracket {
    val outcomes = tried.associate { it.step to it.met }
    val missed = outcomes.filterValues { it != true }.keys.minOrNull()
    return Bracket(outcomes.filterValues { it == true }.keys.filter { missed == null || it < missed }.maxOrNull(), missed)
}
