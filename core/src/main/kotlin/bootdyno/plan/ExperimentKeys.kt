package bootdyno.plan

import bootdyno.model.EngineSpec
import bootdyno.model.Experiment
import bootdyno.model.Gate
import bootdyno.model.MeasuringProtocol
import bootdyno.model.Preset
import bootdyno.model.RunPlace
import bootdyno.model.Source
import bootdyno.model.WarmUp

/** Names that may be part of a cell's id, a file name and a gate. */
internal val NAME = Regex("[A-Za-z0-9][A-Za-z0-9._=+-]*")
internal val NAME_TEXT = text("a name", NAME, "letters, digits and . _ = + - only")

private val SEED = parsed("a whole number from -2^63 to 2^63 - 1", typed("integer"), Long::toString) { it.toLongOrNull() }

/** Figures of one cell, or of a line of cells by the values of its axis. */
private val FIGURES_OF_CELL = MapOf(
    Either(FIGURE_OR_ZERO, MapOf(FIGURE_OR_ZERO, "value of the axis"), FIGURE_OR_ZERO::write),
    "[measure](#measures)",
    QUANTITY_NAMES,
)

/** The keys of the file itself, in the order of a resolved file. */
internal object ExperimentKeys :
    OpenShape<Experiment>("experiment", "A question: variants × workloads × profiles under limits, repeated in rounds.") {
    val name by key(NAME_TEXT, "The name of the experiment; the file's when left out.") { it.name }
    val title by key(TEXT, "One line.", required = true) { it.title }
    val question by key(TEXT, "What the experiment answers.") { it.question.ifEmpty { null } }
    val source by key(SourceKeys, "Where the published figures are from. `published` and `claims` need it.") { it.source }
    val extends by key(TEXT, "Another experiment, whose keys this one [inherits](#extending-a-file).") { null }
    val limits by key(LimitsKeys, "What a subject gets of the machine.") { it.limits }
    val place by key(PLACE, "Where subjects run: as processes, or each in a [container](#containers).", name = "in") {
        when (val place = it.place) {
            RunPlace.Process -> null
            is RunPlace.Docker -> place
        }
    }
    val services by key(MapOf(VariantKeys), "Servers that subjects call, [started afresh](#services) for each trial.") {
        it.services.associate { service -> service.name to VariantRead(service.variant, service.subject) }
    }
    val database by key(DATABASE, "The [PostgreSQL](#a-database) that subjects keep their data in.") { it.database }
    val variants by key(MapOf(VariantKeys), "The subjects to compare, each in one configuration.", required = true) {
        it.variants.associate { one ->
            one.name to VariantRead(one, it.subjects.first { subject -> subject.name == one.subject })
        }
    }
    val workloads by key(MapOf(WorkloadKeys), "What a request asks for.", required = true) {
        it.workloads.groupBy { one -> one.declared }
    }
    val profiles by key(MapOf(ProfileKeys), "The load.", required = true) { it.profiles.groupBy { one -> one.declared } }
    val engine by key(
        OneOrMore(ENGINE),
        "The [load generator](engines.md) of the measurement, our own when left out; several are compared. Our own does every warm-up.",
    ) { it.profiles.map { profile -> profile.engine }.distinct().takeIf { engines -> engines != listOf(EngineSpec()) } }
    val only by key(TEXTS, "Patterns of the cells to keep; `*` matches anything: `[ \"tomcat/*\" ]`.") { it.only }
    val baseline by key(TEXT, "The cell that all others are compared with; the first when left out.") { it.baseline?.text }
    val preset by key(
        choice(PRESETS),
        "How thorough to measure. The [preset](#presets) gives what the next keys leave out.",
        Preset.STANDARD,
    ) { it.repetition.preset }
    val rounds by key(wholeNumber(ROUNDS), "How often each cell is measured. Turns adaptive stopping off.") {
        it.repetition.rounds
    }
    val maxRounds by key(wholeNumber(ROUNDS), "The most rounds of adaptive stopping; `rounds` when left out.") {
        it.repetition.maxRounds
    }
    val seed by key(SEED, "Seed of the order of trials.", 1L) { it.repetition.seed }
    val warmUp by key(WarmUpKeys, "How warm a subject is before it is measured.") { it.repetition.warmUp as? WarmUp.Certified }
    val budget by key(duration(BUDGETS), "The longest time for further rounds.") { it.repetition.budget }
    val again by key(FLAG, "Measure the baseline twice a round, to learn what this machine can resolve.") { it.repetition.again }
    val protocol by key(
        OneOrMore(choice<MeasuringProtocol>()),
        "What happens before the window, see [protocols](#protocols). Each cell is measured in each.",
        listOf(MeasuringProtocol.STEADY),
    ) { it.profiles.map { profile -> profile.protocol }.distinct() }
    val latencyAt by key(
        LATENCY_AT,
        "Shares of the measured capacity at which the [latency](#latency-below-the-capacity) is measured too.",
    ) { it.latencyAt }
    val published by key(MapOf(FIGURES_OF_CELL, "cell"), "Figures that an article printed.") {
        it.published.groupBy { figure -> figure.cell.text }
            .mapValues { (_, figures) -> figures.associate { of -> Quantity(of.measure, of.operation).word to of.value } }
    }
    val claims by key(ListOf(ClaimKeys), "What an article says.") { it.claims }
    val gates by key(TEXTS, "Rules to pass or fail: `a/x.throughput >= 1.8 * b/x.throughput`, `a/x.p99 <= 650 ms`.") {
        it.gates.map(Gate::text)
    }
    val presets by key(PresetsKeys, "What the file says otherwise under a preset: `{ quick: { only: [ … ] } }`.") { null }
}

internal object SourceKeys : Shape<Source, Source>("source", "Where the published figures are from.", whole = true) {
    private val key by key(TEXT, "A short name.", required = true) { it.key }
    private val title by key(TEXT, "The title.", required = true) { it.title }
    private val conditions by key(TEXT, "The conditions of that measurement, in a phrase.") { it.conditions }

    override fun make(fields: Fields): Source? =
        Source(fields[key] ?: return null, fields[title] ?: return null, fields[conditions])
}

internal object PresetsKeys : OpenShape<Experiment>("presets", "What the file says otherwise under a preset.") {
    init {
        include(PRESETS.keys.map { Key(it, UnderPreset, "Any keys of the file.", required = false) { null } })
    }
}

/** The file's keys, but those that no preset can change. Its schema is not said twice. */
private object UnderPreset : OpenShape<Experiment>("file", "Any keys of the file.") {
    override val schema = typed("object")
    private val all by lazy { ExperimentKeys.run { include(keys - setOf(name, extends, preset, presets)) } }

    override fun read(cursor: Cursor): Fields? = all.let { fields(cursor) }
}
