package bootdyno.plan

import bootdyno.model.Preset
import kotlin.time.Duration
import kotlin.time.Duration.Companion.hours
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds

internal val PRESETS = words<Preset>()

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

private val QUICK = PresetValues(1, 1, 10.seconds, 4.seconds, 30.seconds, 10.minutes, false)
private val STANDARD = PresetValues(6, 15, 15.seconds, 5.seconds, 60.seconds, 4.hours, true)
private val PAPER = PresetValues(10, 30, 30.seconds, 5.seconds, 60.seconds, 12.hours, true)

internal val Preset.numbers: PresetValues
    get() = when (this) {
        Preset.QUICK -> QUICK
        Preset.STANDARD -> STANDARD
        Preset.PAPER -> PAPER
    }

/** The window a profile gets: its own, which `quick` cuts to its 10 s, or the preset's. */
internal fun Preset.window(asked: Duration?): Duration = when (this) {
    Preset.QUICK -> minOf(asked ?: numbers.window, numbers.window)
    Preset.STANDARD, Preset.PAPER -> asked ?: numbers.window
}
