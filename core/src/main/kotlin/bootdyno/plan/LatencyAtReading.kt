package bootdyno.plan

import bootdyno.model.LoadProfile
import bootdyno.model.MeasuringProtocol
import bootdyno.model.NamedProfile

private const val EVERY_CELL = "*"
private val SHARES = ListOf(percentage(0.01..0.99, "open load near the capacity and above has no steady latency: 50 %, 80 %"))
private val SHARES_BY_PATTERN = MapOf(SHARES, "pattern of cell ids")

internal val LATENCY_AT = Unread(Either<Any, Map<String, List<Double>>>(SHARES, SHARES_BY_PATTERN, SHARES_BY_PATTERN::write))

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

private fun shares(cursor: Cursor): List<Double> {
    val shares = SHARES.read(cursor).orEmpty()
    if (shares.size > MOST_SHARES) cursor.problem("has ${shares.size} shares, and a trial measures at most $MOST_SHARES")
    return shares.take(MOST_SHARES)
}

/** The shares for one cell, ascending; the first pattern that means it decides. */
internal fun latencyAt(asked: Map<String, List<Double>>, cell: GridCell): List<Double> =
    asked.entries.find { cell.fits(it.key) }?.value.orEmpty().distinct().sorted()

internal fun hasCapacity(profile: NamedProfile): Boolean =
    profile.load is LoadProfile.Closed && profile.protocol == MeasuringProtocol.STEADY && profile.engine.own
