package bootdyno.report

import bootdyno.analyse.number
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonObjectBuilder
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.buildJsonObject
import kotlinx.serialization.json.put

/** A page may hold hundreds of timelines: times are written once for all lines of one, and what never happened is left out. */
internal fun JsonObjectBuilder.timelines(chart: TimelineChart) {
    put("mostX", number(chart.mostX))
    put("panels", JsonArray(chart.panels.map(::JsonPrimitive)))
    put("timelines", JsonArray(chart.timelines.map(::timeline)))
}

private fun timeline(timeline: Timeline): JsonObject {
    val times = timeline.lines.flatMap { line -> line.points.map { it.x } }.distinct().sorted()
    return buildJsonObject {
        put("name", timeline.name)
        put("windowFrom", number(timeline.windowFrom))
        put("windowTo", number(timeline.windowTo))
        put("most", JsonArray(timeline.most.map { number(it) }))
        put("times", JsonArray(times.map { number(it, SHORT) }))
        put("lines", JsonArray(timeline.lines.groupBy { it.panel }.values.flatMap { lines(it, times) }))
    }
}

/** The lines of one panel without those that are zero all the time, but with the first. A line keeps the colour of its place. */
private fun lines(panel: List<TimelineCurve>, times: List<Double>): List<JsonObject> = panel.mapIndexedNotNull { nth, line ->
    if (nth > 0 && line.points.all { it.y == 0.0 }) return@mapIndexedNotNull null
    val values = line.points.associate { it.x to it.y }
    buildJsonObject {
        put("panel", line.panel)
        put("name", line.name)
        put("colour", nth)
        put("values", JsonArray(times.map { time -> values[time]?.let { number(it, SHORT) } ?: JsonNull }))
    }
}
