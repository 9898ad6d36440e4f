package bootdyno.report

import bootdyno.analyse.CellAnalysis
import bootdyno.analyse.OpenPoint
import bootdyno.model.Measure
import bootdyno.model.percent
import bootdyno.model.significant
import bootdyno.model.timeOfMillis

/** The latency users see while the service is not overrun: open load at shares of the capacity of the same process. */
internal fun openLoadSection(report: Report): Section? {
    val cells = report.measured.filter { it.openPoints.isNotEmpty() }
    if (cells.isEmpty()) return null
    val lead = "Open load with random (Poisson) arrivals, at shares of the throughput of the same process under closed load. " +
        "Response times count from the intended send, so they include queueing. Each point lasts seconds: p99.9 rests on " +
        "few requests."
    return Section("open-load", "Response times below capacity", lead, listOfNotNull(chart(report, cells), table(report, cells)))
}

private class AtShare(val cell: CellAnalysis, val point: OpenPoint)

private fun table(report: Report, cells: List<CellAnalysis>) = table(
    "Response time in ms at shares of the capacity",
    cells.flatMap { cell -> cell.openPoints.map { AtShare(cell, it) } },
) {
    text("cell") { nameOf(report, it.cell) }
    figure("of capacity", importance = 0) { Words(percent(it.point.share)) }
    figure("offered", "requests/s", importance = 4) { estimated(it.point.offered).copy(tone = Tone.DIM) }
    SHOWN.forEach { measure ->
        figure(measure.word, "ms", if (measure == Measure.P99) 1 else 3) { latencyOf(it.point, measure) }
    }
    text("doubt", importance = 5) { doubt(it.point) }
}

private val SHOWN = listOf(Measure.P50, Measure.P90, Measure.P99, Measure.P999)

private fun latencyOf(point: OpenPoint, measure: Measure): Words {
    val latency = point.latency[measure]
    return latencyOf(latency).copy(beside = latency?.takeIf { measure == Measure.P99 }?.let { range(it.estimate) })
}

private fun doubt(point: OpenPoint): Words {
    val first = point.threats.firstOrNull() ?: return Words("", Tone.DIM)
    return Words(first.kind.word, Tone.WARN, hint = first.sentence, badge = true)
}

private fun chart(report: Report, cells: List<CellAnalysis>): Chart? {
    val lines = cells.mapNotNull { cell ->
        val points = cell.openPoints.mapNotNull { point ->
            point.latency[Measure.P99]?.let { sweepPoint(point.share * PERCENT, it.estimate, it.censored) }
        }
        if (points.isEmpty()) null else SweepLine(cell.cell.id.text, report.mark(cell.cell.id), points)
    }.ifEmpty { return null }
    val spoken = lines.joinToString(" ") { line ->
        "${line.name}: " + line.points.joinToString { "${timeOfMillis(it.y)} at ${significant(it.x)} %" } + "."
    }
    val ticks = lines.flatMap { it.points }.map { it.x }.distinct().sorted()
    val plot = sweepPlot("% of capacity", "ms", lines, ticks)
    return Chart("open-load", "Response time p99, ms", "p99 by share of the capacity. $spoken", plot)
}

private const val PERCENT = 100
