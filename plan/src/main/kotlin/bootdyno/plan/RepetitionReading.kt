package bootdyno.plan

import bootdyno.keys.ExperimentKeys
import bootdyno.keys.WarmUpKeys
import bootdyno.model.Preset
import bootdyno.model.Repetition
import bootdyno.model.WarmUp
import bootdyno.yaml.Fields
import bootdyno.yaml.Key
import kotlin.time.Duration
import kotlin.time.Duration.Companion.hours
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds

/** The values of a preset (docs/experiment.md, "Presets"). */
internal data class PresetValues(
    val rounds: Int,
    val maxRounds: Int,
    val window: Duration,
    val lawLike: Duration,
    val warmUpBudget: Duration,
    val budget: Duration,
    val again: Boolean,
)

private const val STANDARD_ROUNDS_APART = 6

internal val Preset.numbers: PresetValues
    get() = when (this) {
        Preset.QUICK -> PresetValues(1, 1, 10.seconds, 4.seconds, 20.seconds, 10.minutes, false)
        Preset.STANDARD -> PresetValues(3, 15, 15.seconds, 5.seconds, 60.seconds, 4.hours, true)
        Preset.PAPER -> PresetValues(10, 30, 30.seconds, 5.seconds, 60.seconds, 12.hours, true)
    }

/** The window of a profile: its own ([asked]; `quick` limits it to 10 s), else the preset's. */
internal fun Preset.window(asked: Duration?): Duration =
    (asked ?: numbers.window).let { if (this == Preset.QUICK) minOf(it, numbers.window) else it }

/**
 * Reads rounds, times and seed. Flags override the file; the file overrides its preset. A preset given as a flag also replaces the
 * file's values of the same keys, or it would not change a resolved file. Keys in [ofPreset] (the file's `presets`) and of `--set` stay.
 */
internal fun readRepetition(fields: Fields, overrides: Overrides, ofPreset: Set<String>): Repetition {
    val stays = ofPreset + overrides.set.map { it.substringBefore('=').substringBefore('.').trim() }
    val preset = overrides.preset ?: fields[ExperimentKeys.preset]
    val numbers = preset.numbers

    // Read all values, also those that a flag replaces, to report all problems.
    fun <T : Any> own(key: Key<*, T>): T? = fields[key].takeIf { overrides.preset == null || key.name in stays }
    val isSet = overrides.set.any { it.substringBefore('=').trim() == ExperimentKeys.maxRounds.name }
    val written = fields[ExperimentKeys.rounds]
    val mostWritten = fields[ExperimentKeys.maxRounds]
    val least = overrides.rounds?.takeIf { isSet } ?: written
    if (least != null && mostWritten != null && mostWritten < least) {
        fields.at(ExperimentKeys.maxRounds)?.problem("is less than rounds, $least")
    }
    val asked = overrides.rounds ?: own(ExperimentKeys.rounds)
    // Rounds that are measured apart are not added to as they are needed.
    val rounds = asked ?: if (overrides.roundsApart && preset == Preset.STANDARD) STANDARD_ROUNDS_APART else numbers.rounds
    val most = own(ExperimentKeys.maxRounds).takeIf { overrides.rounds == null || isSet } ?: asked
        ?: if (overrides.roundsApart) rounds else numbers.maxRounds
    if (overrides.roundsApart && (own(ExperimentKeys.maxRounds) ?: rounds) != rounds) {
        fields.at(ExperimentKeys.maxRounds)?.problem(
            "adds rounds while they are needed, and --round is one of exactly $rounds",
            "remove it, or set it to $rounds (--set max-rounds=$rounds)",
        )
    }
    val warmUp = own(ExperimentKeys.warmUp)
    return Repetition(
        preset = preset,
        seed = overrides.seed ?: fields[ExperimentKeys.seed],
        rounds = rounds,
        maxRounds = maxOf(most, rounds),
        warmUp = WarmUp.Certified(
            warmUp?.get(WarmUpKeys.lawLike) ?: numbers.lawLike,
            warmUp?.get(WarmUpKeys.budget) ?: numbers.warmUpBudget,
        ),
        budget = own(ExperimentKeys.budget) ?: numbers.budget,
        again = own(ExperimentKeys.again) ?: numbers.again,
        diagnose = overrides.diagnose ?: fields[ExperimentKeys.diagnose],
        fresh = overrides.fresh || fields[ExperimentKeys.fresh] == true,
    )
}
