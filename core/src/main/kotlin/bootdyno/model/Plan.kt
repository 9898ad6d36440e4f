package bootdyno.model

import kotlinx.serialization.Serializable

/** `variant/workload`, followed by `@profile` when the experiment has several profiles. */
@JvmInline
@Serializable
value class CellId(val text: String) : Comparable<CellId> {
    override fun compareTo(other: CellId) = text.compareTo(other.text)

    override fun toString() = text
}

/** One variant × workload × profile under limits. */
@Serializable
data class Cell(
    val id: CellId,
    val variant: Variant,
    val subject: Subject,
    val workload: Workload,
    val profile: NamedProfile,
    val limits: Limits,
) {
    /** The declared style behind the workload's path, if the subject's descriptor names it. */
    val style: Style? get() = subject.styles.find { it.path == workload.path.substringBefore('?') }
}

/** One fresh process, measured once for one cell. [again] marks the baseline's second measurement of a round (A/A). */
@Serializable
data class Trial(val number: Int, val round: Int, val cell: CellId, val again: Boolean = false)

/** The cells in display order, and how the trials of a round are ordered. */
@Serializable
data class Plan(val experiment: Experiment, val cells: List<Cell>) {
    fun cell(id: CellId): Cell = cells.find { it.id == id } ?: error("no cell $id in the plan")
}
