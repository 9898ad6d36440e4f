package bootdyno.report

import bootdyno.explain.Ceiling
import bootdyno.explain.InUse
import bootdyno.model.CellId
import bootdyno.model.exact
import bootdyno.model.perSecond
import bootdyno.model.plural
import bootdyno.model.time

private class LimitInForce(val cell: CellId, val limit: Ceiling)

/** Every limit in force of each cell, with its source and its occupancy; evidence, so it is folded. */
internal fun limitsSection(report: Report): Section? {
    val rows = report.measured.flatMap { cell ->
        report.explanation(cell.cell.id)?.ceilings.orEmpty().map { LimitInForce(cell.cell.id, it) }
    }
    if (rows.none { it.limit.inUse != null }) return null
    val table = table("All limits", rows) {
        text(report.noun) { Words(it.cell.text, mark = report.mark(it.cell)) }
        text("limit") { Words(it.limit.limit.text) }
        text("set by", importance = 2) { Words(it.limit.source) }
        figure("in use, median", importance = 1) { count(it.limit.inUse) { use -> use.median } }
        figure("in use, most", importance = 3) { count(it.limit.inUse) { use -> use.most } }
        figure("waiting, median", importance = 1) { count(it.limit.waiting) { use -> use.median } }
        figure("held for", importance = 2) { row -> row.limit.heldFor?.let { Words(time(it)) } ?: nothing }
        figure("allows", importance = 1) { row -> row.limit.allows?.let { Words(perSecond(it)) } ?: nothing }
    }
    val lead = "Each limit with its units in use and the requests that waited for one, as seen in the diagnosis. " +
        "What it allows: number of units ÷ time for which a request holds one."
    val media = setOf(Medium.HTML, Medium.MARKDOWN)
    return Section("ledger", "All limits", lead, listOf(Folded(plural(rows.size, "limit"), listOf(table))), media)
}

internal fun count(use: InUse?, of: (InUse) -> Double): Words = use?.let { Words(exact(of(it))) } ?: nothing
