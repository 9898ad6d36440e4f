package bootdyno.plan

import bootdyno.model.CellId

/**
 * What `only` leaves of the grid: cells that match one of the file's patterns *and* one of the flag's, where there are any.
 *
 * A pattern that matches nothing is a problem: it is a typing error, or it would silently measure less than was asked for.
 */
internal class Cut(private val grid: Grid, file: Cursor?, flag: List<String>, private val problems: Problems) {
    private val written = file?.list()?.mapNotNull { item ->
        item.text()?.also { text -> grid.checkPattern(text, item) }
    }.orEmpty()
    private val flagged = flag.onEach { text ->
        grid.checkPattern(text, Cursor(TextNode(text, Place("--only $text")), "only", problems))
    }

    val kept: List<CellId> = grid.cells.filter { fits(it, written) && fits(it, flagged) }.map { it.id }

    /** The patterns that leave the same cells when they are read again. */
    val patterns: List<String> = if (flagged.isEmpty()) written else kept.map { it.text }

    init {
        if (kept.isEmpty() && grid.ids.isNotEmpty() && problems.none) {
            problems.add(
                Place("--only ${flag.joinToString(" ")}"),
                "only",
                "leaves no cell: the file's own `only` has none of these",
            )
        }
    }

    private fun fits(cell: GridCell, patterns: List<String>) = patterns.isEmpty() || patterns.any { cell.fits(it) }
}

/** A pattern that matches no cell is a problem. */
internal fun Grid.checkPattern(pattern: String, cursor: Cursor) {
    if (cells.isNotEmpty() && cells.none { it.fits(pattern) }) {
        cursor.problem("`$pattern` matches no cell", suggestion(pattern, ids.map { it.text }, "cells"))
    }
}
