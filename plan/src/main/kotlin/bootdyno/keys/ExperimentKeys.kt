package bootdyno.keys

import bootdyno.model.DiagnosedTrials
import bootdyno.model.EngineSpec
import bootdyno.model.Experiment
import bootdyno.model.Gate
import bootdyno.model.Matters
import bootdyno.model.MeasuringProtocol
import bootdyno.model.Preset
import bootdyno.model.RunPlace
import bootdyno.model.Source
import bootdyno.model.WarmUp
import bootdyno.yaml.Cursor
import bootdyno.yaml.Either
import bootdyno.yaml.FLAG
import bootdyno.yaml.Fields
import bootdyno.yaml.Key
import bootdyno.yaml.ListOf
import bootdyno.yaml.MapOf
import bootdyno.yaml.OneOrMore
import bootdyno.yaml.OpenShape
import bootdyno.yaml.Shape
import bootdyno.yaml.TEXT
import bootdyno.yaml.TEXTS
import bootdyno.yaml.TEXTS_BY_NAME
import bootdyno.yaml.Type
import bootdyno.yaml.choice
import bootdyno.yaml.duration
import bootdyno.yaml.oneOf
import bootdyno.yaml.parsed
import bootdyno.yaml.percentage
import bootdyno.yaml.suggestion
import bootdyno.yaml.typed
import bootdyno.yaml.wholeNumber

private val SEED = parsed("a whole number from -2^63 to 2^63 - 1", typed("integer"), Long::toString) { it.toLongOrNull() }

/** Figures of one cell, or of a line: one figure per value of the axis. */
private val FIGURES_OF_CELL = MapOf(
    Either(FIGURE_OR_ZERO, MapOf(FIGURE_OR_ZERO, "value of the axis"), FIGURE_OR_ZERO::write),
    "[measure](#measures)",
    QUANTITY_NAMES,
)

private val A_DIFFERENCE = percentage(0.001..1.0, "write a number and a percent sign: 3 %")

/** `3 %`, or `{ p99: 10 % }` with 3 % for the other measures. */
private val MATTERS = Either(
    A_DIFFERENCE.of({ Matters(it) }, Matters::share),
    MattersByMeasure,
) { matters: Matters -> if (matters.by.isEmpty()) A_DIFFERENCE.write(matters.share) else MattersByMeasure.write(matters) }

private object MattersByMeasure : Type<Matters, Matters>() {
    private val map = MapOf(A_DIFFERENCE, "[measure](#measures)", oneOf(MEASURES.keys))
    override val words get() = map.words
    override val schema get() = map.schema

    override fun read(cursor: Cursor): Matters? = cursor.entries()?.mapNotNull { entry ->
        val measure = MEASURES[entry.name]
            ?: entry.value.problem(
                "`${entry.name}` is not one of ${MEASURES.keys.joinToString(", ")}",
                suggestion(entry.name, MEASURES.keys),
            )
        val share = A_DIFFERENCE.read(entry.value)
        if (measure == null || share == null) null else measure to share
    }?.let { Matters(by = it.toMap()) }

    override fun write(value: Matters) = map.write(value.by.mapKeys { (measure, _) -> measure.inFiles })
}

/** The keys of the file itself, in the order of a resolved file. */
internal object ExperimentKeys :
    OpenShape<Experiment>("experiment", "A question: variants × workloads × profiles under limits, repeated in rounds.") {
    val name by key(NAME_TEXT, "Name of the experiment; by default the file's name.") { it.name }
    val title by key(TEXT, "Title, one line.", required = true) { it.title }
    val question by key(TEXT, "The question that the experiment answers.") { it.question.ifEmpty { null } }
    val source by key(SourceKeys, "Source of the published figures. Required by `published` and `claims`.") { it.source }
    val extends by key(TEXT, "Experiment to [inherit](#extending-a-file) keys from: built in, or a file beside this one.") {
        null
    }
    val limits by key(LimitsKeys, "CPU and memory limits of each subject.") { it.limits }
    val place by key(PLACE, "Run subjects as processes of this machine, or each in a [container](#containers).", name = "in") {
        when (val place = it.place) {
            RunPlace.Process -> null
            is RunPlace.Docker -> place
        }
    }
    val services by key(MapOf(VariantKeys), "Servers that subjects call. Each trial starts [new ones](#services).") {
        it.services.associate { service -> service.name to VariantRead(service.variant, service.subject) }
    }
    val database by key(DATABASE, "[PostgreSQL database](#a-database) of the subjects.") { it.database }
    val compose by key(COMPOSE, "[Compose file](#a-compose-file) with services that subjects need.") { it.compose }
    val variants by key(MapOf(VariantKeys), "Configurations to compare, each of one subject.", required = true) {
        it.variants.associate { one ->
            one.name to VariantRead(one, it.subjects.first { subject -> subject.name == one.subject })
        }
    }
    val workloads by key(MapOf(WorkloadKeys), "Requests to send.", required = true) {
        it.workloads.groupBy { one -> one.declared }
    }
    val profiles by key(MapOf(ProfileKeys), "Load to apply.", required = true) { it.profiles.groupBy { one -> one.declared } }
    val engine by key(
        OneOrMore(ENGINE),
        "[Load generator](engines.md): `dyno` (default; always used for warm-ups), `wrk`, `jmeter`, `gatling` or `k6`.",
    ) {
        val engines = it.profiles.map { profile -> profile.engine.copy(network = null) }.distinct()
        engines.takeIf { engines != listOf(EngineSpec()) }
    }
    val matters by key(
        MATTERS,
        "Smallest difference that matters, for all or by [measure](experiment-keys.md#measures). Smaller ones are equivalent.",
        Matters(),
    ) { it.matters }
    val targetRate by key(
        A_RATE,
        "Request rate for which reports count the instances needed; by default about 10 times the best measured capacity.",
    ) { it.targetRate }
    val headroom by key(
        percentage(0.01..0.9, "write a number and a percent sign: 30 %"),
        "Share of each instance's capacity that stays free when reports count instances.",
    ) { it.headroom.takeIf { share -> share > 0 } }
    val prices by key(PricesKeys, "[Prices](#cost), for the cost of a million requests.") { it.prices }
    val only by key(TEXTS, "Cells to measure; the others are left out. `*` matches any text: `[ \"tomcat/*\" ]`.") { it.only }
    val baseline by key(TEXT, "Cell that the others are compared with, if they do the same work; by default the first.") {
        it.baseline?.text
    }
    val titles by key(
        TEXTS_BY_NAME,
        "Titles of cells in reports, by id: `{ tomcat/orders: Platform threads }`. Others are called by their id.",
    ) { it.titles }
    val preset by key(
        choice(PRESETS),
        "[Preset](#presets): default values of the next keys, from a quick look to a publication.",
        Preset.STANDARD,
    ) { it.repetition.preset }
    val rounds by key(
        wholeNumber(ROUNDS),
        "Number of rounds; each round measures each cell once. Exactly so many without `max-rounds`.",
    ) { it.repetition.rounds }
    val maxRounds by key(wholeNumber(ROUNDS), "Maximum number of rounds with adaptive stopping; by default `rounds`.") {
        it.repetition.maxRounds
    }
    val seed by key(SEED, "Seed of the random order of trials.", 1L) { it.repetition.seed }
    val warmUp by key(WarmUpKeys, "Duration of warm-ups before the measurement.") { it.repetition.warmUp as? WarmUp.Certified }
    val budget by key(duration(BUDGETS), "Time limit for the rounds that adaptive stopping adds.") { it.repetition.budget }
    val again by key(FLAG, "Measure the baseline twice per round: more data for it, and a check for bias.") {
        it.repetition.again
    }
    val diagnose by key(
        choice<DiagnosedTrials>(),
        "After the window, under load: observe [what limits a cell](method.md#diagnosis), `once` per cell or `always`, " +
            "and change suspected limits once. `observe`: once, and change nothing; `off`.",
        DiagnosedTrials.ONCE,
    ) { it.repetition.diagnose }
    val fresh by key(FLAG, "Start a process for each trial, also where variants [share one](method.md#shared-processes).") {
        it.repetition.fresh.takeIf { isFresh -> isFresh }
    }
    val protocol by key(
        OneOrMore(choice<MeasuringProtocol>()),
        "[Warm-up protocol](#protocols) before the measurement. A list measures each cell with each.",
        listOf(MeasuringProtocol.STEADY),
    ) { it.profiles.map { profile -> profile.protocol }.distinct() }
    val latencyAt by key(
        LATENCY_AT,
        "Additional [latency measurements](#latency-below-the-capacity) at these shares of the lowest capacity, or rates.",
        oldName = "latencyAt",
    ) { it.latencyAt }
    val capacity by key(CapacityKeys, "Search for the [highest request rate](#capacity) that meets an objective.") { it.capacity }
    val published by key(MapOf(FIGURES_OF_CELL, "cell"), "Published figures, to compare with the measured ones.") {
        it.published.groupBy { figure -> figure.cell.text }
            .mapValues { (_, figures) -> figures.associate { of -> Quantity(of.measure, of.operation).word to of.value } }
    }
    val claims by key(ListOf(ClaimKeys), "Published claims, to check against the measurement.") { it.claims }
    val gates by key(TEXTS, "Rules for the results: `a/x.throughput >= 1.8 * b/x.throughput`, `a/x.p99 <= 650 ms`.") {
        it.gates.map(Gate::text)
    }
    val presets by key(PresetsKeys, "Values of keys for one preset only: `{ quick: { only: [ … ] } }`.") { null }
}

internal object SourceKeys : Shape<Source, Source>("source", "Source of the published figures.", whole = true) {
    private val key by key(TEXT, "Short name of the source.", required = true) { it.key }
    private val title by key(TEXT, "Title of the source.", required = true) { it.title }
    private val conditions by key(TEXT, "Conditions of that measurement, such as its hardware.") { it.conditions }

    override fun make(fields: Fields): Source? =
        Source(fields[key] ?: return null, fields[title] ?: return null, fields[conditions])
}

internal object PresetsKeys : OpenShape<Experiment>("presets", "Values of keys for one preset only.") {
    init {
        include(PRESETS.keys.map { Key(it, UnderPreset, "Any keys of the file.", required = false) { null } })
    }
}

/** All keys of the file that a preset can change. Their schema is not repeated. */
private object UnderPreset : OpenShape<Experiment>("file", "Any keys of the file.") {
    override val schema = typed("object")
    private val all by lazy { ExperimentKeys.run { include(keys - setOf(name, extends, preset, presets)) } }

    override fun read(cursor: Cursor): Fields? = all.let { fields(cursor) }
}
