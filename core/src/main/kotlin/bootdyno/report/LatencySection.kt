package bootdyno.report

import bootdyno.analyse.CellAnalysis
import bootdyno.analyse.CurvePoint
import bootdyno.analyse.LatencyEstimate
import bootdyno.model.Measure
import bootdyno.model.timeOfMillis
import kotlin.math.ceil
import kotlin.math.log10
import kotlin.math.pow

/** The whole distribution of response times, not just two of its percentiles. */
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

/** A curve for each of [cells], with axes that hold all of them; null where there is nothing to draw. */
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

/** From the last known point on, so that the dashed line joins the solid one. */
private fun beyond(curve: List<CurvePoint>): List<Point> {
    val points = drawable(curve)
    val first = points.indexOfFirst { it.censored }
    return if (first < 0) emptyList() else points.drop((first - 1).coerceAtLeast(0)).map(::point)
}

/** The 100th percentile and a response time of zero have no place on logarithmic axes. */
private fun drawable(curve: List<CurvePoint>) = curve.filter { it.percentile < 100.0 && it.milliseconds > 0.0 }

private fun point(point: CurvePoint) = Point(100 / (100 - point.percentile), point.milliseconds)
