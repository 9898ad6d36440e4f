package bootdyno.report

import bootdyno.analyse.CellAnalysis
import bootdyno.analyse.CurvePoint
import bootdyno.model.Measure
import bootdyno.model.timeOfMillis
import kotlin.math.ceil
import kotlin.math.log10
import kotlin.math.pow

/** The whole distribution of response times, not just two of its percentiles. */
internal fun latencySection(report: Report): Section? {
    val drawn = report.measured.filter { it.curve.isNotEmpty() }
    if (drawn.isEmpty()) return null
    val chart = curvesChart(
        id = "percentiles",
        title = "Response time by percentile",
        spoken = "Response time by percentile. " + drawn.joinToString(" ") { spokenCurve(it) },
        table = latencyTable(report, drawn),
        curves = drawn.map { Curve(it.cell.id.text, report.mark(it.cell.id), known(it.curve), beyond(it.curve)) },
    ) ?: return null
    val lead = "All trials of a cell together. ${latencyMeaning(drawn.map { it.cell })} " +
        "Example: at 99 %, y is the time within which 99 % of the responses came. Dashed: a lower bound, because requests " +
        "had no response when the window ended. Both axes are logarithmic."
    return Section("latency", "Response times by percentile", lead, listOf(chart), setOf(Medium.HTML, Medium.MARKDOWN))
}

/** With axes that hold all of [curves]; null where there is nothing to draw. */
internal fun curvesChart(id: String, title: String, spoken: String, table: Table?, curves: List<Curve>): CurvesChart? {
    val points = curves.flatMap { it.known + it.beyond }
    if (points.isEmpty()) return null
    return CurvesChart(
        id = id,
        title = title,
        spoken = spoken,
        table = table,
        curves = curves,
        mostX = 10.0.pow(ceil(log10(points.maxOf { it.x }) - 1e-9)).coerceAtLeast(10.0),
        leastY = points.minOf { it.y } * 0.8,
        mostY = points.maxOf { it.y } * 1.25,
    )
}

internal fun known(curve: List<CurvePoint>) = drawable(curve).filter { !it.censored }.map(::point)

/** From the last known point on, so that the dashed line joins the solid one. */
internal fun beyond(curve: List<CurvePoint>): List<Point> {
    val points = drawable(curve)
    val first = points.indexOfFirst { it.censored }
    return if (first < 0) emptyList() else points.drop((first - 1).coerceAtLeast(0)).map(::point)
}

/** The 100th percentile and a response time of zero have no place on logarithmic axes. */
private fun drawable(curve: List<CurvePoint>) = curve.filter { it.percentile < 100.0 && it.milliseconds > 0.0 }

private fun point(point: CurvePoint) = Point(100 / (100 - point.percentile), point.milliseconds)

private fun spokenCurve(cell: CellAnalysis): String {
    val p99 = cell.latency[Measure.P99] ?: return "${cell.cell.id}: not known."
    return "${cell.cell.id}: p99 ${if (p99.censored) "at least " else ""}${timeOfMillis(p99.estimate.value)}."
}

private fun latencyTable(report: Report, cells: List<CellAnalysis>): Table {
    val measures = Measure.latencies.filter { measure -> cells.any { measure in it.latency } }
    val columns = measures.map { measure -> shown<CellAnalysis>(measure.word, "ms") { latencyOf(it, measure) } }
    return table("Response times in ms", cells, listOf(cellColumn(report)) + columns)
}
