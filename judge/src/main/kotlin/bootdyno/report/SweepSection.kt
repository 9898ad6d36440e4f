package bootdyno.report

import bootdyno.analyse.Bound
import bootdyno.analyse.CellAnalysis
import bootdyno.analyse.LatencyEstimate
import bootdyno.analyse.Sweep
import bootdyno.analyse.SweptComparison
import bootdyno.analyse.SweptLine
import bootdyno.model.CellId
import bootdyno.model.Measure
import bootdyno.model.Stack
import bootdyno.model.exact
import bootdyno.model.listed
import bootdyno.model.significant
import bootdyno.stats.Estimate
import bootdyno.stats.Passing

/** Curves along each swept axis: throughput and p99, their ratios to the plain handler of the stack, and where a line pays. */
internal fun sweepSection(report: Report): Section? {
    val sweeps = report.drawnSweeps
    if (sweeps.isEmpty()) return null
    val blocks = sweeps.groupBy { it.axis }.flatMap { (axis, ofAxis) ->
        charts(report, axis, ofAxis) + ofAxis.flatMap { tables(report, it, ofAxis) }
    }
    val certainty = if (report.indicative) "One round, no intervals" else "Bars are 95 % intervals"
    val lead =
        "$certainty. Both axes are logarithmic. Ratios compare with the plain handler of the same stack. A tick at 1 " +
            "marks where a line becomes better, the band its interval. Arrow: a lower bound. Faint and dashed: published. " +
            latencyMeaning(report.measured.map { it.cell })
    return Section("sweep", "Results by ${listed(sweeps.map { it.axis }.distinct())}", lead, blocks)
}

/** Sweeps with at least two measured values; `only` may have left one. Bursts are ranked at each value, not drawn by throughput. */
internal val Report.drawnSweeps: List<Sweep>
    get() = analysis.sweeps.filter { sweep ->
        val measured = measuredOf(sweep)
        valuesOf(sweep).size > 1 && measured.isNotEmpty() &&
            measured.flatMap { it.points }.none { analysis.cell(it.cell)?.isBurst == true }
    }

/** Lines of [sweep] with measurements. */
internal fun Report.measuredOf(sweep: Sweep): List<SweptLine> =
    sweep.lines.filter { swept -> swept.points.any { analysis.cell(it.cell)?.throughput != null } }

internal fun valuesOf(sweep: Sweep): List<Double> = sweep.lines.flatMap { it.points }.map { it.value }.distinct().sorted()

/** Adds the profile to the title if there are several. */
internal fun titled(text: String, sweep: Sweep, all: List<Sweep>): String = if (all.size == 1) text else "$text, ${sweep.profile}"

/** Throughput or p99, or its ratio to the plain handler of the stack. */
private class DrawnQuantity(
    val id: String,
    val title: String,
    val unit: String,
    val reference: Double?,
    val lines: (Sweep) -> List<SweepLine>,
)

/** Two protocols are shown side by side for each measure; a single one beside its ratio. */
private fun charts(report: Report, axis: String, sweeps: List<Sweep>): List<Block> {
    val charts = listOf(Measure.THROUGHPUT to "Requests a second", Measure.P99 to "p99").flatMap { (measure, name) ->
        val id = measure.name.lowercase()
        val unit = if (measure == Measure.THROUGHPUT) "requests/s" else "ms"
        val title = if (measure == Measure.THROUGHPUT) name else "$name, $unit"
        listOf(
            DrawnQuantity(id, title, unit, null) { lines(report, it, measure) },
            DrawnQuantity("$id-ratio", "$name, ratio to the plain handler", "×", 1.0) { ratioLines(report, it, measure) },
        )
    }.map { quantity -> sweeps.mapNotNull { chart(it, "sweep-$axis", quantity, sweeps) } }
    val rows = if (sweeps.size == 1) charts.flatten().chunked(2) else charts.flatMap { it.chunked(2) }
    return rows.filter { it.isNotEmpty() }.map { Beside(it) }
}

/** A chart of the [group], with the same axes for the same [quantity]; null without data. */
private fun chart(sweep: Sweep, group: String, quantity: DrawnQuantity, sweeps: List<Sweep>): Chart? {
    val lines = quantity.lines(sweep).ifEmpty { return null }
    val spoken = lines.joinToString(" ") { line ->
        val ends = listOf(line.points.first(), line.points.last()).distinct()
        "${line.name}: " + ends.joinToString { "${significant(it.y)} ${quantity.unit} at ${exact(it.x)}" } + "."
    }
    return Chart(
        id = "$group-${sweeps.indexOf(sweep)}-${quantity.id}",
        title = titled(quantity.title, sweep, sweeps),
        spoken = "${quantity.title} by ${sweep.axis}. $spoken",
        plot = sweepPlot(
            axis = sweep.axis,
            unit = quantity.unit,
            lines = lines,
            ticks = sweeps.flatMap(::valuesOf).distinct().sorted(),
            all = sweeps.flatMap(quantity.lines),
            reference = quantity.reference,
        ),
        group = group,
    )
}

private fun lines(report: Report, sweep: Sweep, measure: Measure): List<SweepLine> =
    report.measuredOf(sweep).mapNotNull { swept ->
        val points = swept.points.mapNotNull { point ->
            val cell = report.analysis.cell(point.cell)
            val throughput = cell?.throughput?.let { LatencyEstimate(it, censored = false) }
            val figure = if (measure == Measure.THROUGHPUT) throughput else cell?.latency?.get(measure)
            figure?.let { sweepPoint(point.value, it.estimate, it.censored) }
        }
        line(report, swept, points, published(report, swept, measure), null)
    }

private fun ratioLines(report: Report, sweep: Sweep, measure: Measure): List<SweepLine> =
    report.measuredOf(sweep).mapNotNull { swept ->
        val comparison = swept.against(measure) ?: return@mapNotNull null
        val points = comparison.ratios.filter { it.bound == Bound.EXACT || it.bound == Bound.AT_LEAST }
            .mapNotNull { sweepPoint(it.value, it.ratio, it.bound == Bound.AT_LEAST) }
        val below = sweep.lines.find { it.name == swept.baseline }?.let { published(report, it, measure) }.orEmpty()
        val published = published(report, swept, measure).mapNotNull { above ->
            below.find { it.x == above.x }?.let { ChartPoint(above.x, above.y / it.y) }
        }
        val crossing = (comparison.pays as? Passing.At)?.let { Crossing(it.x, it.reach?.low, it.reach?.high) }
        line(report, swept, points, published, crossing)
    }

private fun line(report: Report, swept: SweptLine, points: List<SweepPoint>, published: List<ChartPoint>, crossing: Crossing?) =
    if (points.isEmpty()) null else SweepLine(swept.name, report.mark(swept), points, published, crossing)

internal fun SweptLine.against(measure: Measure): SweptComparison? = against.find { it.measure == measure }

/** Null for zero, which a logarithmic axis cannot show. */
internal fun sweepPoint(x: Double, estimate: Estimate, beyond: Boolean): SweepPoint? =
    estimate.value.takeIf { it > 0 }?.let { y ->
        SweepPoint(x, y, estimate.interval?.low?.takeIf { it > 0 }, estimate.interval?.high, beyond)
    }

private fun published(report: Report, swept: SweptLine, measure: Measure): List<ChartPoint> = swept.points.mapNotNull { point ->
    publishedOf(report, point.cell, measure)?.takeIf { it > 0 }?.let { ChartPoint(point.value, it) }
}

/** The published figure of [cell], not of one operation; null without one. */
internal fun publishedOf(report: Report, cell: CellId, measure: Measure): Double? =
    report.analysis.published.find { it.cell == cell && it.measure == measure && it.operation == null }?.published

private fun tables(report: Report, sweep: Sweep, all: List<Sweep>): List<Block> {
    val served = table("Requests a second by ${sweep.axis}", report.measuredOf(sweep)) {
        text("line") { nameOf(report, it) }
        valuesOf(sweep).forEach { value ->
            figure(exact(value)) { swept -> swept.cellAt(value)?.let { served(report.cell(it)) } ?: Words("") }
        }
    }
    val pays = payTable(report, sweep)
    return listOf(heading(titled("Requests/s by ${sweep.axis}", sweep, all)), served) +
        (if (pays == null) emptyList() else listOf(heading(titled("Where it pays", sweep, all)), pays))
}

internal fun nameOf(report: Report, swept: SweptLine): Words {
    val cell = report.cell(swept.points.first().cell).cell
    return Words(
        swept.name,
        beside = report.unsteadyMark(swept.points.map { it.cell }),
        hint = styleOf(cell),
        mark = report.mark(swept),
    )
}

internal fun SweptLine.cellAt(value: Double): CellId? = points.find { it.value == value }?.cell

internal fun served(cell: CellAnalysis): Words =
    cell.throughput?.let { Words(significant(it.value), if (cell.unsteady == null) Tone.PLAIN else Tone.WARN, hint = range(it)) }
        ?: nothing

/** Lines have the same mark in all charts and tables, in every protocol. */
internal fun Report.mark(swept: SweptLine): Mark {
    val names = analysis.sweeps.flatMap { it.lines }.map { it.name }.distinct()
    return Mark.nth(names.indexOf(swept.name), stackOf(swept))
}

internal fun Report.stackOf(swept: SweptLine): Stack = cell(swept.points.first().cell).cell.subject.stack
