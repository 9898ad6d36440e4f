package bootdyno.report

import bootdyno.analyse.number
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObjectBuilder
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.buildJsonArray
import kotlinx.serialization.json.buildJsonObject
import kotlinx.serialization.json.put
import kotlinx.serialization.json.putJsonArray

/** The numbers of the charts as the script draws them, by the chart's id. */
internal fun chartFigures(charts: List<Chart>): String = buildJsonObject {
    charts.forEach { put(it.id, figures(it)) }
}.toString()

/** What decides how a chart is drawn, and the class of its box. */
internal fun kind(chart: Chart): String = when (chart) {
    is CurvesChart -> "curves"
    is TimelineChart -> "timeline"
    is OrderChart -> "order"
    is SweepChart -> "sweep"
}

/** Lines of this name are hidden and shown together in all charts of the group. */
internal fun group(chart: Chart): String = when (chart) {
    is SweepChart -> chart.group
    is CurvesChart, is TimelineChart, is OrderChart -> chart.id
}

private fun figures(chart: Chart): JsonElement = buildJsonObject {
    put("kind", kind(chart))
    put("group", group(chart))
    when (chart) {
        is CurvesChart -> curves(chart)
        is TimelineChart -> timelines(chart)
        is OrderChart -> order(chart)
        is SweepChart -> sweep(chart)
    }
}

private fun JsonObjectBuilder.curves(chart: CurvesChart) {
    put("mostX", number(chart.mostX))
    put("leastY", number(chart.leastY))
    put("mostY", number(chart.mostY))
    putJsonArray("curves") {
        chart.curves.forEach { curve ->
            add(
                buildJsonObject {
                    put("name", curve.name)
                    mark(curve.mark)
                    put("known", points(curve.known))
                    put("beyond", points(curve.beyond))
                },
            )
        }
    }
}

private fun JsonObjectBuilder.order(chart: OrderChart) {
    put("most", number(chart.most))
    putJsonArray("rounds") {
        chart.rounds.forEach { start ->
            add(
                buildJsonObject {
                    put("round", start.round)
                    put("firstTrial", start.firstTrial)
                },
            )
        }
    }
    putJsonArray("dots") {
        chart.dots.forEach { dot ->
            add(
                buildJsonObject {
                    put("name", dot.name)
                    mark(dot.mark)
                    put("at", point(dot.at))
                },
            )
        }
    }
}

internal fun JsonObjectBuilder.mark(mark: Mark) {
    put("colour", mark.colour)
    put("shape", shape(mark))
    put("stroke", JsonArray(mark.stroke.pattern.map(::JsonPrimitive)))
}

private fun points(points: List<Point>) = JsonArray(points.map { point(it, SHORT) })

/** Of thousands of points on a screen a thousand pixels wide. */
internal const val SHORT = 4

internal fun point(point: Point, digits: Int = 6) = buildJsonArray {
    add(number(point.x, digits))
    add(number(point.y, digits))
}
