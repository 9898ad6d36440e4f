package bootdyno.report

import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObjectBuilder
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.buildJsonArray
import kotlinx.serialization.json.buildJsonObject
import kotlinx.serialization.json.put
import kotlinx.serialization.json.putJsonArray

/** The numbers of the charts as `report.js` draws them, by the chart's id. */
internal fun chartFigures(charts: List<Chart>): String = buildJsonObject {
    charts.forEach { put(it.id, figures(it)) }
}.toString()

private fun figures(chart: Chart): JsonElement = when (chart) {
    is CurvesChart -> buildJsonObject {
        put("kind", "curves")
        put("mostX", number(chart.mostX))
        put("leastY", number(chart.leastY))
        put("mostY", number(chart.mostY))
        put("curves", JsonArray(chart.curves.map(::curve)))
    }

    is TimelineChart -> buildJsonObject {
        put("kind", "timeline")
        put("mostX", number(chart.mostX))
        put("panels", JsonArray(chart.panels.map(::JsonPrimitive)))
        put("timelines", JsonArray(chart.timelines.map(::timeline)))
    }

    is OrderChart -> buildJsonObject {
        put("kind", "order")
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
        put("dots", JsonArray(chart.dots.map(::dot)))
    }
}

private fun curve(curve: Curve) = buildJsonObject {
    put("name", curve.name)
    mark(curve.mark)
    put("known", points(curve.known))
    put("beyond", points(curve.beyond))
}

private fun timeline(timeline: Timeline) = buildJsonObject {
    put("name", timeline.name)
    put("windowFrom", number(timeline.windowFrom))
    put("windowTo", number(timeline.windowTo))
    put("most", JsonArray(timeline.most.map(::number)))
    putJsonArray("lines") {
        timeline.lines.forEach { line ->
            add(
                buildJsonObject {
                    put("panel", line.panel)
                    put("name", line.name)
                    put("points", points(line.points))
                },
            )
        }
    }
}

private fun dot(dot: Dot) = buildJsonObject {
    put("name", dot.name)
    mark(dot.mark)
    put("at", point(dot.at))
}

private fun JsonObjectBuilder.mark(mark: Mark) {
    put("colour", mark.colour)
    put("shape", shape(mark))
}

private fun points(points: List<Point>) = JsonArray(points.map(::point))

private fun point(point: Point) = buildJsonArray {
    add(number(point.x))
    add(number(point.y))
}
