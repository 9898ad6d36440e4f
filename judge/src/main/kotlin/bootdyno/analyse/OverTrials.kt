package bootdyno.analyse

import bootdyno.model.Measure
import bootdyno.model.RATES_IN_A_DECADE
import bootdyno.stats.CensoredValue
import bootdyno.stats.Estimate
import bootdyno.stats.ONE_LOOK
import bootdyno.stats.Sample
import bootdyno.stats.Scale
import bootdyno.stats.Spread
import bootdyno.stats.scaleFor
import bootdyno.stats.spreadOf
import bootdyno.stats.spreadOfBlocks
import kotlin.math.ln

/**
 * The mean over rounds of a [value] of each trial: geometric, or arithmetic if one is 0 or the measure [mayBeZero]. Several trials of a round count
 * as their mean, because they are not independent. Trials without a value are left out; null if none has one. One censored value makes the estimate
 * a bound without an interval. [step]: see [Spread.roundedTo].
 *
 * Machines are blocks (see [spreadOfBlocks]). Machines of different CPU models have no common interval: their figures are different
 * quantities.
 */
internal fun List<MeasuredTrial>.estimate(
    mayBeZero: Boolean = false,
    step: Double = 0.0,
    value: (MeasuredTrial) -> CensoredValue?,
): LatencyEstimate? {
    val values = mapNotNull { trial -> value(trial)?.let { ValueOfTrial(trial, it) } }
    val scale = if (mayBeZero) Scale.PLAIN else scaleFor(values.map { it.value.value })
    val looks = firstOrNull()?.looks ?: ONE_LOOK
    val estimate = spreadOfBlocks(values.meansOfRounds(scale), scale)?.roundedTo(step)?.estimate(looks = looks) ?: return null
    val censored = values.any { it.value.censored }
    val interval = estimate.interval?.takeIf { values.map { it.trial.machine }.areComparable }
    return LatencyEstimate(estimate.copy(interval = interval?.takeUnless { censored }), censored, interval?.takeIf { censored })
}

/** Between the possible values of a capacity, on the logarithm. */
internal val Measure.step: Double get() = if (this == Measure.CAPACITY) ln(10.0) / RATES_IN_A_DECADE else 0.0

internal class ValueOfTrial(val trial: MeasuredTrial, val value: CensoredValue)

/** One sample a round, on the machine of that round. */
internal fun List<ValueOfTrial>.meansOfRounds(scale: Scale): List<Sample> =
    groupBy { it.trial.round }.values.mapNotNull { ofRound ->
        spreadOf(ofRound.map { it.value.value }, scale)?.let { Sample(it.point, ofRound.first().trial.machine.index) }
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
