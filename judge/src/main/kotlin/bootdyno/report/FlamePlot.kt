package bootdyno.report

import bootdyno.model.Frame
import bootdyno.occupancy.ofJdk
import bootdyno.occupancy.own
import bootdyno.profile.Call
import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import kotlinx.serialization.Transient
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonPrimitive

/** Graphs of calls below their callers, one at a time. */
data class FlamePlot(val flames: List<Flame>) : Plot {
    override val kind = "flame"
}

/** A flame graph for the script, which draws it: as SVG, the boxes of a page would take megabytes. Names of methods are stored once. */
@Serializable
internal class FlameFigures(@Transient private val flames: List<Flame> = emptyList()) {
    @Transient
    private val methods = flames.flatMap { it.calls }.flatMap(::methodsOf).distinct()

    private val names: List<String> = methods.map { it.call.removePrefix(".") }

    /** By name: 0 for the application's methods, 1 for libraries, 2 for the JDK. */
    private val origins: List<Int> = methods.map {
        when {
            it.ofApplication -> 0
            it.ofJdk -> 2
            else -> 1
        }
    }

    @SerialName("graphs")
    private val drawn: List<Graph> = methods.withIndex().associate { it.value to it.index }.let { index ->
        flames.map { flame -> Graph(flame.name, flame.calls.flatMap { boxes(it, 0, index) }) }
    }
}

/** All flame graphs as one JSON object, by chart id. */
internal fun flameFigures(charts: List<Chart>): String = flameJson.encodeToString(
    charts.mapNotNull { chart -> (chart.plot as? FlamePlot)?.let { chart.id to FlameFigures(it.flames) } }.toMap(),
)

private val flameJson = Json { encodeDefaults = true }

private const val DIGITS = 3

/** [name]: for the choice. */
data class Flame(val name: String, val calls: List<Call>)

/**
 * [boxes]: each call before its own calls, as depth, index of its name and width. Of two profiles also the share in each, and the change (−1 to 1).
 */
@Serializable
private class Graph(val name: String, val boxes: List<JsonArray>)

/** The entry for rarer stacks has no class. */
internal val Frame.ofApplication: Boolean get() = type.isNotEmpty() && own

private fun methodsOf(call: Call): List<Frame> = listOf(call.method) + call.calls.flatMap(::methodsOf)

private fun boxes(call: Call, depth: Int, index: Map<Frame, Int>): List<JsonArray> {
    val compared = call.compared?.let { listOf(call.share, it.share, it.change) }.orEmpty()
    val own =
        listOf(depth, index.getValue(call.method)).map(::JsonPrimitive) +
            (listOf(call.width) + compared).map { number(it, DIGITS) }
    return listOf(JsonArray(own)) + call.calls.flatMap { boxes(it, depth + 1, index) }
}
