package bootdyno.plan

import bootdyno.keys.ExperimentKeys
import bootdyno.keys.LimitsKeys
import bootdyno.keys.MOST_CELLS
import bootdyno.model.Cell
import bootdyno.model.CellId
import bootdyno.model.EngineSpec
import bootdyno.model.Experiment
import bootdyno.model.MeasuringProtocol
import bootdyno.model.OpenRate
import bootdyno.model.Plan
import bootdyno.model.RunPlace
import bootdyno.model.Variant
import bootdyno.model.Workload
import bootdyno.model.count
import bootdyno.model.isMentionedBy
import bootdyno.model.placeholders
import bootdyno.yaml.Cursor
import bootdyno.yaml.EmptyNode
import bootdyno.yaml.Entry
import bootdyno.yaml.Fields
import bootdyno.yaml.Key
import bootdyno.yaml.MapNode
import bootdyno.yaml.Place
import bootdyno.yaml.Problems
import bootdyno.yaml.Read

/**
 * Reads an experiment into a plan, or reports all its problems.
 *
 * @param file name of the file in problems; without folder and `.yaml`, it is the experiment's default name
 */
fun readPlan(file: String, text: String, surroundings: Surroundings, overrides: Overrides = Overrides()): Read<Plan> {
    val problems = Problems(surroundings.resolve)
    val root = parseExperiment(file, text, problems)
    val name = file.replace('\\', '/').substringAfterLast('/').removeSuffix(".yaml").removeSuffix(".yml")
    if (root is MapNode) return readTree(root, name, surroundings, overrides, problems)
    root?.let { ExperimentKeys.read(Cursor(it, "", problems)) }
    return Read.Unsound(problems.all())
}

internal fun readTree(
    map: MapNode,
    name: String,
    surroundings: Surroundings,
    overrides: Overrides,
    problems: Problems,
): Read<Plan> {
    val inherited = withPreset(inherit(map, surroundings.include, problems, listOf(name)), overrides.preset, problems)
    val root = Cursor(override(inherited.tree, overrides.set, problems), "", problems)
    val read = ExperimentKeys.read(root)?.let { PlanReading(root, it, surroundings, overrides).read(name, inherited.ofPreset) }
    return if (read != null && problems.none) read else Read.Unsound(problems.all())
}

/** Reads the parts of an experiment in the order of the file, then combines them. */
private class PlanReading(
    private val cursor: Cursor,
    private val fields: Fields,
    private val surroundings: Surroundings,
    private val overrides: Overrides,
) {
    private val problems = cursor.problems
    private val warnings = mutableListOf<String>()

    fun read(defaultName: String, ofPreset: Set<String>): Read<Plan>? {
        val title = fields[ExperimentKeys.title]
        val source = fields[ExperimentKeys.source]
        val limits = fields[ExperimentKeys.limits]?.let { readLimits(it, surroundings.machine) } ?: LimitsKeys.default
        val place = placeOf(fields[ExperimentKeys.place], overrides, problems)
        val repetition = readRepetition(fields, overrides, ofPreset)

        val variantReading = VariantReading(surroundings.subjects, limits, surroundings.machine)
        val services = fields.at(ExperimentKeys.services)?.entries().orEmpty().mapNotNull { readService(it, variantReading) }
        val variantsRead = named(ExperimentKeys.variants).associateWith(variantReading::read)
        val variants = variantsRead.values.filterNotNull()
        val variantNames = variantsRead.keys.map { it.name }
        variantsRead.keys.forEach { checkPlaceholders(it.value, services) }
        val workloadReading = WorkloadReading(variantNames, surroundings.data)
        val workloadsRead = named(ExperimentKeys.workloads).associate { it.name to workloadReading.read(it) }
        val workloads = workloadsRead.values.filterNotNull().flatten()
        val protocols = protocols()
        val profilesRead = named(ExperimentKeys.profiles).associate { it.name to readProfile(it, repetition.preset, protocols) }
        val profiles = byEngine(profilesRead.values.filterNotNull().flatten(), protocols, engines())

        val size = variantNames.size.toLong() * workloads.size * profiles.size
        if (size > MOST_CELLS) {
            val hint = "measure at most ${count(MOST_CELLS)}: fewer variants, or fewer values of a sweep"
            return cursor.problem("makes ${count(size)} cells", hint)
        }
        val unread = (workloadsRead + profilesRead).filterValues { it == null }.keys
        val grid = Grid(variantNames, workloads, profiles, unread)
        val cut = OnlyFilter(grid, fields.at(ExperimentKeys.only), overrides.only, problems)
        variantsRead.forEach { (entry, read) ->
            if (read != null && cut.kept.any { it.variant == entry.name }) checkPlace(place, entry, read)
        }
        // The engine comes from the file or from the flag.
        val engineAt = fields.at(ExperimentKeys.engine).takeIf { overrides.engines.isEmpty() }
        val subjects = variants.associate { it.variant.name to it.subject }
        checkEngines(cut.kept, surroundings.engines, subjects, engineAt ?: Cursor(EmptyNode(Place("--engine")), "", problems))
        val kept = cut.kept.map { it.id }.toSet()
        // Published figures are about the file's requests and load, not about a script.
        val judged = kept - cut.kept.filter { overrides.engines.isNotEmpty() && it.profile.engine.script != null }.map { it.id }
        val claimReading = ClaimReading(source?.key.orEmpty(), grid)
        listOf(ExperimentKeys.published, ExperimentKeys.claims).filter { source == null }.forEach {
            fields.at(it)?.problem("needs a source to name", "add source: { key: …, title: … } with where it was published")
        }
        val published = fields.at(ExperimentKeys.published)?.entries()?.flatMap(claimReading::published).orEmpty()
        val claims = fields[ExperimentKeys.claims]?.flatMap(claimReading::read).orEmpty()
        val gates = fields.at(ExperimentKeys.gates)?.list()?.flatMap(GateReading(grid)::read).orEmpty()
        val baseline = baseline(fields.at(ExperimentKeys.baseline)?.let { grid.cells(it) }.orEmpty(), cut.kept)
        fields.at(ExperimentKeys.titles)?.entries()?.forEach { grid.checkPattern(it.name, it.value) }
        val latencyAt = fields[ExperimentKeys.latencyAt]?.let { readLatencyAt(it, grid) }.orEmpty()

        if (title == null || place == null || !problems.none) return null
        val experiment = Experiment(
            name = fields[ExperimentKeys.name] ?: defaultName,
            title = title,
            question = fields[ExperimentKeys.question].orEmpty(),
            source = source,
            limits = limits,
            subjects = variants.map { it.subject }.distinct(),
            variants = variants.map { it.variant },
            workloads = workloads,
            profiles = profiles,
            only = cut.patterns,
            baseline = baseline,
            published = published.filter { it.cell in judged },
            claims = claims.filter { judged.containsAll(it.cells) },
            gates = gates.filter { kept.containsAll(it.cells) },
            repetition = if (baseline == null) repetition.copy(again = false) else repetition,
            latencyAt = latencyAt,
            services = services,
            database = fields[ExperimentKeys.database],
            compose = fields[ExperimentKeys.compose],
            place = place,
            matters = fields[ExperimentKeys.matters],
            targetRate = fields[ExperimentKeys.targetRate],
            headroom = fields[ExperimentKeys.headroom] ?: 0.0,
            prices = fields[ExperimentKeys.prices],
            capacity = fields[ExperimentKeys.capacity],
            titles = fields[ExperimentKeys.titles].orEmpty(),
        )
        val cells = cut.kept.map {
            experiment.cell(it.id, it.variant, it.workload.name, it.profile.name, it.latencyAt(latencyAt))
        }
        if (experiment.capacity != null && cells.none { it.profile.hasCapacity }) {
            val hint = "declare a profile with closed load and the protocol steady; the load engine is dyno"
            return fields.at(ExperimentKeys.capacity)?.problem("has no cell to search in", hint)
        }
        if (overrides.roundsApart && cells.any { cell -> cell.latencyAt.any { it is OpenRate.Share } }) {
            val hint = "give rates instead (300/s), or measure all rounds in one run, without --round"
            return fields.at(ExperimentKeys.latencyAt)?.problem("has shares of a capacity that the first round measures", hint)
        }
        val all = problems.warnings + warnings + warningsAbout(cells, place) + unusedServices(experiment)
        return Read.Sound(Plan(experiment, cells), all)
    }

    /** `article`, or `[ article, steady ]`; a flag replaces the file's value. */
    private fun protocols(): List<MeasuringProtocol> =
        overrides.protocols.ifEmpty { fields[ExperimentKeys.protocol] }.distinct().ifEmpty { listOf(MeasuringProtocol.STEADY) }

    /** A flag replaces the file's value; both are read, to report all problems. */
    private fun engines(): List<EngineSpec> {
        val read = fields.at(ExperimentKeys.engine)?.let(EngineReading(surroundings.engines)::read).orEmpty()
        return overrides.engines.ifEmpty { read }.ifEmpty { listOf(EngineSpec()) }
    }

    /** The entries of a map that must not be empty. */
    private fun named(key: Key<*, *>): List<Entry> {
        val entries = fields.at(key)?.entries()
        if (entries?.isEmpty() == true) fields.at(key)?.problem("is empty", "name at least one")
        return entries.orEmpty()
    }

    /** With several protocols, the steady one is the default; each protocol has a baseline of its own. */
    private fun baseline(named: List<GridCell>, kept: List<GridCell>): CellId? {
        val candidates = named.filter { it in kept }
            .ifEmpty { kept.filter { it.key.inAnyProtocolByAnyEngine == kept.first().key.inAnyProtocolByAnyEngine } }
        val baseline = candidates.minByOrNull { !it.isSteady }?.id
        if (named.isNotEmpty() && named.none { it in kept } && baseline != null) {
            val lost = named.minBy { !it.isSteady }.id
            warnings += "The baseline $lost is not among the cells left by `only`; $baseline takes its place."
        }
        return baseline.takeIf { kept.size > 1 }
    }
}

/** Warnings about valid but probably unintended input. */
internal fun warningsAbout(cells: List<Cell>, place: RunPlace): List<String> =
    cells.map { it.workload }.distinctBy { it.declared }.flatMap(::unused) +
        cells.flatMap(::unknownEndpoints).distinct() +
        if (place is RunPlace.Docker) cells.map { it.variant }.distinct().mapNotNull(::decidedAtBuild) else emptyList()

/** Checks all variants, because `only` may have removed the ones that use a service. */
internal fun unusedServices(experiment: Experiment): List<String> = experiment.services.filterNot { service ->
    experiment.variants.any { variant ->
        service.isMentionedBy(variant, experiment.subjects.first { it.name == variant.subject })
    }
}.map { "Nothing calls the service ${it.name}: write {${it.placeholders.first()}} into a setting of the variants that do." }

/** Images contain the jar as built: settings still configure its beans, but no longer choose them. */
private fun decidedAtBuild(variant: Variant): String? {
    if (!variant.runtime.springAot || variant.settings.isEmpty()) return null
    return "Variant ${variant.name}: Spring AOT decided on its beans when the jar was built; where " +
        "${variant.settings.keys.joinToString()} would decide which beans there are, it comes too late for an image."
}

/** Parameters and data files that no text of the workload uses. */
private fun unused(workload: Workload): List<String> {
    val used = (workload.login + workload.steps).flatMap { it.texts }.flatMap(::placeholders).toSet()
    val parameters = (workload.parameters.keys - used)
        .map { "Workload ${workload.declared}: nothing in its path, headers or body uses the parameter $it." }
    val data = workload.data?.takeIf { file -> file.columns.none { it in used } } ?: return parameters
    val columns = data.columns.joinToString()
    return parameters + "Workload ${workload.declared}: no step uses a column of ${data.path}, which has $columns."
}

/** Paths that a subject with declared styles does not list; it probably answers 404. */
private fun unknownEndpoints(cell: Cell): List<String> {
    if (cell.subject.styles.isEmpty()) return emptyList()
    val endpoints = cell.subject.styles.map { it.path } + listOfNotNull(cell.subject.readyPath)
    return cell.workload.steps.map { it.path.substringBefore('?') }.distinct().filter { it !in endpoints }
        .map { "${cell.id}: the subject ${cell.subject.name} lists no endpoint $it." }
}
