package bootdyno.report

import bootdyno.analyse.EngineComparison
import bootdyno.analyse.EngineSide
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.buildJsonObject
import kotlinx.serialization.json.put
import kotlinx.serialization.json.putJsonObject

/** One cell by each load engine that asked it, in `report.json`. */
internal fun engineComparison(comparison: EngineComparison) = JsonArray(comparison.sides.map(::side))

private fun side(side: EngineSide) = buildJsonObject {
    put("cell", side.cell.text)
    put("engine", side.engine.name)
    put("version", side.version)
    put("throughput", side.throughput?.let { estimate(it, "1/s") } ?: JsonNull)
    put("ownLimit", side.ownLimit)
    put("generatorCpu", side.generatorCpu?.let { estimate(it, "1") } ?: JsonNull)
    put("throughputRatio", side.ratio?.let { estimate(it, "1") } ?: JsonNull)
    putJsonObject("printed") { side.printed.forEach { (name, value) -> put(name, number(value)) } }
}
