package bootdyno.report.format

import bootdyno.report.Chart
import bootdyno.report.CurvesPlot
import bootdyno.report.FlamePlot
import bootdyno.report.HistoryPlot
import bootdyno.report.Mark
import bootdyno.report.Medium
import bootdyno.report.OrderPlot
import bootdyno.report.Plot
import bootdyno.report.SweepPlot
import bootdyno.report.TimelinePlot
import bootdyno.report.isMany
import kotlinx.html.BUTTON
import kotlinx.html.FlowContent
import kotlinx.html.InputType
import kotlinx.html.button
import kotlinx.html.details
import kotlinx.html.div
import kotlinx.html.h3
import kotlinx.html.id
import kotlinx.html.input
import kotlinx.html.optGroup
import kotlinx.html.option
import kotlinx.html.select
import kotlinx.html.span
import kotlinx.html.summary
import kotlinx.html.unsafe

/** A picture of [width] pixels on a large screen, with a table for screen readers. */
internal fun FlowContent.chartOf(chart: Chart, width: Double = WIDE) = div("card") {
    h3 { +chart.title }
    when (val plot = chart.plot) {
        is CurvesPlot -> curveChoiceOf(plot, chart.group)
        is TimelinePlot -> choiceOf(plot.timelines.map { it.name }, chart.id)
        is FlamePlot -> flameChoiceOf(plot, chart.id)
        is OrderPlot, is SweepPlot, is HistoryPlot -> {}
    }
    div("chart ${chart.plot.kind}") {
        id = "chart-${chart.id}"
        attributes["data-group"] = chart.group
        attributes["role"] = "img"
        attributes["aria-label"] = chart.spoken
        unsafe { raw(drawingOf(chart.plot, width)) }
    }
    chart.table?.let { table ->
        details {
            summary { +"The same as a table" }
            tableOf(table.on(Medium.HTML))
        }
    }
}

private fun drawingOf(plot: Plot, width: Double): String = when (plot) {
    is CurvesPlot -> curvesDrawing(plot)
    is TimelinePlot -> timelinesDrawing(plot)
    is OrderPlot -> orderDrawing(plot)
    is SweepPlot -> sweepDrawing(plot, width)
    is HistoryPlot -> historyDrawing(plot)
    is FlamePlot -> "<noscript>A browser with JavaScript draws this graph. The table has the methods.</noscript>"
}

/** Many buttons are collapsed, with few visible curves. */
private fun FlowContent.curveChoiceOf(plot: CurvesPlot, group: String) {
    val legend = Legend(group, plot.curves.mapIndexed { index, curve -> LegendKey(curve.name, curve.mark, index in plot.shown) })
    if (!isMany(legend.keys.size)) return legendOf(legend)
    details("choice") {
        summary { +"Choose among ${legend.keys.size} curves" }
        legendOf(legend)
    }
}

/** A chart that shows one of [names]: buttons to choose, or a list if there are many. */
private fun FlowContent.choiceOf(names: List<String>, chart: String) = div("choices") {
    if (isMany(names.size)) {
        select {
            attributes["aria-label"] = "Cell"
            attributes["data-choice"] = chart
            names.withIndex().groupBy { it.value.substringBefore('/') }.forEach { (part, group) ->
                optGroup(part) {
                    group.forEach { (index, name) ->
                        option {
                            value = "$index"
                            +name
                        }
                    }
                }
            }
        }
    } else {
        names.forEachIndexed { index, name ->
            buttonOf(mapOf("data-choice" to chart, "value" to "$index", "aria-pressed" to "${index == 0}")) { +name }
        }
    }
}

private fun FlowContent.flameChoiceOf(plot: FlamePlot, chart: String) {
    choiceOf(plot.flames.map { it.name }, chart)
    div("choices") {
        buttonOf(mapOf("data-whole" to chart)) { +"Whole graph" }
        input(InputType.search) {
            attributes["data-search"] = chart
            attributes["aria-label"] = "Find a method"
            placeholder = "find a method"
        }
    }
}

/** Buttons that show and hide lines, with their marks; one legend for all charts of a [group]. */
internal class Legend(val group: String, val keys: List<LegendKey>, val published: Boolean = false)

internal class LegendKey(val name: String, val mark: Mark, val shown: Boolean)

/** The legend of each group of sweeps with several lines, by the id of its first chart. */
internal fun legends(charts: List<Chart>): Map<String, Legend> =
    charts.filter { it.plot is SweepPlot }.groupBy { it.group }.entries.associate { (group, own) ->
        val lines = own.flatMap { (it.plot as SweepPlot).lines }
        val keys = lines.distinctBy { it.name }.map { LegendKey(it.name, it.mark, shown = true) }
        own.first().id to Legend(group, keys, lines.any { it.published.isNotEmpty() })
    }.filterValues { it.keys.size > 1 }

internal fun FlowContent.legendOf(legend: Legend) = div("choices legend") {
    legend.keys.forEach { key ->
        buttonOf(mapOf("data-group" to legend.group, "data-line" to key.name, "aria-pressed" to "${key.shown}")) {
            unsafe { raw(sample(key.mark)) }
            +key.name
        }
    }
    if (legend.keys.size > 3) {
        listOf("all" to true, "none" to false).forEach { (word, shown) ->
            buttonOf(mapOf("data-group" to legend.group, "data-all" to "$shown"), classes = "quiet") { +word }
        }
    }
    if (legend.published) {
        span("key") {
            unsafe { raw(PUBLISHED) }
            +"published"
        }
    }
}

internal fun FlowContent.buttonOf(said: Map<String, String>, classes: String? = null, inside: BUTTON.() -> Unit) =
    button(classes = classes) {
        attributes["type"] = "button"
        attributes += said
        inside()
    }

/** A sample of the line with its mark. */
private fun sample(mark: Mark): String {
    val colour = "var(--c${mark.colour})"
    val dashes = mark.stroke.joinToString(" ")
    val line = """<line x1="0" y1="6" x2="34" y2="6" stroke="$colour" stroke-width="2.2" stroke-dasharray="$dashes"/>"""
    val shape = when (mark.shape) {
        "diamond" -> """<path d="M17 1.5 21.5 6 17 10.5 12.5 6Z" fill="$colour"/>"""
        else -> """<circle cx="17" cy="6" r="3.6" fill="$colour"/>"""
    }
    return sampleOf(line + shape)
}

private val PUBLISHED = sampleOf(
    """<line x1="0" y1="6" x2="34" y2="6" stroke="currentColor" stroke-width="1.2" stroke-dasharray="5 4"/>""" +
        """<circle cx="17" cy="6" r="3.4" fill="var(--card)" stroke="currentColor" stroke-width="1.2"/>""",
)

private fun sampleOf(inside: String) =
    """<svg class="sample" width="34" height="12" viewBox="0 0 34 12" aria-hidden="true">$inside</svg>"""
