package bootdyno.plan

import bootdyno.model.LoadProfile
import bootdyno.model.MeasuringProtocol
import bootdyno.model.NamedProfile

private const val EVERY_CELL = "*"

/**
 * At which shares of a cell's capacity its latency is measured under open load: `[ 50 %, 80 % ]` for every cell, or by pattern,
 * `{ "tomcat*": [ 50 %, 80 % ] }`. Capacity is what closed load on a warm subject finds, so other cells have no such points.
 */
internal fun readLatencyAt(cursor: Cursor, grid: Grid): Map<String, List<Double>> = when (cursor.node) {
    is ListNode -> mapOf(EVERY_CELL to shares(cursor))

    is MapNode, is TextNode, is EmptyNode -> cursor.entries().orEmpty().associate { entry ->
        grid.checkPattern(entry.name, entry.value)
        entry.name to shares(entry.value)
    }
}

private fun shares(cursor: Cursor): List<Double> = cursor.list().orEmpty().mapNotNull { item ->
    val share = item.value("a percentage", "write 50 %", ::parsePercent)
    if (share != null && share >= 1) {
        item.problem("open load at the capacity and above has no steady latency", "write less than 100 %: 50 %, 80 %, 90 %")
    } else {
        share
    }
}

/** The shares for one cell, ascending; the first pattern that means it decides. */
internal fun latencyAt(asked: Map<String, List<Double>>, cell: GridCell): List<Double> =
    asked.entries.find { cell.fits(it.key) }?.value.orEmpty().distinct().sorted()

internal fun hasCapacity(profile: NamedProfile): Boolean =
    profile.load is LoadProfile.Closed && profile.protocol == MeasuringProtocol.STEADY && profile.engine.own
