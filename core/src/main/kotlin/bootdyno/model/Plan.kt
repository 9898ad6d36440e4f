package bootdyno.model

import kotlinx.serialization.Serializable

/** `variant/workload`, followed by `@profile` when there are several; a swept workload or profile ends in `+axis=value`. */
@JvmInline
@Serializable
value class CellId(val text: String) : Comparable<CellId> {
    override fun compareTo(other: CellId) = text.compareTo(other.text)

    override fun toString() = text
}

/** One variant × workload × profile under limits. Its parts are those of the experiment: a file names them, see [Experiment.cell]. */
data class Cell(
    val id: CellId,
    val variant: Variant,
    val subject: Subject,
    val workload: Workload,
    val profile: NamedProfile,
    val limits: Limits,
    /** Shares of this cell's measured capacity at which a trial goes on to measure latency under open load, ascending. */
    val latencyAt: List<Double> = emptyList(),
) {
    val key: CellKey get() = CellKey(variant.name, workload, profile)

    /** Its value on the axis that is swept; null where nothing is. */
    val point: AxisPoint? get() = workload.point ?: profile.point

    /** The cells of one variant and workload along an axis: `tomcat/cpu0`. */
    val line: String get() = "${variant.name}/${workload.declared}"

    /** Its throughput follows from a pool and a delay, not from what a request costs: seconds of warm-up do. */
    val lawLike: Boolean get() = workload.lawLike && !profile.certified

    /** The declared style behind the workload's path, if the subject's descriptor names it; of several steps the one that all share. */
    val style: Style?
        get() = workload.steps
            .map { step -> subject.styles.find { it.path == step.path.substringBefore('?') } }
            .distinctBy { style -> style?.let { it.name to it.occupies } }
            .singleOrNull()
}

/**
 * What tells a cell from the others of its experiment: its variant, its workload, its load, and the way it is measured, which is protocol
 * and engine. Cells that are the same but for one of these are those with equal keys without it.
 */
data class CellKey(
    val variant: String,
    /** With its value, where it is swept. */
    val workload: String,
    /** As declared; with [load] it is the load. */
    val profile: String,
    /** The value of a swept load. */
    val load: AxisPoint?,
    /** Null: whatever it is. */
    val protocol: MeasuringProtocol?,
    /** Null: whatever it is. */
    val engine: EngineSpec?,
) {
    constructor(variant: String, workload: Workload, profile: NamedProfile) :
        this(variant, workload.name, profile.declared, profile.point, profile.protocol, profile.engine)

    val inAnyProtocol: CellKey get() = copy(protocol = null)
    val byAnyEngine: CellKey get() = copy(engine = null)
    val inAnyWay: CellKey get() = copy(protocol = null, engine = null)

    /** `saturate+connections=50` */
    val profileAtValue: String get() = load?.named ?: profile

    /** The cell's name without protocol and engine; [among] are the names of all profiles, of which one need not be said. */
    fun nameAmong(among: Collection<String>): String =
        "$variant/$workload" + if (among.distinct().size > 1) "@$profileAtValue" else ""
}

/** One fresh process, measured once for one cell. [again] marks the baseline's second measurement of a round (A/A). */
@Serializable
data class Trial(val number: Int, val round: Int, val cell: CellId, val again: Boolean = false)

/** The cells in display order, and how the trials of a round are ordered. */
data class Plan(val experiment: Experiment, val cells: List<Cell>) {
    /** The same cells of [other], an experiment with parts of the same names. */
    fun of(other: Experiment): Plan =
        Plan(other, cells.map { other.cell(it.id, it.variant.name, it.workload.name, it.profile.name, it.latencyAt) })

    /** How a trial of [cell] begins. */
    fun warmUp(cell: Cell): WarmUp = when (cell.profile.protocol) {
        MeasuringProtocol.STEADY -> experiment.repetition.warmUp
        MeasuringProtocol.ARTICLE, MeasuringProtocol.COLD -> WarmUp.Cold
    }

    /** The declared baseline, in each protocol and by each engine it is measured. */
    fun baselines(): List<Cell> {
        val declared = cells.find { it.id == experiment.baseline } ?: return emptyList()
        return cells.filter { it.key.inAnyWay == declared.key.inAnyWay }
    }

    /** The numbers of the trials of [round]: every round has one trial of each cell, and one more of each baseline if measured again. */
    fun numbersOf(round: Int): IntRange {
        val perRound = cells.size + if (experiment.repetition.again) baselines().size else 0
        return (round - 1) * perRound + 1..round * perRound
    }

    /** The services that must run while [cell] is measured. */
    fun services(cell: Cell): List<Service> = experiment.services.filter { it.isMentionedBy(cell.variant, cell.subject) }

    fun cell(id: CellId): Cell = cells.find { it.id == id } ?: error("no cell $id in the plan")
}
