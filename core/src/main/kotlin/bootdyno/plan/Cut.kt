package bootdyno.plan

import bootdyno.model.CellId

/**
 * What `only` leaves of the grid: cells that match one of the file's patterns *and* one of the flag's, where there are any.
 *
 * A pattern that matches nothing is a problem: it is a typing error, or it would silently measure less than was asked for.
 */
internal class Cut(private val grid: Grid, file: Cursor?, flag: List<String>, private val problems: Problems) {
    private val written = file?.list()?.mapNotNull { item -> item.text()?.also { text -> check(text, item) } }.orEmpty()
    private val flagged = flag.onEach { text -> check(text, Cursor(TextNode(text, Place("--only $text")), "only", problems)) }

    val kept: List<CellId> = grid.ids.filter { fits(it, written) && fits(it, flagged) }

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

    private fun fits(id: CellId, patterns: List<String>) = patterns.isEmpty() || patterns.any { matches(it, id.text) }

    private fun check(pattern: String, cursor: Cursor) {
        val someFit = grid.ids.isEmpty() || grid.ids.any { matches(pattern, it.text) }
        if (!someFit) cursor.problem("`$pattern` matches no cell", suggestion(pattern, grid.ids.map { it.text }, "cells"))
    }
}
