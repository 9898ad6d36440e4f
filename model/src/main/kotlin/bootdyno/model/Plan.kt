package bootdyno.model

import kotlinx.serialization.Serializable

/** `variant/workload`, followed by `@profile` when there are several; a swept workload or profile ends in `+axis=value`. */
@JvmInline
@Serializable
value class CellId(val text: String) : Comparable<CellId> {
    override fun compareTo(other: CellId) = text.compareTo(other.text)

    override fun toString() = text
}

/** One variant × workload × profile under limits, see [Experiment.cell]. */
data class Cell(
    val id: CellId,
    val variant: Variant,
    val subject: Subject,
    val workload: Workload,
    val profile: NamedProfile,
    val limits: Limits,
    /** Rates at which a trial also measures latency under open load, ascending: shares first. */
    val latencyAt: List<OpenRate> = emptyList(),
) {
    val key: CellKey get() = CellKey(variant.name, workload, profile)

    /** Its value on the swept axis; null without a sweep. */
    val point: AxisPoint? get() = workload.point ?: profile.point

    /** The name without axis value: `tomcat/cpu0`. */
    val line: String get() = "${variant.name}/${workload.declared}"

    /** Whether its throughput depends on a pool and a delay, not on the cost of a request: a short warm-up is enough. */
    val lawLike: Boolean get() = workload.lawLike && !profile.certified

    /** The declared style of the workload's path, if any; for a chain, the style that all steps share. */
    val style: Style?
        get() = workload.steps
            .map { step -> subject.styles.find { it.path == step.path.substringBefore('?') } }
            .distinctBy { style -> style?.let { it.name to it.occupies } }
            .singleOrNull()
}

/**
 * Identifies a cell: variant, workload, load, protocol and engine. Cells that differ in only one of these have equal keys without it.
 */
data class CellKey(
    val variant: String,
    /** With its swept value. */
    val workload: String,
    /** The declared name; [load] has the swept value. */
    val profile: String,
    /** The value of a swept load. */
    val load: AxisPoint?,
    /** Null: any. */
    val protocol: MeasuringProtocol?,
    /** Null: any. */
    val engine: EngineSpec?,
) {
    constructor(variant: String, workload: Workload, profile: NamedProfile) :
        this(variant, workload.name, profile.declared, profile.point, profile.protocol, profile.engine)

    val inAnyProtocol: CellKey get() = copy(protocol = null)
    val byAnyEngine: CellKey get() = copy(engine = null)
    val inAnyProtocolByAnyEngine: CellKey get() = copy(protocol = null, engine = null)

    /** `saturate+connections=50` */
    val profileAtValue: String get() = load?.named ?: profile

    /** The cell's name without protocol and engine; without the profile if [among], the names of all profiles, has only one. */
    fun nameAmong(among: Collection<String>): String =
        "$variant/$workload" + if (among.distinct().size > 1) "@$profileAtValue" else ""
}

/**
 * One new process, measured once for one cell. [again] marks the second measurement of the baseline in a round (A/A). A trial that is repeated,
 * because it was disturbed or not warm, keeps its number: [attempt] 2 is its repetition.
 */
@Serializable
data class Trial(val number: Int, val round: Int, val cell: CellId, val again: Boolean = false, val attempt: Int = 1)

/** Whether each of [cells] is of another variant: a reader knows these, and need not learn what a cell is. */
fun areVariants(cells: List<Cell>): Boolean = cells.distinctBy { it.variant.name }.size == cells.size

/** What [cells] are called. */
fun nounOf(cells: List<Cell>): String = if (areVariants(cells)) "variant" else "cell"

/** The cells in display order. [prediction]: of the second cell, which is the first one with a change; null for other experiments. */
data class Plan(val experiment: Experiment, val cells: List<Cell>, val prediction: Prediction? = null) {
    /** The same cells in [other], an experiment with parts of the same names. */
    fun of(other: Experiment): Plan = copy(
        experiment = other,
        cells = cells.map { other.cell(it.id, it.variant.name, it.workload.name, it.profile.name, it.latencyAt) },
    )

    /**
     * The limits of the cell with the most CPUs: the load engine is placed once for all of them. Servers that already ran have none. If there
     * are no other cells, the engine leaves them the CPUs of the experiment's limits.
     */
    val widestLimits: Limits
        get() {
            val started = cells.filterNot { it.subject.origin is Origin.Url }.map { it.limits }
            return started.maxByOrNull { it.cpus ?: Double.POSITIVE_INFINITY } ?: experiment.limits
        }

    /** The warm-up of a trial of [cell]. */
    fun warmUp(cell: Cell): WarmUp = when (cell.profile.protocol) {
        MeasuringProtocol.STEADY -> experiment.repetition.warmUp
        MeasuringProtocol.ARTICLE, MeasuringProtocol.COLD -> WarmUp.Cold
    }

    /**
     * Whether [cell] starts under its CPU limit, because its start-up is measured: it is measured cold, or the experiment compares forms in which
     * jars run, or has a claim or a gate about start-up.
     */
    fun measuresStartUp(cell: Cell): Boolean = warmUp(cell) is WarmUp.Cold || comparesStartUp

    private val comparesStartUp: Boolean
        get() = cells.any { it.variant.runtime != RuntimeForm.JAR } || judged.any { it in Measure.startUp }

    /** The measures of claims and gates. */
    val judged: Set<Measure>
        get() = experiment.claims.map { it.assertion.measure }.toSet() +
            experiment.gates.flatMap { listOfNotNull(it.left, it.right) }.map { it.measure }

    /** The declared baseline in each protocol and engine. */
    fun baselines(): List<Cell> {
        val declared = cells.find { it.id == experiment.baseline } ?: return emptyList()
        return cells.filter { it.key.inAnyProtocolByAnyEngine == declared.key.inAnyProtocolByAnyEngine }
    }

    /** The baselines that are measured twice in every round. */
    val twice: List<Cell> get() = if (experiment.repetition.again) baselines() else emptyList()

    /** What [cell] does: cells are compared and ranked if they do the same. */
    fun workOf(cell: Cell): Work = Work(cell, cell.workload.declared.takeIf { it in comparedAmongVariants })

    /**
     * Workloads in which the variants are compared with each other only: the baseline's variant has them as others do, and neither a declared
     * wait nor parameters say that they are the work of the baseline.
     */
    private val comparedAmongVariants: Set<String> by lazy {
        val baseline = cells.find { it.id == experiment.baseline } ?: return@lazy emptySet()
        cells.filter { cell -> Work(cell).run { holds == null && parameters.isEmpty() } }
            .groupBy({ it.workload.declared }, { it.variant.name })
            .filter { (workload, variants) ->
                workload != baseline.workload.declared && baseline.variant.name in variants && variants.distinct().size > 1
            }.keys
    }

    private val sharing: Map<Work, List<Cell>> by lazy {
        cells.filter { cell -> cell.latencyAt.any { it is OpenRate.Share } }.groupBy(::workOf)
    }

    /** The cells that do the work of [cell] and measure latency at shares of the lowest capacity among them. */
    fun sharing(cell: Cell): List<Cell> = sharing[workOf(cell)].orEmpty()

    /**
     * Cells with a second trial at the end of the first round: the rate of their open load depends on the capacities of several cells, which
     * are not known before.
     */
    val twiceAtFirst: List<Cell> by lazy { sharing.values.filter { it.size > 1 }.flatten() }

    /** Whether [trial] measures latency under open load after its window, if its cell does. */
    fun measuresOpenLoad(trial: Trial): Boolean = trial.round > 1 || trial.again || twiceAtFirst.none { it.id == trial.cell }

    /** Whether a diagnosis follows the window of [trial]. Cold cells have none: their load does not go on. */
    fun diagnoses(trial: Trial): Boolean = cell(trial.cell).profile.protocol != MeasuringProtocol.COLD &&
        when (experiment.repetition.diagnose) {
            DiagnosedTrials.OFF -> false
            DiagnosedTrials.ONCE, DiagnosedTrials.OBSERVE -> trial.round == 1 && !trial.again
            DiagnosedTrials.ALWAYS -> true
        }

    /**
     * Trial numbers of [round]: one trial per cell, one more per baseline that is measured twice and, in the first round, one more per cell of
     * [twiceAtFirst].
     */
    fun numbersOf(round: Int): IntRange {
        val perRound = cells.size + twice.size
        val more = (twiceAtFirst - twice.toSet()).size
        return if (round == 1) 1..perRound + more else more + (round - 1) * perRound + 1..more + round * perRound
    }

    /** The rounds that a machine measures if it is to measure [some]; empty: all, with those that adaptive stopping may add. */
    fun roundsToMeasure(some: List<Int>): List<Int> = some.ifEmpty { (1..experiment.repetition.maxRounds).toList() }

    /** The services that [cell] needs. */
    fun services(cell: Cell): List<Service> = experiment.services.filter { it.isMentionedBy(cell.variant, cell.subject) }

    fun cell(id: CellId): Cell = cells.find { it.id == id } ?: error("no cell $id in the plan")
}
