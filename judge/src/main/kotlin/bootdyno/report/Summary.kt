package bootdyno.report

import bootdyno.model.CellId
import bootdyno.model.Measure
import bootdyno.model.fitted
import bootdyno.model.plural
import bootdyno.report.Column.WhenTight
import kotlin.math.roundToInt

/**
 * The end of a run on a terminal of 24 rows: a bar for each of the best cells, why, the worst doubt, the next step, where the report is, and the
 * verdict in the last lines. [bars]: at most so many.
 */
fun summary(report: Report, bars: Int = MOST_BARS): Page {
    val screen = firstScreen(report)
    val answer = listOf(Paragraph(screen.badge.words, screen.badge.sign.tone), Paragraph(screen.verdict, Tone.STRONG))
    return Page(
        title = report.experiment.title,
        question = "",
        conditions = screen.line.drop(2).map { Fact("", it) },
        sections = listOf(
            Section("bars", "", null, barsOf(report, bars)),
            Section("facts", "", null, listOf(Facts(factsOf(report, screen)))),
            Section("answer", "", null, answer),
        ).filter { it.blocks.isNotEmpty() },
    )
}

internal const val MOST_BARS = 6

/** The best cells of the first kind of work. */
private fun barsOf(report: Report, bars: Int): List<Block> {
    val group = report.analysis.groups.firstOrNull { it.ranks.isNotEmpty() } ?: return emptyList()
    val rows = report.barsOf(group).map { Ranked(report.cell(it.cell), it) } + group.unranked.map { Ranked(it, null) }
    val shown = if (rows.size <= bars) rows else rows.take(bars - 1)
    val others = report.analysis.cells.size - shown.size
    val more = Paragraph("… and $others more: --verbose", Tone.DIM).takeIf { others > 0 }
    return listOfNotNull(barTable(report, shown, group.baseline), more)
}

private fun barTable(report: Report, rows: List<Ranked>, baseline: CellId?): Table {
    val most = rows.mapNotNull { report.barOf(it.cell)?.value }.maxOrNull()?.takeIf { it > 0 } ?: 1.0
    val isCapacity = report.experiment.capacity != null
    val unit = when {
        isCapacity -> "capacity/s"
        rows.first().cell.isBurst -> "99 % s"
        else -> "requests/s"
    }
    return table("Bars", rows, emphasised = { it.cell.cell.id == baseline }) {
        text(report.noun) { Words(fitted(report.titled(it.cell.cell.id), LONGEST_NAME)) }
        column(Column("", importance = 2, whenTight = WhenTight.DROP, media = setOf(Medium.TERMINAL))) { row ->
            Words(
                report.barOf(row.cell)?.let { "█".repeat((BAR * it.value / most).roundToInt().coerceAtLeast(1)) }.orEmpty(),
                Tone.DIM,
            )
        }
        figure(unit, importance = 0) { row ->
            when {
                row.rank == null -> unmeasured(report, row.cell)
                isCapacity -> capacityOf(row.cell)
                else -> withInterval(row.cell.rankedBy, Tone.STRONG)
            }
        }
        if (!isCapacity) figure("p99 ms", importance = 1) { latencyOf(it.cell.latency[Measure.P99]) }
    }
}

private const val BAR = 18

/** Fits 80 columns beside bar and figures. */
private const val LONGEST_NAME = 33

private fun factsOf(report: Report, screen: FirstScreen): List<Fact> {
    val doubts = worstDoubts(report)
    val more = if (doubts.size > 1) " (${plural(doubts.size - 1, "more doubt")}: --verbose)" else ""
    val next = screen.tiles.single { it.id == "next" }
    return listOfNotNull(
        screen.why?.let { Fact("Why", it) },
        doubts.firstOrNull()?.let { Fact("Doubt", shortened(it.text) + more) },
        Fact("Next", listOfNotNull(next.words, next.command).joinToString(" ")),
        report.folder?.let { Fact("Report", "${it.trimEnd('/')}/report.html") },
    )
}

/** The rest is in the report. A bracket that is cut is left out. */
internal fun shortened(text: String): String {
    if (text.length <= LONGEST_DOUBT) return text
    val words = text.take(LONGEST_DOUBT).substringBeforeLast(' ')
    return (if ('(' in words.substringAfterLast(')')) words.substringBeforeLast(" (") else words) + " …"
}

private const val LONGEST_DOUBT = 120
