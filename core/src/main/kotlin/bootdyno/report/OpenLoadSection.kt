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
    listOf<Shown<AtShare>>(
        text("cell") { nameOf(report, it.cell) },
        shown("of capacity", importance = 0) { Words(percent(it.point.share)) },
        shown("offered", "requests/s", importance = 4) { estimated(it.point.offered).copy(tone = Tone.DIM) },
    ) + SHOWN.map { measure ->
        shown<AtShare>(measure.word, "ms", if (measure == Measure.P99) 1 else 3) { latencyOf(it.point, measure) }
    } + text<AtShare>("doubt", importance = 5) { doubt(it.point) },
)

private val SHOWN = listOf(Measure.P50, Measure.P90, Measure.P99, Measure.P999)

private fun latencyOf(point: OpenPoint, measure: Measure): Words {
    val latency = point.latency[measure]
    return latencyOf(latency).copy(beside = latency?.takeIf { measure == Measure.P99 }?.let { range(it.estimate) })
}

private fun doubt(point: OpenPoint): Words {
    val first = point.threats.firstOrNull() ?: return Words("", Tone.DIM)
    return Words(first.kind.word, Tone.WARN, hint = first.sentence, badge = true)
}

private fun chart(report: Report, cells: List<CellAnalysis>): SweepChart? {
    val lines = cells.mapNotNull { cell ->
        val points = cell.openPoints.mapNotNull { point ->
            val p99 = point.latency[Measure.P99]?.takeIf { it.estimate.value > 0 } ?: return@mapNotNull null
            val interval = p99.estimate.interval
            SweepPoint(point.share * PERCENT, p99.estimate.value, interval?.low?.takeIf { it > 0 }, interval?.high, p99.censored)
        }
        if (points.isEmpty()) null else SweepLine(cell.cell.id.text, report.mark(cell.cell.id), points, emptyList(), null)
    }
    if (lines.isEmpty()) return null
    val heights = lines.flatMap { line -> line.points.flatMap { listOfNotNull(it.y, it.low, it.high) } }
    return SweepChart(
        id = "open-load",
        title = "Response time p99, ms",
        spoken = "p99 by share of the capacity. " + lines.joinToString(" ") { line ->
            "${line.name}: " + line.points.joinToString(", ") { "${timeOfMillis(it.y)} at ${significant(it.x)} %" } + "."
        },
        table = null,
        axis = "% of capacity",
        unit = "ms",
        lines = lines,
        ticks = lines.flatMap { it.points }.map { it.x }.distinct().sorted(),
        leastY = heights.min() / AIR,
        mostY = heights.max() * AIR,
        group = "open-load",
    )
}

private const val PERCENT = 100
private const val AIR = 1.25
