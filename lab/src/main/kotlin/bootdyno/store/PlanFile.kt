package bootdyno.store

import bootdyno.model.Plan
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonTransformingSerializer
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject

/** `plan.json`, written in today's shape, read in that of every version: the one place that knows how the shape was before. */
internal object PlanFile : JsonTransformingSerializer<Plan>(Plan.serializer()) {
    override fun transformDeserialize(element: JsonElement): JsonElement = element.jsonObject.change("experiment") { experiment ->
        experiment.jsonObject.changeEach("workloads", ::withSteps)
    }.changeEach("cells") { cell -> cell.change("workload") { withSteps(it.jsonObject) } }

    /** A single request stood beside the steps of chains. */
    private fun withSteps(workload: JsonObject): JsonObject {
        if (workload["steps"]?.jsonArray.orEmpty().isNotEmpty()) return workload
        val name = (workload["point"] as? JsonObject)?.get("declared") ?: workload.getValue("name")
        val step =
            JsonObject(workload.filterKeys { it in setOf("method", "path", "headers", "body", "expect") } + ("name" to name))
        return JsonObject(workload + ("steps" to JsonArray(listOf(step))))
    }

    private fun JsonObject.change(key: String, change: (JsonElement) -> JsonElement): JsonObject =
        get(key)?.let { JsonObject(this + (key to change(it))) } ?: this

    private fun JsonObject.changeEach(key: String, change: (JsonObject) -> JsonElement): JsonObject =
        change(key) { list -> JsonArray(list.jsonArray.map { change(it.jsonObject) }) }
}
