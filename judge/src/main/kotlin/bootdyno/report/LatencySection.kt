package bootdyno.report

import bootdyno.analyse.CellAnalysis
import bootdyno.analyse.CurvePoint
import bootdyno.analyse.LatencyEstimate
import bootdyno.analyse.OpenPoint
import bootdyno.model.Measure
import bootdyno.model.perSecond
import bootdyno.model.percent
import bootdyno.model.timeOfMillis
import kotlin.math.ceil
import kotlin.math.log10
import kotlin.math.pow

/** The complete distribution of response times. */
internal fun latencySection(report: Report): Section? {
    val drawn = report.measured.filter { it.curve.isNotEmpty() }
    val measures = Measure.latencies.filter { measure -> drawn.any { measure in it.latency } }
    val table = table("Response times in ms", drawn) {
        cell(report)
        measures.forEach { measure -> figure(measure.word, "ms") { latencyOf(it.latency[measure]) } }
    }
    val chart =
        curvesChart(report, "percentiles", "Response time by percentile", table, drawn, { it.latency }) { it.curve }
            ?: return null
    val lead = "All trials of a cell together. ${latencyMeaning(drawn.map { it.cell })} " +
        "Example: at 99 %, y is the time within which 99 % of the responses came. Dashed: a lower bound, because requests " +
        "had no response when the window ended. Both axes are logarithmic."
    return Section("latency", "Response times by percentile", lead, listOf(chart), setOf(Medium.HTML, Medium.MARKDOWN))
}

/** One curve per cell, on common axes; null without data. */
internal fun curvesChart(
    report: Report,
    id: String,
    title: String,
    table: Table?,
    cells: List<CellAnalysis>,
    latency: (CellAnalysis) -> Map<Measure, LatencyEstimate>,
    curve: (CellAnalysis) -> List<CurvePoint>,
): Chart? {
    val curves = cells.map { Curve(it.cell.id.text, report.mark(it.cell.id), known(curve(it)), beyond(curve(it))) }
    val points = curves.flatMap { it.known + it.beyond }.ifEmpty { return null }
    val spoken = cells.map { cell ->
        val p99 = latency(cell)[Measure.P99]
        val words = p99?.let { "p99 ${if (it.censored) "at least " else ""}${timeOfMillis(it.estimate.value)}" } ?: "not known"
        "${cell.cell.id}: $words."
    }
    val plot = CurvesPlot(
        curves = curves,
        mostX = 10.0.pow(ceil(log10(points.maxOf { it.x }) - 1e-9)).coerceAtLeast(10.0),
        leastY = points.minOf { it.y } * 0.8,
        mostY = points.maxOf { it.y } * 1.25,
    )
    return Chart(id, title, "$title. ${spoken.joinToString(" ")}", plot, table)
}

private fun known(curve: List<CurvePoint>) = drawable(curve).filter { !it.censored }.map(::point)

/** Starts at the last known point, so that the dashed line continues the solid one. */
private fun beyond(curve: List<CurvePoint>): List<ChartPoint> {
    val points = drawable(curve)
    val first = points.indexOfFirst { it.censored }
    return if (first < 0) emptyList() else points.drop((first - 1).coerceAtLeast(0)).map(::point)
}

/** Without 100 % and zero, which logarithmic axes cannot show. */
private fun drawable(curve: List<CurvePoint>) = curve.filter { it.percentile < 100.0 && it.milliseconds > 0.0 }

private fun point(point: CurvePoint) = ChartPoint(100 / (100 - point.percentile), point.milliseconds)

/** Latency below saturation: open load after the windows. */
internal fun openLoadSection(report: Report): Section? {
    val cells = report.measured.filter { it.openPoints.isNotEmpty() }
    if (cells.isEmpty()) return null
    val lead = "Open load with random (Poisson) arrivals at the same rates for all variants. Shares are of the lowest capacity " +
        "among cells that do the same work. Response times count from the intended send, so they include queueing. Each " +
        "point lasts seconds: p99.9 rests on few requests."
    val chart = p99ByRate("open-load", report, cells) { cell ->
        cell.openPoints.mapNotNull { point ->
            point.latency[Measure.P99]?.let { p99 -> point.offered?.let { sweepPoint(it.value, p99.estimate, p99.censored) } }
        }
    }
    return Section("open-load", "Response times below capacity", lead, listOfNotNull(chart, table(report, cells)))
}

private class AtShare(val cell: CellAnalysis, val point: OpenPoint)

private fun table(report: Report, cells: List<CellAnalysis>) = table(
    "Response time in ms by request rate",
    cells.flatMap { cell -> cell.openPoints.map { AtShare(cell, it) } },
) {
    text(report.noun) { nameOf(report, it.cell) }
    figure("of capacity", importance = 3) { row -> row.point.share?.let { Words(percent(it), Tone.DIM) } ?: Words("") }
    figure("offered", "requests/s", importance = 0) { estimated(it.point.offered) }
    listOf(Measure.P50, Measure.P90, Measure.P99, Measure.P999).forEach { measure ->
        figure(measure.word, "ms", if (measure == Measure.P99) 1 else 3) { row ->
            val latency = row.point.latency[measure]
            latencyOf(latency).copy(beside = latency?.takeIf { measure == Measure.P99 }?.let { range(it.estimate) })
        }
    }
    text("doubt", importance = 5) { row ->
        row.point.threats.firstOrNull()?.let { Words(it.kind.word, Tone.WARN, hint = it.sentence, badge = true) } ?: Words("")
    }
}

/** The response times of [cells] at the request rates of [points], with the highest rates that keep [below] ms; null without any. */
internal fun p99ByRate(
    name: String,
    report: Report,
    cells: List<CellAnalysis>,
    below: Double? = null,
    points: (CellAnalysis) -> List<SweepPoint>,
): Chart? {
    val lines = cells.mapNotNull { cell ->
        val capacity = cell.capacity?.estimate?.takeIf { below != null }
        val highest = capacity?.let { Crossing(it.value, it.interval?.low, it.interval?.high) }
        points(cell).ifEmpty { null }?.let { SweepLine(cell.cell.id.text, report.mark(cell.cell.id), it, crossing = highest) }
    }.ifEmpty { return null }
    val spoken = lines.joinToString(" ") { line ->
        "${line.name}: " + line.points.joinToString { "${timeOfMillis(it.y)} at ${perSecond(it.x)}" } + "."
    }
    val ticks = lines.flatMap { it.points }.map { it.x }.distinct().sorted()
    val plot = sweepPlot("requests/s", "ms", lines, ticks, reference = below)
    return Chart(name, "Response time p99, ms", "p99 by request rate. $spoken", plot)
}
