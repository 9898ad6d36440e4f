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
    val lead = "Open load: requests arrive at random (Poisson), answered or not, at a share of what the same process had just " +
        "served under closed load. Response time from the intended send, so a queue counts in full. " +
        "Each point was measured for seconds: p99.9 rests on few requests."
    return Section("open-load", "Latency below capacity", lead, listOfNotNull(chart(report, cells), table(report, cells)))
}

private fun table(report: Report, cells: List<CellAnalysis>) = Table(
    caption = "Response time in ms at shares of the capacity",
    columns = listOf(
        Column("cell", importance = 0),
        Column("of capacity", right = true, importance = 0),
        Column("offered/s", right = true, importance = 4),
    ) + SHOWN.map { Column(it.word, "ms", right = true, importance = if (it == Measure.P99) 1 else 3) } +
        Column("doubt", importance = 5),
    rows = cells.flatMap { cell -> cell.openPoints.map { row(report, cell, it) } },
)

private val SHOWN = listOf(Measure.P50, Measure.P90, Measure.P99, Measure.P999)

private fun row(report: Report, cell: CellAnalysis, point: OpenPoint) = Row(
    listOf(
        Words(cell.cell.id.text, mark = report.mark(cell.cell.id)),
        Words(percent(point.share)),
        Words(point.offered?.let { significant(it.value) } ?: "–", Tone.DIM),
    ) + SHOWN.map { latencyOf(point, it) } + doubt(point),
)

private fun latencyOf(point: OpenPoint, which: Measure): Words {
    val latency = point.latency[which] ?: return Words("–", Tone.DIM)
    val beyond = if (latency.censored) "≥" else ""
    return Words(
        beyond + significant(latency.estimate.value),
        beside = range(latency.estimate).takeIf {
            which == Measure.P99
        },
    )
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
        title = "p99 of open load, ms",
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
