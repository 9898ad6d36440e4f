package bootdyno.plan

import bootdyno.model.MeasuringProtocol
import bootdyno.model.Repetition
import bootdyno.model.WarmUp

internal object WarmUpKeys : OpenShape<WarmUp.Certified>("warm-up", "How warm a subject is before it is measured.") {
    val lawLike by key(duration(WARM_UP_TIMES), "For workloads that set `holds`.") { it.lawLike }
    val budget by key(duration(WARM_UP_TIMES), "The longest warm-up of the other workloads.") { it.budget }
}

/**
 * How often and how long: a flag beats the file, the file its preset. A preset given as a flag replaces the file's preset *and* the
 * numbers beside it, else it would change nothing on a resolved file; only what the file says for that very preset ([ofPreset]) stays,
 * and what another flag sets.
 */
internal fun readRepetition(fields: Fields, overrides: Overrides, ofPreset: Set<String> = emptySet()): Repetition {
    val set = overrides.set.map { it.substringBefore('=').substringBefore('.').trim() }
    val preset = overrides.preset ?: fields[ExperimentKeys.preset]

    // Everything is read, so that every problem is found, even of what a flag then replaces.
    fun <T : Any> own(key: Key<*, T>): T? = fields[key].takeIf {
        overrides.preset == null || key.name in ofPreset ||
            key.name in set
    }
    val ofFile = own(ExperimentKeys.rounds)
    val mostOfFile = own(ExperimentKeys.maxRounds)
    checkRounds(fields)
    val rounds = overrides.rounds ?: ofFile
    val most = mostOfFile.takeIf { overrides.rounds == null } ?: rounds ?: preset.numbers.maxRounds
    val warmUp = own(ExperimentKeys.warmUp)
    return Repetition(
        preset = preset,
        seed = overrides.seed ?: fields[ExperimentKeys.seed],
        rounds = rounds ?: preset.numbers.rounds,
        maxRounds = maxOf(most, rounds ?: preset.numbers.rounds),
        warmUp = WarmUp.Certified(
            warmUp?.get(WarmUpKeys.lawLike) ?: preset.numbers.lawLike,
            warmUp?.get(WarmUpKeys.budget) ?: preset.numbers.warmUpBudget,
        ),
        budget = own(ExperimentKeys.budget) ?: preset.numbers.budget,
        again = own(ExperimentKeys.again) ?: preset.numbers.again,
    )
}

private fun checkRounds(fields: Fields) {
    val rounds = fields[ExperimentKeys.rounds] ?: return
    val most = fields[ExperimentKeys.maxRounds] ?: return
    if (most < rounds) fields.at(ExperimentKeys.maxRounds)?.problem("is less than rounds, $rounds")
}

/** `article`, or `[ article, steady ]`: each cell is measured in each. What a flag gives replaces it. */
internal fun readProtocols(fields: Fields, overrides: Overrides): List<MeasuringProtocol> {
    val written = fields[ExperimentKeys.protocol]
    return overrides.protocols.ifEmpty { written }.distinct().ifEmpty { listOf(MeasuringProtocol.STEADY) }
}
