package bootdyno.report

import bootdyno.analyse.ProtocolPair
import bootdyno.analyse.Sweep
import bootdyno.analyse.SweptComparison
import bootdyno.analyse.SweptLine
import bootdyno.stats.Passing
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.buildJsonObject
import kotlinx.serialization.json.put
import kotlinx.serialization.json.putJsonObject

/** A swept axis of `report.json`: its curves by the ids of their cells, whose figures stand with the cells. */
internal fun sweep(sweep: Sweep) = buildJsonObject {
    put("axis", sweep.axis)
    put("profile", sweep.profile)
    put("lines", JsonArray(sweep.lines.map(::sweptLine)))
}

private fun sweptLine(swept: SweptLine) = buildJsonObject {
    put("name", swept.name)
    put("baseline", swept.baseline)
    put(
        "points",
        JsonArray(
            swept.points.map { point ->
                buildJsonObject {
                    put("value", number(point.value))
                    put("cell", point.cell.text)
                }
            },
        ),
    )
    put("comparisons", JsonArray(swept.against.map(::against)))
}

private fun against(comparison: SweptComparison) = buildJsonObject {
    put("metric", comparison.measure.word)
    put(
        "ratios",
        JsonArray(
            comparison.ratios.map { at ->
                buildJsonObject {
                    put("value", number(at.value))
                    put("ratio", estimate(at.ratio, "1"))
                    put("bound", wireName(at.bound))
                }
            },
        ),
    )
    when (val pays = comparison.pays) {
        null -> put("pays", JsonNull)

        is Passing.Everywhere -> putJsonObject("pays") { put("where", "everywhere") }

        is Passing.Nowhere -> putJsonObject("pays") { put("where", "nowhere") }

        is Passing.At -> putJsonObject("pays") {
            put("where", "from")
            put("value", number(pays.x))
            put("low", number(pays.reach?.low))
            put("high", number(pays.reach?.high))
        }
    }
}

/** The same cell cold and warm. */
internal fun protocolPair(pair: ProtocolPair) = buildJsonObject {
    put("cell", pair.name)
    put("cold", pair.cold.text)
    put("steady", pair.steady.text)
    put("throughputRatio", pair.ratio?.let { estimate(it, "1") } ?: JsonNull)
}
