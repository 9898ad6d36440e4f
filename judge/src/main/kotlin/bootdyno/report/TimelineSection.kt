package bootdyno.report

import bootdyno.analyse.CellAnalysis
import bootdyno.model.Bytes
import bootdyno.model.Metric
import bootdyno.model.Reading
import bootdyno.model.Series
import bootdyno.model.Stage
import kotlin.math.floor
import kotlin.math.log10
import kotlin.math.pow

/** Readings per second of the trial of each cell that is nearest to the cell's mean. */
internal fun timelineSection(report: Report): Section? {
    val timelines = report.analysis.groups.flatMap { group ->
        val drawn = report.measured.filter { it.cell.id in group.cells && report.isDrawnAlone(it.cell.id) }
        scaled(drawn.mapNotNull { timeline(report, it) })
    }
    if (timelines.isEmpty()) return null
    // Without panels that have no data.
    val drawn = panels.indices.filter { panel -> timelines.any { timeline -> timeline.lines.any { it.panel == panel } } }
    val plot = TimelinePlot(
        panels = drawn.map { panels[it].title },
        timelines = timelines.map { timeline ->
            timeline.copy(
                lines = timeline.lines.map { it.copy(panel = drawn.indexOf(it.panel)) },
                most = drawn.map { timeline.most[it] },
            )
        },
        mostX = timelines.flatMap { it.lines }.flatMap { it.points }.maxOfOrNull { it.x } ?: 1.0,
    )
    val spoken = "Throughput, CPU, memory and threads of one trial of each cell, second by second."
    val chart = Chart("timeline", "Throughput, CPU, memory and threads over time", spoken, plot)
    val cells = if (isMany(report.measured.size)) "the first, the last and the baseline of each kind" else "each cell"
    val lead = "One trial of $cells, nearest to the mean, read once per second from outside. The grey part is not counted."
    return Section("timeline", "Time series of one trial", lead, listOf(chart), setOf(Medium.HTML))
}

/** [lines]: metrics with their names. [divisor] converts to the panel's unit. [inBursts]: for bursts only. */
private class Panel(val title: String, val lines: Map<Metric, String>, val divisor: Double = 1.0, val inBursts: Boolean = false)

private val panels = listOf(
    Panel("Requests per second", mapOf(Metric.ANSWERED to "answered", Metric.ERRORS to "errors")),
    Panel("Response time, ms", mapOf(Metric.P99 to "p99", Metric.P50 to "p50")),
    Panel("CPUs used", mapOf(Metric.CPU to "subject", Metric.COMPILER_CPU to "compiler", Metric.GC_TIME to "GC")),
    Panel(
        "Memory, MiB",
        mapOf(Metric.RSS to "RSS", Metric.HEAP_COMMITTED to "heap committed", Metric.HEAP_USED to "heap used"),
        divisor = Bytes.MIB.toDouble(),
    ),
    Panel(
        "Threads",
        mapOf(
            Metric.THREADS to "threads (OS)",
            Metric.LIVE_THREADS to "live (JVM)",
            Metric.RUNNABLE to "runnable",
            Metric.DAEMON_THREADS to "daemon",
        ),
    ),
    Panel(
        "Connections",
        mapOf(Metric.OPEN_FILES to "open files", Metric.IN_FLIGHT to "in flight", Metric.LISTEN_OVERFLOWS to "overflows/s"),
        inBursts = true,
    ),
)

/** Gives all [timelines] the same scale. */
private fun scaled(timelines: List<Timeline>): List<Timeline> {
    val curves = timelines.flatMap { it.lines }
    val most = panels.indices.map { panel ->
        roundUp(curves.filter { it.panel == panel }.flatMap { it.points }.maxOfOrNull { it.y } ?: 1.0)
    }
    return timelines.map { it.copy(most = most) }
}

private fun timeline(report: Report, cell: CellAnalysis): Timeline? {
    val facts = report.analysis.run.trials.find { it.record.trial.number == cell.typicalTrial?.number } ?: return null
    val window = facts.record.phases.find { it.stage == Stage.WINDOW } ?: return null
    val lines = panels.withIndex().filter { cell.isBurst || !it.value.inBursts }.flatMap { (index, panel) ->
        panel.lines.map { (metric, name) ->
            TimelineCurve(index, name, perSecond(facts.series, metric).map { ChartPoint(it.at, it.value / panel.divisor) })
        }
    }.filter { it.points.isNotEmpty() }
    return if (lines.isEmpty()) null else Timeline(cell.cell.id.text, window.from, window.to, lines, emptyList())
}

/** Gauges as read; counters as growth per measured time. */
internal fun perSecond(series: Series, metric: Metric): List<Reading> {
    val readings = series.of(metric)
    return when (metric.kind) {
        Metric.Kind.GAUGE -> readings

        Metric.Kind.COUNTER -> readings.zipWithNext().filter { (before, after) -> after.at > before.at }.map { (before, after) ->
            Reading(after.at, (after.value - before.value) / (after.at - before.at))
        }
    }
}

/** The next 1, 1.5, 2, 3, 4, 5, 6 or 8 times a power of ten, as the end of an axis. */
internal fun roundUp(value: Double): Double {
    if (value <= 0.0 || !value.isFinite()) return 1.0
    val power = 10.0.pow(floor(log10(value)))
    return listOf(1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0).first { it * power >= value } * power
}
