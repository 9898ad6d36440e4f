package bootdyno.plan

import bootdyno.keys.MOST_OPEN_RATES
import bootdyno.keys.OPEN_RATES
import bootdyno.keys.Quantity
import bootdyno.keys.inFiles
import bootdyno.model.AxisPoint
import bootdyno.model.CellId
import bootdyno.model.CellKey
import bootdyno.model.MeasuringProtocol
import bootdyno.model.NamedProfile
import bootdyno.model.OpenRate
import bootdyno.model.Workload
import bootdyno.yaml.Cursor
import bootdyno.yaml.EmptyNode
import bootdyno.yaml.ListNode
import bootdyno.yaml.Place
import bootdyno.yaml.Problems
import bootdyno.yaml.suggestion

/**
 * The cells of an experiment in display order, and all names that refer to them.
 *
 * [unread]: declared names of invalid workloads and profiles. References to them are not reported as further problems.
 */
internal class Grid(
    variants: List<String>,
    workloads: List<Workload>,
    profiles: List<NamedProfile>,
    private val unread: Set<String>,
) {
    val cells: List<GridCell> = variants.flatMap { variant ->
        workloads.filter { it.on.isEmpty() || variant in it.on }.flatMap { workload ->
            profiles.map { GridCell(variant, workload, it, profiles) }
        }
    }

    /**
     * The cell named at [cursor]; without protocol and engine in the name, the cell in each of them, in the file's order. Empty after a problem,
     * or if the reason was already reported.
     */
    fun cells(cursor: Cursor, text: String? = cursor.text()): List<GridCell> {
        if (text == null) return emptyList()
        val named = cells.filter { it.id.text == text }.ifEmpty { cells.filter { it.shortId == text } }
        if (named.isEmpty() && cells.isNotEmpty() && !isUnread(text)) cursor.problem("there is no cell `$text`", hint(text))
        return named
    }

    /** Whether [cells] would find [text]. */
    fun names(text: String): Boolean = cells.any { it.id.text == text || it.shortId == text }

    /** The cells of the line [name], in each protocol and engine; empty if it is not swept. */
    fun line(name: String): List<GridCell> = cells.filter { it.line == name && it.point != null }

    /** A pattern without a matching cell is a problem, because it would silently measure less than intended. */
    fun checkPattern(pattern: String, cursor: Cursor) {
        if (cells.isNotEmpty() && cells.none { it.fits(pattern) }) {
            cursor.problem("`$pattern` matches no cell", suggestion(pattern, cells.map { it.id.text }, "cells"))
        }
    }

    private fun isUnread(text: String): Boolean {
        val workload = text.substringAfter('/').substringBefore('@').substringBefore('+')
        return workload in unread || unread.any { '@' in text && text.substringAfter('@').startsWith(it) }
    }

    private fun hint(text: String): String? {
        val point = line(text).firstOrNull()?.point
        val declared = cells.map { it.key.profileAtValue }.distinct()
        return when {
            point != null -> "name the value too: $text+${point.axis}=${point.text}"
            declared.size > 1 && '@' !in text -> "name the profile too: $text@${declared.first()}"
            else -> suggestion(text, cells.map { it.id.text }, "cells")
        }
    }
}

/** A cell with its names. The profile's name is optional if it is the only one in [among]. */
internal class GridCell(val variant: String, val workload: Workload, val profile: NamedProfile, among: List<NamedProfile>) {
    val key = CellKey(variant, workload, profile)
    val id = CellId("$variant/${workload.name}" + if (among.size > 1) "@${profile.name}" else "")

    /** The id without protocol and engine. */
    val shortId: String = key.nameAmong(among.map { it.point?.named ?: it.declared })

    /** The name without protocol, engine and swept value: `tomcat/cpu0`. */
    val line: String = "$variant/${workload.declared}" +
        if (among.distinctBy { it.declared }.size > 1) "@${profile.declared}" else ""
    val point: AxisPoint? = workload.point ?: profile.point
    val isSteady: Boolean = profile.protocol == MeasuringProtocol.STEADY

    /** Names of its operations; null for a script, because scripts are not parsed. */
    val operations: List<String>? = if (profile.engine.script == null) workload.operations else null

    /** Whether [pattern], with `*` for any text, matches one of its names. */
    fun fits(pattern: String): Boolean = listOf(id.text, shortId, line).any { matches(pattern, it) }

    /** Rates for this cell, ascending: those of the first matching pattern in [asked]. Empty for cells without a capacity. */
    fun latencyAt(asked: Map<String, List<OpenRate>>): List<OpenRate> {
        val rates = asked.entries.find { profile.hasCapacity && fits(it.key) }?.value.orEmpty().distinct()
        return rates.filterIsInstance<OpenRate.Share>().sortedBy { it.share } +
            rates.filterIsInstance<OpenRate.PerSecond>().sortedBy { it.perSecond }
    }
}

/** The cells that `only` keeps: those that match a pattern of the file *and* one of the flag, as far as given. */
internal class OnlyFilter(private val grid: Grid, file: Cursor?, flag: List<String>, problems: Problems) {
    private val written = file?.list()?.mapNotNull { item -> item.text()?.also { grid.checkPattern(it, item) } }.orEmpty()

    val kept: List<GridCell> = grid.cells.filter { fits(it, written) && fits(it, flag) }

    /** Patterns that keep the same cells in the resolved file. */
    val patterns: List<String> = if (flag.isEmpty()) written else kept.map { it.id.text }

    init {
        fun flagged(typed: String) = Cursor(EmptyNode(Place("--only $typed")), "only", problems)
        flag.forEach { grid.checkPattern(it, flagged(it)) }
        if (kept.isEmpty() && grid.cells.isNotEmpty() && problems.none) {
            flagged(flag.joinToString(" ")).problem("leaves no cell: the file's own `only` has none of these")
        }
    }

    private fun fits(cell: GridCell, patterns: List<String>) = patterns.isEmpty() || patterns.any { cell.fits(it) }
}

private const val EVERY_CELL = "*"

/**
 * Rates for latency measurements under open load: `[ 50 %, 80 %, 300/s ]` for every cell, or by pattern, `{ "tomcat*": [ 50 %, 80 % ] }`.
 * Percentages are shares of the lowest capacity among the cells that do the same work. Only closed load on a warm subject has a capacity.
 */
internal fun readLatencyAt(cursor: Cursor, grid: Grid): Map<String, List<OpenRate>> = if (cursor.node is ListNode) {
    mapOf(EVERY_CELL to openRates(cursor))
} else {
    cursor.entries().orEmpty().associate { entry ->
        grid.checkPattern(entry.name, entry.value)
        entry.name to openRates(entry.value)
    }
}

private fun openRates(cursor: Cursor): List<OpenRate> {
    val rates = OPEN_RATES.read(cursor).orEmpty()
    if (rates.size > MOST_OPEN_RATES) cursor.problem("has ${rates.size} rates, and a trial measures at most $MOST_OPEN_RATES")
    return rates
}

/** Adds a problem unless [quantity] exists for all [cells]. */
internal fun checkOperation(quantity: Quantity, cells: List<GridCell>, cursor: Cursor) {
    val operation = quantity.operation ?: return
    val without = cells.find { it.operations?.contains(operation) == false }
    when {
        !quantity.measure.ofOperations -> cursor.problem(
            "`${quantity.measure.inFiles}` is of the whole subject, not of one operation",
            "operations have throughput, latencies and errors",
        )

        without == null -> Unit

        without.operations.isNullOrEmpty() -> cursor.problem(
            "`$operation` is no operation of ${without.id}, which is one request",
            "chains and mixes have operations",
        )

        else -> cursor.problem(
            "`$operation` is no operation of ${without.id}",
            suggestion(operation, without.operations, "operations"),
        )
    }
}
