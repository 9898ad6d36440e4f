package bootdyno.plan

import bootdyno.model.Cell
import bootdyno.model.CellId
import bootdyno.model.EngineKind
import bootdyno.model.EngineSpec
import bootdyno.model.Experiment
import bootdyno.model.Plan
import bootdyno.model.Subject

/**
 * Reads an experiment into a plan, or reports everything that keeps it from being one.
 *
 * @param file how problems call the file; without folder and `.yaml` it is the experiment's name, unless the file gives one
 * @param subjects those that variants may name
 * @param include the text of an experiment to extend, by name; null when there is none
 * @param engines the load engines there are
 * @param data the file of a chain's data by the name the experiment gives it; null when there is none
 * @param machine where it is to run, when that is known: what limits may ask for
 * @param resolve makes the path of a jar or a script, written in the file, absolute
 */
fun readPlan(
    file: String,
    text: String,
    subjects: List<Subject>,
    include: (String) -> String?,
    overrides: Overrides,
    engines: List<EngineKind> = listOf(EngineKind.OWN),
    data: (String) -> FoundData? = { null },
    machine: Machine? = null,
    resolve: (String) -> String = { it },
): Planned {
    val problems = Problems(resolve)
    val root = parseExperiment(file, text, problems)
    if (root !is MapNode) {
        root?.let { ExperimentKeys.read(Cursor(it, "", problems)) }
        return Planned.Unsound(problems.all())
    }
    val name = file.replace('\\', '/').substringAfterLast('/').removeSuffix(".yaml").removeSuffix(".yml")
    return readTree(root, name, subjects, include, overrides, engines, data, problems, machine)
}

internal fun readTree(
    map: MapNode,
    name: String,
    subjects: List<Subject>,
    include: (String) -> String?,
    overrides: Overrides,
    engines: List<EngineKind>,
    data: (String) -> FoundData?,
    problems: Problems,
    machine: Machine? = null,
): Planned {
    val inherited = withPreset(inherit(map, include, problems, listOf(name)), overrides.preset, problems)
    val whole = override(inherited.tree, overrides.set, problems)
    val reading = PlanReading(Cursor(whole, "", problems), overrides, inherited.ofPreset, engines, data, machine)
    val read = reading.read(name, VariantReading(subjects))
    return if (read != null && problems.none) read else Planned.Unsound(problems.all())
}

/** Reads the nouns of one experiment in the order of the file, then puts them together. */
private class PlanReading(
    private val cursor: Cursor,
    private val overrides: Overrides,
    private val ofPreset: Set<String>,
    private val kinds: List<EngineKind>,
    private val data: (String) -> FoundData?,
    private val machine: Machine?,
) {
    private val engineReading = EngineReading(kinds)
    private val warnings = mutableListOf<String>()

    fun read(defaultName: String, variantReading: VariantReading): Planned.Sound? {
        val fields = ExperimentKeys.read(cursor) ?: return null
        val name = fields[ExperimentKeys.name] ?: defaultName
        val title = fields[ExperimentKeys.title]
        val question = fields[ExperimentKeys.question]
        val source = fields[ExperimentKeys.source]
        val limits = fields[ExperimentKeys.limits]?.let { readLimits(it, machine) } ?: LimitsKeys.default
        val place = placeOf(fields[ExperimentKeys.place], overrides, cursor.problems)
        val database = fields[ExperimentKeys.database]
        val protocol = readRepetition(fields, overrides, ofPreset)
        val protocols = readProtocols(fields, overrides)

        val services = fields.at(ExperimentKeys.services)?.entries().orEmpty().mapNotNull(ServiceReading(variantReading)::read)
        val variantEntries = fields.at(ExperimentKeys.variants)?.named().orEmpty()
        val variantsRead = variantEntries.map { it to variantReading.read(it) }
        val variants = variantsRead.mapNotNull { (_, read) -> read }
        variantEntries.forEach(Placeholders(services)::check)
        val workloadEntries = fields.at(ExperimentKeys.workloads)?.named().orEmpty()
        val workloadReading = WorkloadReading(variantEntries.map { it.name }, data)
        val workloadsRead = workloadEntries.associate { it.name to workloadReading.read(it) }
        val workloads = workloadsRead.values.filterNotNull().flatten()
        val profileReading = ProfileReading(protocol.preset::window)
        val profilesRead = fields.at(ExperimentKeys.profiles)?.named().orEmpty().associate { it.name to profileReading.read(it) }
        val loads = profilesRead.values.filterNotNull().flatten()
        val profiles = inEveryWay(loads, protocols, engines(fields.at(ExperimentKeys.engine)))

        val size = variantEntries.size.toLong() * workloads.size * profiles.size
        if (size > MOST_CELLS) {
            return cursor.problem(
                "makes ${whole(size)} cells",
                "measure at most ${whole(MOST_CELLS.toLong())}: fewer variants, or fewer values of a sweep",
            )
        }
        val unread = (workloadsRead + profilesRead).filterValues { it == null }.keys
        val grid = Grid(variantEntries.map { it.name }, workloads, profiles, unread)
        val cut = Cut(grid, fields.at(ExperimentKeys.only), overrides.only, cursor.problems)
        val measured = grid.cells.filter { it.id in cut.kept }
        variantsRead.forEach { (entry, read) ->
            if (read != null && measured.any { it.variant == entry.name }) checkPlace(place, entry, read)
        }
        checkEngines(measured, kinds, engineProblem(fields.at(ExperimentKeys.engine)))
        val judged = cut.kept.toSet() - ownScripts(measured)
        val claimReading = ClaimReading(source?.key.orEmpty(), grid)
        if (source == null) listOf(ExperimentKeys.published, ExperimentKeys.claims).forEach { needsSource(fields.at(it)) }
        val published = fields.at(ExperimentKeys.published)?.entries()?.flatMap(claimReading::published).orEmpty()
        val claims = fields[ExperimentKeys.claims]?.flatMap(claimReading::read).orEmpty()
        val gates = fields.at(ExperimentKeys.gates)?.list()?.flatMap(GateReading(grid)::read).orEmpty()
        val baseline = baseline(fields.at(ExperimentKeys.baseline), grid, cut)
        val latencyAt = fields[ExperimentKeys.latencyAt]?.let { readLatencyAt(it, grid) }.orEmpty()

        if (title == null || place == null || !cursor.problems.none) return null
        val experiment = Experiment(
            name = name,
            title = title,
            question = question.orEmpty(),
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
            gates = gates.filter { cut.kept.containsAll(it.cells) },
            repetition = if (baseline == null) protocol.copy(again = false) else protocol,
            latencyAt = latencyAt,
            services = services,
            database = database,
            place = place,
        )
        val cells = cellsOf(experiment, grid).filter { it.id in cut.kept }
        return Planned.Sound(
            Plan(experiment, cells),
            cursor.problems.warnings + warnings + warningsAbout(cells, experiment.place) + unusedServices(experiment),
        )
    }

    /** What a flag gives replaces what the file says; both are read, so that every problem is found. */
    private fun engines(written: Cursor?): List<EngineSpec> {
        val read = engineReading.read(written)
        return overrides.engines.ifEmpty { read }.ifEmpty { listOf(EngineSpec()) }
    }

    /** Tells a problem where the engine was chosen: in the file or by the flag. */
    private fun engineProblem(written: Cursor?): (String, String?) -> Nothing? = { message, hint ->
        when {
            written != null && overrides.engines.isEmpty() -> written.problem(message, hint)
            else -> cursor.problems.add(Place("--engine"), "", message, hint)
        }
    }

    /** Those of [cells] that a script of the reader's own asks: what was published is of the file's requests and load, not of that. */
    private fun ownScripts(cells: List<GridCell>): Set<CellId> {
        if (overrides.engines.isEmpty()) return emptySet()
        return cells.filter { it.profile.engine.script != null }.map { it.id }.toSet()
    }

    private fun needsSource(cursor: Cursor?) =
        cursor?.problem("needs a source to name", "add source: { key: …, title: … } with where it was published")

    private fun Cursor.named(): List<Entry>? = entries()?.also { entries ->
        if (entries.isEmpty()) problem("is empty", "name at least one")
    }

    /** In several protocols it is the steady one, whose verdicts are what one wants to know; each protocol has its own beside it. */
    private fun baseline(cursor: Cursor?, grid: Grid, cut: Cut): CellId? {
        val named = cursor?.let(grid::cells).orEmpty()
        val kept = named.filter { it in cut.kept }
        val other = cut.kept.firstOrNull()
        val candidates = kept.ifEmpty { cut.kept.filter { id -> other in grid.inOtherWays(id) } }
        val baseline = grid.steadyFirst(candidates).firstOrNull()
        if (named.isNotEmpty() && kept.isEmpty() && baseline != null) {
            val lost = grid.steadyFirst(named).first()
            warnings += "The baseline $lost is not among the cells left by `only`; $baseline takes its place."
        }
        return baseline.takeIf { cut.kept.size > 1 }
    }
}

/** The cells of an experiment in display order: variant by variant, workload by workload, profile by profile. */
private fun cellsOf(experiment: Experiment, grid: Grid): List<Cell> = experiment.variants.flatMap { variant ->
    experiment.workloads.filter { it.on.isEmpty() || variant.name in it.on }.flatMap { workload ->
        experiment.profiles.map { profile ->
            val id = cellId(variant.name, workload.name, profile.name, experiment.profiles.size)
            val shares = if (hasCapacity(profile)) latencyAt(experiment.latencyAt, grid.cell(id)) else emptyList()
            experiment.cell(id, variant.name, workload.name, profile.name, shares)
        }
    }
}
