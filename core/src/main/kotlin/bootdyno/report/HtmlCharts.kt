package bootdyno.report

import kotlinx.html.FlowContent
import kotlinx.html.button
import kotlinx.html.details
import kotlinx.html.div
import kotlinx.html.h3
import kotlinx.html.id
import kotlinx.html.optGroup
import kotlinx.html.option
import kotlinx.html.select
import kotlinx.html.summary

/** An empty box the script draws into; its table says the same to those who do not see it, and without scripts. */
internal fun FlowContent.chartOf(chart: Chart) = div("card") {
    h3 { +chart.title }
    when (chart) {
        is CurvesChart -> curveChoiceOf(chart)
        is TimelineChart -> timelineChoiceOf(chart)
        is OrderChart, is SweepChart -> {}
    }
    div("chart ${kind(chart)}") {
        id = "chart-${chart.id}"
        attributes["role"] = "img"
        attributes["aria-label"] = chart.spoken
    }
    chart.table?.let { table ->
        details {
            summary { +"The same as a table" }
            tableOf(table.on(Medium.HTML))
        }
    }
}

/** Many buttons are folded away, with few curves drawn at first. */
private fun FlowContent.curveChoiceOf(chart: CurvesChart) {
    val keys = chart.curves.mapIndexed { index, curve -> Key(curve.name, curve.mark, index in chart.shown) }
    if (isMany(keys.size)) {
        details("choice") {
            summary { +"Choose among ${keys.size} curves" }
            legendOf(Legend(group(chart), keys))
        }
    } else {
        legendOf(Legend(group(chart), keys))
    }
}

/** One at a time: buttons, or a list where they would be many. */
private fun FlowContent.timelineChoiceOf(chart: TimelineChart) = div("choices") {
    val names = chart.timelines.map { it.name }
    if (isMany(names.size)) {
        select {
            attributes["aria-label"] = "Cell"
            attributes["data-timeline"] = chart.id
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
            button {
                attributes["type"] = "button"
                attributes["data-timeline"] = chart.id
                attributes["value"] = "$index"
                attributes["aria-pressed"] = "${index == 0}"
                +name
            }
        }
    }
}
