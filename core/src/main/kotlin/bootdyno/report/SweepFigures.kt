package bootdyno.report

import bootdyno.analyse.number
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonObjectBuilder
import kotlinx.serialization.json.buildJsonObject
import kotlinx.serialization.json.put

internal fun JsonObjectBuilder.sweep(chart: SweepChart) {
    val across = padded(chart.ticks)
    put("axis", chart.axis)
    put("unit", chart.unit)
    put("ticks", JsonArray(chart.ticks.map { number(it) }))
    put("ticksY", JsonArray(logTicks(chart.leastY, chart.mostY).map { number(it) }))
    put("leastX", number(across.start))
    put("mostX", number(across.endInclusive))
    put("leastY", number(chart.leastY))
    put("mostY", number(chart.mostY))
    put("reference", number(chart.reference))
    put("lines", JsonArray(chart.lines.map { line(it, chart.leastY, across) }))
}

private fun line(line: SweepLine, leastY: Double, across: ClosedFloatingPointRange<Double>) = buildJsonObject {
    put("name", line.name)
    mark(line.mark)
    put("points", JsonArray(line.points.map { point(it, leastY) }))
    put("published", JsonArray(line.published.filter { it.y > 0.0 }.map { point(it) }))
    put("crossing", line.crossing?.let { crossing(it, across) } ?: JsonNull)
}

/** What is zero or less has no place on a logarithmic axis: the line is broken there, a whisker ends at the [leastY] of the axis. */
private fun point(point: SweepPoint, leastY: Double): JsonObject = buildJsonObject {
    put("x", number(point.x))
    put("y", number(point.y.takeIf { it > 0.0 }))
    put("low", number(point.low))
    put("high", number(point.high))
    put("whiskerLow", number(point.low?.coerceAtLeast(leastY)))
    put("whiskerHigh", number(point.high?.coerceAtLeast(leastY)))
    put("beyond", point.beyond)
}

/** Open ends reach as far as the axis does. */
private fun crossing(crossing: Crossing, across: ClosedFloatingPointRange<Double>): JsonElement = buildJsonObject {
    put("x", number(crossing.x))
    put("from", number(crossing.low ?: across.start))
    put("to", number(crossing.high ?: across.endInclusive))
}
