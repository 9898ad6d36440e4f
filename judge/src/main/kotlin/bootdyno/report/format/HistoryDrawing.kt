package bootdyno.report.format

import bootdyno.analyse.RunFigure
import bootdyno.report.HistoryPlot
import bootdyno.report.Mark
import bootdyno.report.evenTicks
import bootdyno.report.inColumn
import bootdyno.report.spoken
import kotlin.math.max

private const val LEFT = 72.0
private const val HEIGHT = 300.0
private const val MOST_DAYS = 8

/** How much of its height is above and below the figures. */
private const val AIR = 0.15

internal fun historyDrawing(plot: HistoryPlot): String {
    val ends = plot.runs.flatMap { run ->
        listOfNotNull(run.estimate.value, run.estimate.interval?.low, run.estimate.interval?.high)
    }
    val air = (ends.max() - ends.min()).let { if (it > 0) it else max(ends.max(), 1.0) } * AIR
    val x = Axis(-0.5, plot.runs.size - 0.5, LEFT, WIDE - LABEL_AIR)
    val y = Axis((ends.min() - air).coerceAtLeast(0.0), ends.max() + air, HEIGHT - 40, 24.0)
    val area = PlotArea(x, y)
    val every = (plot.runs.size + MOST_DAYS - 1) / MOST_DAYS
    val days = plot.runs.indices.step(every).map { it.toDouble() }
    val levels = plot.levels.withIndex().joinToString("") { (nth, level) ->
        val (runs, mean) = level
        val (from, to) = listOf(runs.first - 0.5, runs.last + 0.5).map { pixels(x.at(it)) }
        val line = """<path class="line" stroke-width="2" d="M$from ${pixels(y.at(mean))}H$to"/>"""
        """<g class="k${nth % 2}">$line${runs.joinToString("") { dotOf(plot, plot.runs[it], it, area) }}</g>"""
    }
    return picture(
        WIDE,
        HEIGHT,
        area.beside(evenTicks(y.least, y.most)) { inColumn(plot.measure, it) } +
            area.below(days, { plot.runs[it.toInt()].day }, grid = false) +
            plot.shifts.entries.joinToString("") { (at, words) -> area.reference(at - 0.5, words) } + levels,
    )
}

private fun dotOf(plot: HistoryPlot, run: RunFigure, at: Int, area: PlotArea): String {
    val range = run.estimate.interval
    val x = area.x.at(at.toDouble())
    val whisker = range?.let {
        """<path class="whisker" d="M${pixels(x)} ${pixels(area.y.at(it.low))}V${pixels(area.y.at(it.high))}"/>"""
    }.orEmpty()
    fun spokenRate(value: Double) = spoken(plot.measure, value)
    val words = listOf(
        run.run,
        run.commit,
        spokenRate(run.estimate.value) + range?.let { " [${spokenRate(it.low)}, ${spokenRate(it.high)}]" }.orEmpty(),
    )
    return """<g>$whisker${markOf(Mark(0, "square", emptyList()), x, area.y.at(run.estimate.value), "mark")}""" +
        """<title>${inXml(words.filter { it.isNotEmpty() }.joinToString(", "))}</title></g>"""
}
