package bootdyno.plan

import bootdyno.model.MeasuringProtocol
import bootdyno.model.Preset
import bootdyno.model.Protocol
import bootdyno.model.WarmUp

internal val WARM_UP_KEYS = listOf("law-like", "budget")

/** The keys of an experiment that say how often and how long. */
internal val PROTOCOL_KEYS = listOf("preset", "rounds", "max-rounds", "seed", "protocol", "warm-up", "budget", "again")

internal val MEASURING_PROTOCOLS = MeasuringProtocol.entries.associateBy { it.word }

/** The order when neither the file nor a flag gives a seed. */
private const val SEED = 1L

/**
 * How often and how long: a flag beats the file, the file its preset. A preset given as a flag replaces the file's preset *and* the
 * numbers beside it, else it would change nothing on a resolved file; only what the file says for that very preset ([ofPreset]) stays,
 * and what another flag sets.
 */
internal fun readProtocol(fields: Fields, overrides: Overrides, ofPreset: Set<String> = emptySet()): Protocol {
    val set = overrides.set.map { it.substringBefore('=').substringBefore('.').trim() }
    val written = fields["preset"]?.oneOf(PRESETS)
    val preset = overrides.preset ?: written ?: Preset.STANDARD
    val file = FileProtocol(fields)
    fun <T> own(key: String, value: T?): T? = value.takeIf { overrides.preset == null || key in ofPreset || key in set }
    val rounds = overrides.rounds ?: own("rounds", file.rounds)
    val most = own("max-rounds", file.maxRounds).takeIf { overrides.rounds == null } ?: rounds ?: preset.numbers.maxRounds
    return Protocol(
        preset = preset,
        seed = overrides.seed ?: file.seed ?: SEED,
        rounds = rounds ?: preset.numbers.rounds,
        maxRounds = maxOf(most, rounds ?: preset.numbers.rounds),
        warmUp = own("warm-up", file.warmUp(preset)) ?: WarmUp.Certified(preset.numbers.lawLike, preset.numbers.warmUpBudget),
        budget = own("budget", file.budget) ?: preset.numbers.budget,
        again = own("again", file.again) ?: preset.numbers.again,
    )
}

/** `article`, or `[ article, steady ]`: each cell is measured in each. What a flag gives replaces it. */
internal fun readProtocols(cursor: Cursor?, overrides: Overrides): List<MeasuringProtocol> {
    val written = when (cursor?.node) {
        null -> emptyList()
        is ListNode -> cursor.list().orEmpty().mapNotNull { it.oneOf(MEASURING_PROTOCOLS) }
        is TextNode, is EmptyNode, is MapNode -> listOfNotNull(cursor.oneOf(MEASURING_PROTOCOLS))
    }
    return overrides.protocols.ifEmpty { written }.distinct().ifEmpty { listOf(MeasuringProtocol.STEADY) }
}

/** What the file itself says; everything is read, so that every problem is found, even what a flag then replaces. */
private class FileProtocol(fields: Fields) {
    val rounds = fields["rounds"]?.wholeNumber(ROUNDS)
    val maxRounds = fields["max-rounds"]?.wholeNumber(ROUNDS).also { most ->
        if (most != null && rounds != null && most < rounds) fields["max-rounds"]?.problem("is less than rounds, $rounds")
    }
    val seed = fields["seed"]?.value("a whole number from -2^63 to 2^63 - 1") { it.toLongOrNull() }
    val budget = fields["budget"]?.duration(BUDGETS)
    val again = fields["again"]?.boolean()
    private val warmUpFields = fields["warm-up"]?.fields(WARM_UP_KEYS)
    private val lawLike = warmUpFields?.get("law-like")?.duration(WARM_UP_TIMES)
    private val warmUpBudget = warmUpFields?.get("budget")?.duration(WARM_UP_TIMES)

    fun warmUp(preset: Preset) = WarmUp.Certified(lawLike ?: preset.numbers.lawLike, warmUpBudget ?: preset.numbers.warmUpBudget)
}
