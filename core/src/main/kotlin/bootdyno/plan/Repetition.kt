package bootdyno.plan

import bootdyno.model.Preset
import bootdyno.model.Repetition
import bootdyno.model.WarmUp
import kotlin.time.Duration
import kotlin.time.Duration.Companion.hours
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds

internal val PRESETS = Preset.entries.associateBy { it.word }

/** What a preset stands for (METHOD §1). */
internal data class PresetValues(
    val rounds: Int,
    val maxRounds: Int,
    val window: Duration,
    val lawLike: Duration,
    val warmUpBudget: Duration,
    val budget: Duration,
    val again: Boolean,
)

internal val Preset.numbers: PresetValues
    get() = when (this) {
        Preset.QUICK -> PresetValues(1, 1, 10.seconds, 4.seconds, 30.seconds, 10.minutes, false)
        Preset.STANDARD -> PresetValues(6, 15, 15.seconds, 5.seconds, 60.seconds, 4.hours, true)
        Preset.PAPER -> PresetValues(10, 30, 30.seconds, 5.seconds, 60.seconds, 12.hours, true)
    }

/** The window a profile gets: its own, which `quick` cuts to its 10 s, or the preset's. */
internal fun Preset.window(asked: Duration?): Duration = when (this) {
    Preset.QUICK -> minOf(asked ?: numbers.window, numbers.window)
    Preset.STANDARD, Preset.PAPER -> asked ?: numbers.window
}

internal object WarmUpKeys : OpenShape<WarmUp.Certified>("warm-up", "How warm a subject is before it is measured.") {
    val lawLike by key(duration(WARM_UP_TIMES), "For workloads that set `holds`.") { it.lawLike }
    val budget by key(duration(WARM_UP_TIMES), "The longest warm-up of the other workloads.") { it.budget }
}

/**
 * How often and how long: a flag beats the file, the file its preset. A preset given as a flag replaces the file's preset *and* the
 * numbers beside it, else it would change nothing on a resolved file; only what the file says for that very preset ([ofPreset]) stays,
 * and what another flag sets.
 */
internal fun readRepetition(fields: Fields, overrides: Overrides, ofPreset: Set<String>): Repetition {
    val stays = ofPreset + overrides.set.map { it.substringBefore('=').substringBefore('.').trim() }
    val preset = overrides.preset ?: fields[ExperimentKeys.preset]
    val numbers = preset.numbers

    // Everything is read, so that every problem is found, even of what a flag then replaces.
    fun <T : Any> own(key: Key<*, T>): T? = fields[key].takeIf { overrides.preset == null || key.name in stays }
    val written = fields[ExperimentKeys.rounds]
    val mostWritten = fields[ExperimentKeys.maxRounds]
    if (written != null && mostWritten != null && mostWritten < written) {
        fields.at(ExperimentKeys.maxRounds)?.problem("is less than rounds, $written")
    }
    val asked = overrides.rounds ?: own(ExperimentKeys.rounds)
    val rounds = asked ?: numbers.rounds
    val most = own(ExperimentKeys.maxRounds).takeIf { overrides.rounds == null } ?: asked ?: numbers.maxRounds
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
    )
}
