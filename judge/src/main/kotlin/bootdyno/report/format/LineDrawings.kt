package bootdyno.report.format

import bootdyno.model.rounded
import bootdyno.model.timeOfMillis
import bootdyno.report.CurvesPlot
import bootdyno.report.Timeline
import bootdyno.report.TimelinePlot
import bootdyno.report.evenTicks
import bootdyno.report.logTicks
import java.math.BigDecimal
import java.math.MathContext
import kotlin.math.log10
import kotlin.math.pow

/** The width of a chart that has its card alone, in pixels of a large screen. */
internal const val WIDE = 1180.0
private const val LEFT = 62.0

/** More than this many names would stand on each other. */
private const val MOST_LABELS = 10

private const val CURVES_HEIGHT = 410.0

internal fun curvesDrawing(plot: CurvesPlot): String {
    val labelled = plot.shown.map { plot.curves[it] }.takeIf { it.size <= MOST_LABELS }.orEmpty()
    val ends = labelled.mapNotNull { curve ->
        val words = (if (curve.beyond.isEmpty()) "" else "≥ ") + curve.name
        (curve.known + curve.beyond).lastOrNull()?.let { LineEnd(curve.name, words, curve.mark.colour, it.y) }
    }
    val room = roomFor(ends.map { it.words }, WIDE)
    val area = PlotArea(
        Axis(1.0, plot.mostX, LEFT, WIDE - room, isLog = true),
        Axis(plot.leastY, plot.mostY, CURVES_HEIGHT - 46, 22.0, isLog = true),
    )
    val curves = plot.curves.withIndex().joinToString("") { (nth, curve) ->
        val parts = listOf(curve.known to dashes(curve.mark.stroke), curve.beyond to """ class="bound"""")
            .filter { (points, _) -> points.isNotEmpty() }
        lineOf(curve.name, curve.mark, nth in plot.shown, parts.joinToString("") { (points, kind) -> area.path(points, kind) })
    }
    val decades = (0..log10(plot.mostX).toInt()).map { 10.0.pow(it) }
    return picture(
        WIDE,
        CURVES_HEIGHT,
        area.beside(logTicks(plot.leastY, plot.mostY), ::timeOfMillis) + area.below(decades, ::percentile) +
            area.nameBelow("percentile", distance = 40.0) + area.reference(2.0, "p50") + area.reference(100.0, "p99") +
            area.inUnits(curves) + area.labels(ends, room - LABEL_AIR),
    )
}

/** Between a line and its name, and between the name and the edge. */
internal const val LABEL_AIR = 14.0

/** Of the axis of a [CurvesPlot]: 1000 is 99.9 %. */
private fun percentile(x: Double): String =
    BigDecimal(100 - 100 / x).round(MathContext(6)).stripTrailingZeros().toPlainString() + " %"

private const val PANEL = 132.0
private const val PANEL_TOP = 30.0
private const val PANEL_HEIGHT = 92.0
private const val PANEL_LABELS = 124.0

/** One picture for each cell, of which the first is shown. */
internal fun timelinesDrawing(plot: TimelinePlot): String = plot.timelines.withIndex().joinToString("") { (nth, timeline) ->
    val height = PANEL_TOP + plot.panels.size * PANEL
    val panels = plot.panels.withIndex().joinToString("") { (panel, title) -> panelOf(plot, timeline, panel, title) }
    picture(WIDE, height, panels, if (nth == 0) "" else " hidden")
}

private fun panelOf(plot: TimelinePlot, timeline: Timeline, panel: Int, title: String): String {
    val top = PANEL_TOP + panel * PANEL
    val most = timeline.most[panel]
    val area = PlotArea(Axis(0.0, plot.mostX, LEFT, WIDE - PANEL_LABELS), Axis(0.0, most, top + PANEL_HEIGHT, top))
    val lines = timeline.drawn(panel).filter { (_, line) -> line.points.isNotEmpty() }
    val paths = lines.joinToString("") { (nth, line) ->
        """<g data-name="${inXml(line.name)}" class="k$nth">${area.path(line.points)}</g>"""
    }
    val ends = lines.map { (nth, line) -> LineEnd(line.name, line.name, nth, line.points.last().y) }
    val seconds = if (panel == plot.panels.lastIndex) evenTicks(0.0, plot.mostX) else emptyList()
    val note = if (panel == 0) text("not counted", area.x.at(0.0) + HALF_TEXT, top + PANEL_TOP / 2) else ""
    return text(title, LEFT, top - 2 * HALF_TEXT, """ class="title"""") +
        area.shade(0.0, timeline.windowFrom) + area.shade(timeline.windowTo, plot.mostX) + note +
        area.beside(listOf(0.0, most / 2, most), ::rounded) + area.below(seconds, { "${rounded(it)} s" }, grid = false) +
        area.inUnits(paths) + area.labels(ends, PANEL_LABELS - LABEL_AIR)
}
