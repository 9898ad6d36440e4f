package bootdyno.plan

import bootdyno.model.EngineSpec
import bootdyno.model.Experiment
import bootdyno.model.Gate
import bootdyno.model.MeasuringProtocol
import bootdyno.model.Preset
import bootdyno.model.RunPlace
import bootdyno.model.Service
import bootdyno.model.Source
import bootdyno.model.WarmUp

private val SEED = Scalar("a whole number", typed("integer"), Long::toString) { cursor ->
    cursor.value("a whole number from -2^63 to 2^63 - 1") { it.toLongOrNull() }
}

/** Figures of one cell, or of a line of cells by the values of its axis. */
private val FIGURES_OF_CELL = MapOf(
    Either(FIGURE_OR_ZERO, MapOf(FIGURE_OR_ZERO, "value of the axis"), make = FIGURE_OR_ZERO::write),
    "[measure](#measures)",
    QUANTITY_NAMES,
)

/** The keys of the file itself, in the order of a resolved file. */
internal object ExperimentKeys :
    Shape<Experiment>("experiment", "A question: variants × workloads × profiles under limits, repeated in rounds.") {
    val name = key("name", NAME_TEXT, "The name of the experiment.", absent = "the file's name") { it.name }
    val title = key("title", TEXT, "One line.", required = true) { it.title }
    val question = key("question", TEXT, "What the experiment answers.") { it.question.ifEmpty { null } }
    val source =
        key("source", SourceKeys, "Where the published figures are from. `published` and `claims` need it.") { it.source }
    val extends = key("extends", TEXT, "Another experiment, whose keys this one [inherits](#extending-a-file).") { null }
    val limits = key("limits", LimitsKeys, "What a subject gets of the machine.") { it.limits }
    val place = key("in", PLACE, "Where subjects run: as processes, or each in a [container](#containers).", "`process`") {
        it.place as? RunPlace.Docker
    }
    val services =
        key("services", MapOf(VariantKeys), "Servers that subjects call, [started afresh](#services) for each trial.") {
            it.services.associate { service ->
                when (service) {
                    is Service.Program -> service.name to VariantRead(service.variant, service.subject)
                }
            }
        }
    val database = key("database", DATABASE, "The [PostgreSQL](#a-database) that subjects keep their data in.") { it.database }
    val variants = key("variants", MapOf(VariantKeys), "The subjects to compare, each in one configuration.", required = true) {
        it.variants.associate { variant ->
            variant.name to
                VariantRead(variant, it.subjects.first { one -> one.name == variant.subject })
        }
    }
    val workloads = key("workloads", MapOf(WORKLOAD), "What a request asks for.", required = true) {
        it.workloads.groupBy { workload -> workload.declared }
    }
    val profiles = key("profiles", MapOf(PROFILE), "The load.", required = true) {
        it.profiles.groupBy { profile -> profile.declared }
    }
    val engine = key(
        "engine",
        OneOrMore(ENGINE),
        "The [load generator](engines.md) of the measurement; several are compared. The warm-up always uses our own.",
        "`dyno`",
    ) { it.profiles.map { profile -> profile.engine }.distinct().takeIf { engines -> engines != listOf(EngineSpec()) } }
    val only = key("only", TEXTS, "Patterns of the cells to keep, `*` matches anything: `[ \"tomcat/*\" ]`.", "all") { it.only }
    val baseline =
        key("baseline", TEXT, "The cell that all others are compared with.", absent = "the first cell") { it.baseline?.text }
    val preset =
        key("preset", choice(PRESETS), "How thorough to measure: a [preset](#presets).", Preset.STANDARD) { it.protocol.preset }
    val rounds =
        key("rounds", wholeNumber(ROUNDS), "How often each cell is measured. Turns adaptive stopping off.", "the preset's") {
            it.protocol.rounds
        }
    val maxRounds =
        key("max-rounds", wholeNumber(ROUNDS), "Adaptive stopping ends after at most this many.", "`rounds`, else the preset's") {
            it.protocol.maxRounds
        }
    val seed = key("seed", SEED, "Seed of the order of trials.", 1L) { it.protocol.seed }
    val warmUp = key("warm-up", WarmUpKeys, "How warm a subject is before it is measured.", "the preset's") {
        it.protocol.warmUp as? WarmUp.Certified
    }
    val budget = key("budget", duration(BUDGETS), "The longest time for further rounds.", "the preset's") { it.protocol.budget }
    val again =
        key("again", FLAG, "Measure the baseline twice a round, to learn what this machine can resolve.", "the preset's") {
            it.protocol.again
        }
    val protocol = key(
        "protocol",
        OneOrMore(choice(words<MeasuringProtocol>())),
        "What happens before the window, see [protocols](#protocols). Each cell is measured in each.",
        listOf(MeasuringProtocol.STEADY),
    ) { it.profiles.map { profile -> profile.protocol }.distinct() }
    val latencyAt = key(
        "latency-at",
        LATENCY_AT,
        "Shares of the measured capacity at which the [latency](#latency-below-the-capacity) is measured too.",
        old = "latencyAt",
    ) { it.latencyAt }
    val published = key("published", MapOf(FIGURES_OF_CELL, "cell"), "Figures that an article printed.") {
        it.published.groupBy { figure -> figure.cell.text }
            .mapValues { (_, figures) -> figures.associate { of -> Quantity(of.measure, of.operation).word to of.value } }
    }
    val claims = key("claims", ListOf(ClaimKeys), "What an article says.") { it.claims }
    val gates = key("gates", TEXTS, "Rules to pass or fail: `a/x.throughput >= 1.8 * b/x.throughput`, `a/x.p99 <= 650 ms`.") {
        it.gates.map(Gate::text)
    }
    val presets =
        key("presets", PresetsKeys, "What the file says otherwise under a preset: `{ quick: { only: [ … ] } }`.") { null }
}

internal object SourceKeys : Shape<Source>("source", "Where the published figures are from.", whole = true) {
    val key = key("key", TEXT, "A short name.", required = true) { it.key }
    val title = key("title", TEXT, "The title.", required = true) { it.title }
    val conditions = key("conditions", TEXT, "The conditions of that measurement, in a phrase.") { it.conditions }
}

/** A YAML text with the keys of an experiment, in their new names; null after a problem that leaves no tree. */
internal fun parseExperiment(file: String, text: String, problems: Problems): Node? =
    parseYaml(file, text, problems)?.let { ExperimentKeys.renamed(it, problems) }
