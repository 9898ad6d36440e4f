package bootdyno.report

import bootdyno.analyse.Bound
import bootdyno.analyse.Sweep
import bootdyno.analyse.SweptComparison
import bootdyno.analyse.SweptLine
import bootdyno.model.CellId
import bootdyno.model.Measure
import bootdyno.model.exact
import bootdyno.model.significant
import bootdyno.stats.Estimate
import bootdyno.stats.Passing

/** The charts of the [sweeps] of one axis; all of one [group], with the same ends where they show the same quantity. */
internal class SweepDrawing(private val report: Report, private val group: String, private val sweeps: List<Sweep>) {
    /** Throughput or p99 itself; null where nothing was measured. */
    fun values(sweep: Sweep, measure: Measure): SweepChart? {
        val unit = if (measure == Measure.THROUGHPUT) "requests/s" else "ms"
        val title = if (measure == Measure.THROUGHPUT) "Requests a second" else "p99, ms"
        return chart(sweep, Drawn(measure, ratio = false), title, unit, null) { lines(it, measure) }
    }

    /** By the plain handler of the same stack. */
    fun ratios(sweep: Sweep, measure: Measure): SweepChart? {
        val what = if (measure == Measure.THROUGHPUT) "Requests a second" else "p99"
        return chart(sweep, Drawn(measure, ratio = true), "$what, ratio to the plain handler", "×", 1.0) {
            ratioLines(it, measure)
        }
    }

    private data class Drawn(val measure: Measure, val ratio: Boolean) {
        val id get() = measure.name.lowercase() + if (ratio) "-ratio" else ""
    }

    private fun chart(
        sweep: Sweep,
        drawn: Drawn,
        title: String,
        unit: String,
        reference: Double?,
        linesOf: (Sweep) -> List<SweepLine>,
    ): SweepChart? {
        val lines = linesOf(sweep).ifEmpty { return null }
        val all = sweeps.flatMap(linesOf)
        val heights =
            all.flatMap { line -> line.points.flatMap { listOfNotNull(it.y, it.low, it.high) } + line.published.map { it.y } }
                .filter { it > 0 } + listOfNotNull(reference)
        return SweepChart(
            id = "$group-${sweeps.indexOf(sweep)}-${drawn.id}",
            title = titled(title, sweep, sweeps),
            spoken = "$title by ${sweep.axis}. " + lines.joinToString(" ") { spoken(it, unit) },
            table = null,
            axis = sweep.axis,
            unit = unit,
            lines = lines,
            ticks = sweeps.flatMap(::valuesOf).distinct().sorted(),
            leastY = heights.min() / AIR,
            mostY = heights.max() * AIR,
            reference = reference,
            group = group,
        )
    }

    private fun spoken(line: SweepLine, unit: String): String {
        val ends = listOf(line.points.first(), line.points.last()).distinct()
        return "${line.name}: " + ends.joinToString(", ") { "${significant(it.y)} $unit at ${exact(it.x)}" } + "."
    }

    private fun lines(sweep: Sweep, measure: Measure): List<SweepLine> = report.measuredOf(sweep).mapNotNull { swept ->
        val points = swept.points.mapNotNull { point ->
            figure(point.cell, measure)?.let { drawn(point.value, it.estimate, it.censored) }
        }
        line(swept, points, published(swept) { publishedOf(report, it, measure) }, null)
    }

    private fun ratioLines(sweep: Sweep, measure: Measure): List<SweepLine> = report.measuredOf(sweep).mapNotNull { swept ->
        val comparison = swept.against.find { it.measure == measure } ?: return@mapNotNull null
        val points = comparison.ratios.filter { it.bound == Bound.EXACT || it.bound == Bound.AT_LEAST }
            .mapNotNull { drawn(it.value, it.ratio, it.bound == Bound.AT_LEAST) }
        line(swept, points, publishedRatios(sweep, swept, measure), crossing(comparison))
    }

    private fun line(swept: SweptLine, points: List<SweepPoint>, published: List<Point>, crossing: Crossing?): SweepLine? =
        if (points.isEmpty()) null else SweepLine(swept.name, report.mark(swept), points, published, crossing)

    /** Zero has no place on a logarithmic axis. */
    private fun drawn(value: Double, estimate: Estimate, beyond: Boolean): SweepPoint? = if (estimate.value <= 0) {
        null
    } else {
        SweepPoint(value, estimate.value, estimate.interval?.low?.takeIf { it > 0 }, estimate.interval?.high, beyond)
    }

    private class Figure(val estimate: Estimate, val censored: Boolean)

    private fun figure(cell: CellId, measure: Measure): Figure? {
        val analysed = report.analysis.cell(cell) ?: return null
        if (measure == Measure.THROUGHPUT) return analysed.throughput?.let { Figure(it, false) }
        return analysed.latency[Measure.P99]?.let { Figure(it.estimate, it.censored) }
    }

    private fun published(swept: SweptLine, of: (CellId) -> Double?): List<Point> =
        swept.points.mapNotNull { point -> of(point.cell)?.let { Point(point.value, it) } }

    private fun publishedRatios(sweep: Sweep, swept: SweptLine, measure: Measure): List<Point> {
        val baseline = sweep.lines.find { it.name == swept.baseline } ?: return emptyList()
        val below = published(baseline) { publishedOf(report, it, measure) }
        return published(swept) { publishedOf(report, it, measure) }.mapNotNull { above ->
            below.find { it.x == above.x }?.let { Point(above.x, above.y / it.y) }
        }
    }

    private fun crossing(comparison: SweptComparison): Crossing? =
        (comparison.pays as? Passing.At)?.let { Crossing(it.x, it.reach?.low, it.reach?.high) }

    private companion object {
        const val AIR = 1.25
    }
}
