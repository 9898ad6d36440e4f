package bootdyno.report

import bootdyno.analyse.CellAnalysis
import bootdyno.model.LoadProfile
import bootdyno.model.Metric
import bootdyno.model.Reading
import bootdyno.model.Series
import bootdyno.model.Stage

/** What happened second by second, in the trial of each cell that is nearest to the cell's mean. */
internal fun timelineSection(report: Report): Section? {
    val timelines = report.analysis.groups.flatMap { group ->
        scaled(report.measured.filter { it.cell.id in group.cells }.mapNotNull { timeline(report, it) })
    }
    if (timelines.isEmpty()) return null
    val drawn = panels.indices.filter { panel -> timelines.any { timeline -> timeline.lines.any { it.panel == panel } } }
    val chart = TimelineChart(
        id = "timeline",
        title = "Throughput, CPU, memory and threads over time",
        spoken = "Throughput, CPU, memory and threads of one trial of each cell, second by second.",
        table = null,
        panels = drawn.map { panels[it].title },
        timelines = timelines.map { it.only(drawn) },
        mostX = timelines.flatMap { it.lines }.flatMap { it.points }.maxOfOrNull { it.x } ?: 1.0,
    )
    val lead = "One trial of each cell, nearest to the mean, read once per second from outside. The grey part is not counted."
    return Section("timeline", "Time series of one trial", lead, listOf(chart), setOf(Medium.HTML))
}

/** Without the panels that no cell has anything for. */
private fun Timeline.only(drawn: List<Int>) =
    copy(lines = lines.map { it.copy(panel = drawn.indexOf(it.panel)) }, most = drawn.map { most[it] })

/** [inBursts]: of no interest under another load. */
private data class Plot(val title: String, val lines: List<PlotLine>, val inBursts: Boolean = false)

/** [divisor] turns the metric's unit into the panel's. */
private data class PlotLine(val metric: Metric, val name: String, val divisor: Double = 1.0)

private const val MIB = 1024.0 * 1024
private val panels = listOf(
    Plot("Requests per second", listOf(PlotLine(Metric.ANSWERED, "answered"), PlotLine(Metric.ERRORS, "errors"))),
    Plot(
        "CPUs used",
        listOf(PlotLine(Metric.CPU, "subject"), PlotLine(Metric.COMPILER_CPU, "compiler"), PlotLine(Metric.GC_TIME, "GC")),
    ),
    Plot(
        "Memory, MiB",
        listOf(
            PlotLine(Metric.RSS, "RSS", MIB),
            PlotLine(Metric.HEAP_COMMITTED, "heap committed", MIB),
            PlotLine(Metric.HEAP_USED, "heap used", MIB),
        ),
    ),
    Plot(
        "Threads",
        listOf(
            PlotLine(Metric.THREADS, "threads (OS)"),
            PlotLine(Metric.LIVE_THREADS, "live (JVM)"),
            PlotLine(Metric.RUNNABLE, "runnable"),
            PlotLine(Metric.DAEMON_THREADS, "daemon"),
        ),
    ),
    Plot(
        "Connections",
        listOf(
            PlotLine(Metric.OPEN_FILES, "open files"),
            PlotLine(Metric.IN_FLIGHT, "in flight"),
            PlotLine(Metric.LISTEN_OVERFLOWS, "overflows/s"),
        ),
        inBursts = true,
    ),
)

/** One scale for all [timelines]. */
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
    val lines = panels.flatMapIndexed { index, plot ->
        if (plot.inBursts && cell.cell.profile.loadInWindow !is LoadProfile.Burst) return@flatMapIndexed emptyList()
        plot.lines.mapNotNull { line ->
            val points = perSecond(facts.series, line.metric).map { Point(it.at, it.value / line.divisor) }
            if (points.isEmpty()) null else TimelineCurve(index, line.name, points)
        }
    }
    return if (lines.isEmpty()) null else Timeline(cell.cell.id.text, window.from, window.to, lines, emptyList())
}

/** A gauge as read; a counter by its growth, over the time that really passed. */
internal fun perSecond(series: Series, metric: Metric): List<Reading> {
    val readings = series.of(metric)
    return when (metric.kind) {
        Metric.Kind.GAUGE -> readings

        Metric.Kind.COUNTER -> readings.zipWithNext().filter { (before, after) -> after.at > before.at }.map { (before, after) ->
            Reading(after.at, (after.value - before.value) / (after.at - before.at))
        }
    }
}

/** The next 1, 1.5, 2, 3, 4, 5, 6 or 8 times a power of ten: an axis that ends on a number people like. */
internal fun roundUp(value: Double): Double {
    if (value <= 0.0 || !value.isFinite()) return 1.0
    var power = 1.0
    while (power * 10 <= value) power *= 10
    while (power > value) power /= 10
    return listOf(1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0).first { it * power >= value } * power
}
