package bootdyno.report

import bootdyno.analyse.Sweep
import bootdyno.analyse.SweptLine
import bootdyno.model.Measure
import bootdyno.model.Stack
import bootdyno.model.exact
import bootdyno.model.listed
import bootdyno.model.significant

/** The curves along each swept axis: what is served, what it is by the plain handler of the same stack, and from where on that pays. */
internal fun sweepSection(report: Report): Section? {
    val sweeps = report.drawnSweeps
    if (sweeps.isEmpty()) return null
    val blocks = sweeps.groupBy { it.axis }.flatMap { (axis, ofAxis) -> charts(report, axis, ofAxis) + tables(report, ofAxis) }
    val certainty = if (report.indicative) "One round, no intervals" else "Bars are 95 % intervals"
    val lead =
        "$certainty. Both axes are logarithmic. Ratios compare with the plain handler of the same stack. A tick at 1 " +
            "marks where a line becomes better, the band its interval. Arrow: a lower bound. Faint and dashed: published. " +
            latencyMeaning(report.measured.map { it.cell })
    return Section("sweep", "Results by ${listed(sweeps.map { it.axis }.distinct())}", lead, blocks)
}

/** Sweeps with something to draw: two values or more, and something measured. A cut may have left a single value. */
internal val Report.drawnSweeps: List<Sweep>
    get() = analysis.sweeps.filter { valuesOf(it).size > 1 && measuredOf(it).isNotEmpty() }

/** Lines of [sweep] of which something was measured. */
internal fun Report.measuredOf(sweep: Sweep): List<SweptLine> =
    sweep.lines.filter { swept -> swept.points.any { analysis.cell(it.cell)?.throughput != null } }

/** A sweep is called after its profile only where there are several. */
internal fun titled(text: String, sweep: Sweep, all: List<Sweep>): String = if (all.size == 1) text else "$text, ${sweep.profile}"

/** Two protocols stand beside each other measure by measure; a single one has its ratio beside it. */
private fun charts(report: Report, axis: String, sweeps: List<Sweep>): List<Block> {
    val draw = SweepDrawing(report, "sweep-$axis", sweeps)
    val kinds = listOf(Measure.THROUGHPUT, Measure.P99).flatMap { measure ->
        listOf(sweeps.mapNotNull { draw.values(it, measure) }, sweeps.mapNotNull { draw.ratios(it, measure) })
    }
    val rows = if (sweeps.size == 1) kinds.flatten().chunked(2) else kinds.flatMap { it.chunked(2) }
    return rows.filter { it.isNotEmpty() }.map { Beside(it) }
}

private fun tables(report: Report, sweeps: List<Sweep>): List<Block> = sweeps.flatMap { sweep ->
    listOfNotNull(
        heading(titled("Requests/s by ${sweep.axis}", sweep, sweeps)),
        valuesTable(report, sweep),
        payTable(report, sweep)?.let { heading(titled("Where it pays", sweep, sweeps)) },
        payTable(report, sweep),
    )
}

private fun heading(text: String) = Paragraph(text, Tone.STRONG, heading = true)

private fun valuesTable(report: Report, sweep: Sweep): Table {
    val swept = report.measuredOf(sweep)
    val values = valuesOf(sweep)
    return Table(
        caption = "Requests a second by ${sweep.axis}",
        columns = listOf(Column("line", importance = 0)) + values.map { Column(exact(it), right = true) },
        rows = swept.map { one -> Row(listOf(nameOf(report, one)) + values.map { served(report, one, it) }) },
    )
}

internal fun valuesOf(sweep: Sweep): List<Double> = sweep.lines.flatMap { it.points }.map { it.value }.distinct().sorted()

internal fun nameOf(report: Report, swept: SweptLine) = Words(swept.name, hint = report.styleOf(swept), mark = report.mark(swept))

private fun served(report: Report, swept: SweptLine, value: Double): Words {
    val cell = swept.points.find { it.value == value }?.let { report.analysis.cell(it.cell) } ?: return Words("", Tone.DIM)
    val throughput = cell.throughput ?: return Words("–", Tone.DIM)
    return Words(significant(throughput.value), hint = range(throughput))
}

/** Lines keep one mark in all charts and tables, of whatever protocol. */
internal fun Report.mark(swept: SweptLine): Mark {
    val names = analysis.sweeps.flatMap { it.lines }.map { it.name }.distinct()
    return Mark.nth(names.indexOf(swept.name), stackOf(swept))
}

internal fun Report.stackOf(swept: SweptLine): Stack =
    analysis.cell(swept.points.first().cell)?.cell?.subject?.stack ?: error("no cell of $swept in the analysis")

internal fun Report.styleOf(swept: SweptLine): String? = analysis.cell(swept.points.first().cell)?.cell?.let(::styleOf)
