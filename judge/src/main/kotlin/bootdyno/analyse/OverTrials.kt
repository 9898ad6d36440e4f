package bootdyno.analyse

import bootdyno.model.Measure
import bootdyno.stats.CensoredValue
import bootdyno.stats.Estimate
import bootdyno.stats.Sample
import bootdyno.stats.Scale
import bootdyno.stats.scaleFor
import bootdyno.stats.spreadOfBlocks

/**
 * The mean over trials of a [value] of each: geometric, or arithmetic if one is 0 or the measure [mayBeZero]. Trials without a value are
 * left out; null if none has one. One censored value makes the estimate a bound without an interval.
 *
 * Machines are blocks (see [spreadOfBlocks]). Machines of different CPU models have no common interval: their figures are different
 * quantities.
 */
internal fun List<MeasuredTrial>.estimate(
    mayBeZero: Boolean = false,
    value: (MeasuredTrial) -> CensoredValue?,
): LatencyEstimate? {
    val found = mapNotNull { trial -> value(trial)?.let { trial.machine to it } }
    val samples = found.map { (machine, it) -> Sample(it.value, machine.index) }
    val scale = if (mayBeZero) Scale.PLAIN else scaleFor(samples.map { it.value })
    val estimate = spreadOfBlocks(samples, scale)?.estimate() ?: return null
    val censored = found.any { (_, it) -> it.censored }
    val hasInterval = !censored && found.map { (machine, _) -> machine }.areComparable
    return LatencyEstimate(if (hasInterval) estimate else estimate.copy(interval = null), censored)
}

/** [estimate] of values that are never censored. */
internal fun List<MeasuredTrial>.mean(mayBeZero: Boolean = false, value: (MeasuredTrial) -> Double?): Estimate? =
    estimate(mayBeZero) { trial -> value(trial)?.let(::uncensored) }?.estimate

/** [mean] of the values of [measure] that [values] has. */
internal fun List<MeasuredTrial>.mean(measure: Measure, values: (MeasuredTrial) -> Map<Measure, Double>): Estimate? =
    mean(measure.mayBeZero) { values(it)[measure] }

/** One machine, or several of one known CPU model. */
internal val List<MachineOfTrial>.areComparable: Boolean
    get() = distinct().size < 2 || map { it.cpu }.distinct().singleOrNull() != null
