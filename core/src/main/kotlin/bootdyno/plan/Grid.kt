package bootdyno.plan

import bootdyno.model.AxisPoint
import bootdyno.model.CellId
import bootdyno.model.CellKey
import bootdyno.model.MeasuringProtocol
import bootdyno.model.NamedProfile
import bootdyno.model.Workload

/**
 * The cells an experiment describes, in display order, by every name a reference may give them.
 *
 * [unread] are workloads and profiles with problems of their own, by their declared names: a reference to one of them is not
 * reported as a second problem.
 */
internal class Grid(
    variants: List<String>,
    workloads: List<Workload>,
    private val profiles: List<NamedProfile>,
    private val unread: Set<String>,
) {

    val cells: List<GridCell> = variants.flatMap { variant ->
        workloads.filter { it.on.isEmpty() || variant in it.on }.flatMap { workload ->
            profiles.map { GridCell(variant, workload, it, profiles) }
        }
    }
    val ids: List<CellId> = cells.map { it.id }

    /**
     * The cell called [text]; without its protocol and engine that cell in each of them, in the file's order. Empty after a problem, or when the
     * reason was reported elsewhere.
     */
    fun cells(text: String, problem: (String, String?) -> Nothing?): List<CellId> {
        val found = cells.filter { it.id.text == text }.ifEmpty { cells.filter { it.inAnyWay == text } }
        if (found.isEmpty() && cells.isNotEmpty() && !isUnread(text)) problem("there is no cell `$text`", hint(text))
        return found.map { it.id }
    }

    fun cells(cursor: Cursor): List<CellId> = cursor.text()?.let { cells(it, cursor::problem) }.orEmpty()

    /** Whether [text] names a cell, so that [cells] would find it. */
    fun names(text: String): Boolean = cells.any { it.id.text == text || it.inAnyWay == text }

    /** The cells of the line [name] at [value] of its axis, in each protocol and by each engine. */
    fun atPoint(name: String, value: Double): List<CellId> =
        cells.filter { it.line == name && it.point?.value == value }.map { it.id }

    fun cell(id: CellId): GridCell = cells.find { it.id == id } ?: error("no cell $id in the grid")

    /** [id] and the same cell in the experiment's other protocols and by its other engines. */
    fun inOtherWays(id: CellId): List<CellId> =
        cell(id).key.inAnyWay.let { own -> cells.filter { it.key.inAnyWay == own } }.map { it.id }

    fun steadyFirst(ids: List<CellId>): List<CellId> = ids.sortedBy { cell(it).protocol != MeasuringProtocol.STEADY }

    fun valuesOf(name: String): List<AxisPoint> = cells.filter { it.line == name }.mapNotNull { it.point }.distinct()

    private fun isUnread(text: String): Boolean {
        val workload = text.substringAfter('/').substringBefore('@').substringBefore('+')
        return workload in unread || unread.any { '@' in text && text.substringAfter('@').startsWith(it) }
    }

    private fun hint(text: String): String? {
        val points = valuesOf(text)
        val declared = cells.map { it.key.profileAtValue }.distinct()
        return when {
            points.isNotEmpty() -> "name the value too: $text+${points.first().axis}=${points.first().text}"
            declared.size > 1 && '@' !in text -> "name the profile too: $text@${declared.first()}"
            else -> suggestion(text, ids.map { it.text }, "cells")
        }
    }
}

/** A cell by its names, of which that of the profile need not be said where it is the only one [among] all. */
internal class GridCell(val variant: String, val workload: Workload, val profile: NamedProfile, among: List<NamedProfile>) {
    val key = CellKey(variant, workload, profile)
    val id: CellId = cellId(variant, workload.name, profile.name, among.size)

    /** The id without protocol and engine. */
    val inAnyWay: String = key.nameAmong(among.map { it.point?.named ?: it.declared })

    /** Neither protocol, engine nor value: `tomcat/cpu0`. */
    val line: String = "$variant/${workload.declared}" +
        if (among.distinctBy { it.declared }.size > 1) "@${profile.declared}" else ""
    val point: AxisPoint? = workload.point ?: profile.point
    val protocol: MeasuringProtocol = profile.protocol

    /** The names of its operations. Null where a script decides, which nobody has read. */
    val operations: List<String>? = if (profile.engine.script == null) workload.operations else null

    /** Whether a pattern, in which `*` stands for anything, means this cell: by any of its names. */
    fun fits(pattern: String): Boolean = listOf(id.text, inAnyWay, line).any { matches(pattern, it) }
}

internal fun cellId(variant: String, workload: String, profile: String, profiles: Int) =
    CellId(if (profiles > 1) "$variant/$workload@$profile" else "$variant/$workload")
