package bootdyno.plan

import bootdyno.model.Preset
import bootdyno.model.Protocol
import bootdyno.model.WarmUp

internal val WARM_UP_KEYS = listOf("law-like", "budget")

/** The keys of an experiment that say how often and how long. */
internal val PROTOCOL_KEYS = listOf("preset", "rounds", "max-rounds", "seed", "cold", "warm-up", "budget", "again")

/** The order when neither the file nor a flag gives a seed. */
private const val SEED = 1L

/**
 * How often and how long: a flag beats the file, the file its preset. A preset given as a flag replaces the file's preset *and* the
 * numbers beside it, else it would change nothing on a resolved file; `cold`, which is part of the question, stays.
 */
internal fun readProtocol(fields: Fields, overrides: Overrides): Protocol {
    val written = fields["preset"]?.oneOf(PRESETS)
    val preset = overrides.preset ?: written ?: Preset.STANDARD
    val file = FileProtocol(fields)
    val own = if (overrides.preset == null) file else null
    val rounds = overrides.rounds ?: own?.rounds
    val most = own?.maxRounds.takeIf { overrides.rounds == null } ?: rounds ?: preset.numbers.maxRounds
    return Protocol(
        preset = preset,
        seed = overrides.seed ?: file.seed ?: SEED,
        rounds = rounds ?: preset.numbers.rounds,
        maxRounds = maxOf(most, rounds ?: preset.numbers.rounds),
        warmUp = if (file.cold) WarmUp.Cold else own?.warmUp(preset) ?: preset.warmUp,
        budget = own?.budget ?: preset.numbers.budget,
        again = own?.again ?: preset.numbers.again,
    )
}

private val Preset.warmUp get() = WarmUp.Certified(numbers.lawLike, numbers.warmUpBudget)

/** What the file itself says; everything is read, so that every problem is found, even what a flag then replaces. */
private class FileProtocol(fields: Fields) {
    val rounds = fields["rounds"]?.wholeNumber(1)
    val maxRounds = fields["max-rounds"]?.wholeNumber(1).also { most ->
        if (most != null && rounds != null && most < rounds) fields["max-rounds"]?.problem("is less than rounds, $rounds")
    }
    val seed = fields["seed"]?.value("a whole number") { it.toLongOrNull() }
    val cold = fields["cold"]?.boolean() ?: false
    val budget = fields["budget"]?.duration()
    val again = fields["again"]?.boolean()
    private val warmUpFields = fields["warm-up"]?.let { cursor ->
        if (cold) cursor.problem("a cold experiment has no warm-up", "remove one of cold and warm-up")
        cursor.fields(WARM_UP_KEYS)
    }
    private val lawLike = warmUpFields?.get("law-like")?.duration()
    private val warmUpBudget = warmUpFields?.get("budget")?.duration()

    fun warmUp(preset: Preset) = WarmUp.Certified(lawLike ?: preset.numbers.lawLike, warmUpBudget ?: preset.numbers.warmUpBudget)
}
