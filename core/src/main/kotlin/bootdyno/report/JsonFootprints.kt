package bootdyno.report

import bootdyno.analyse.Footprint
import bootdyno.analyse.PreparationCost
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.buildJsonObject
import kotlinx.serialization.json.put
import kotlinx.serialization.json.putJsonObject

/** What starting one variant costs, in `report.json`; what holding it costs stands with its cells. */
internal fun footprint(footprint: Footprint) = buildJsonObject {
    put("name", footprint.name)
    put("runtime", footprint.form.word)
    put("inImage", footprint.inImage)
    put("flags", JsonArray(footprint.flags.map(::JsonPrimitive)))
    put("collector", footprint.collector)
    put("heapMax", footprint.heapMax?.count)
    put("cold", footprint.cold?.text)
    put("steady", footprint.steady?.text)
    put("startup", footprint.startup?.let { estimate(it, "s") } ?: JsonNull)
    put("startupCpu", footprint.startupCpu?.let { estimate(it, "s") } ?: JsonNull)
    put("frameworkStartup", footprint.frameworkStartup?.let { estimate(it, "s") } ?: JsonNull)
    put("preparation", footprint.preparation?.let(::preparation) ?: JsonNull)
    put("notRun", footprint.notRun)
}

private fun preparation(cost: PreparationCost) = buildJsonObject {
    put("seconds", cost.seconds?.let { estimate(it, "s") } ?: JsonNull)
    putJsonObject("steps") { cost.steps.forEach { (name, seconds) -> put(name, estimate(seconds, "s")) } }
    putJsonObject("sizes") { cost.sizes.forEach { (artifact, size) -> put(artifact.word, size.count) } }
    put("shipped", cost.shipped?.count)
}
