package bootdyno.store

import bootdyno.model.CellId
import bootdyno.model.Experiment
import bootdyno.model.OpenRate
import bootdyno.model.Plan
import bootdyno.model.Prediction
import kotlinx.serialization.KSerializer
import kotlinx.serialization.Serializable
import kotlinx.serialization.descriptors.SerialDescriptor
import kotlinx.serialization.encoding.Decoder
import kotlinx.serialization.encoding.Encoder
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.JsonTransformingSerializer
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject

/** `plan.json`: each part of the experiment once; cells refer to parts by name. Reads all versions. */
internal object PlanFile : KSerializer<Plan> {
    override val descriptor = SerialDescriptor("bootdyno.Plan", OfAnyVersion.descriptor)

    override fun serialize(encoder: Encoder, value: Plan) {
        val cells = value.cells.map { StoredCell(it.id, it.variant.name, it.workload.name, it.profile.name, it.latencyAt) }
        encoder.encodeSerializableValue(OfAnyVersion, StoredPlan(value.experiment, cells, value.prediction))
    }

    override fun deserialize(decoder: Decoder): Plan = decoder.decodeSerializableValue(OfAnyVersion).run {
        Plan(experiment, cells.map { experiment.cell(it.id, it.variant, it.workload, it.profile, it.latencyAt) }, prediction)
    }
}

@Serializable
private class StoredPlan(val experiment: Experiment, val cells: List<StoredCell>, val prediction: Prediction? = null)

@Serializable
private class StoredCell(
    val id: CellId,
    val variant: String,
    val workload: String,
    val profile: String,
    val latencyAt: List<OpenRate> = emptyList(),
)

/** Converts old versions. */
private object OfAnyVersion : JsonTransformingSerializer<StoredPlan>(StoredPlan.serializer()) {
    override fun transformDeserialize(element: JsonElement): JsonElement = element.jsonObject
        .change("experiment") { experiment ->
            withRepetition(experiment.jsonObject).changeEach("workloads", ::withSteps)
                .change("latencyAt") { byPattern ->
                    JsonObject(byPattern.jsonObject.mapValues { (_, rates) -> ownShares(rates) })
                }
        }
        .changeEach("cells") { cell -> cell.named("variant").named("workload").named("profile").change("latencyAt", ::ownShares) }

    /** Rates were numbers: shares of the capacity of the same trial. */
    private fun ownShares(rates: JsonElement) = JsonArray(
        rates.jsonArray.map { rate ->
            if (rate is JsonPrimitive) JsonObject(mapOf("type" to JsonPrimitive("own-share"), "share" to rate)) else rate
        },
    )

    /** The repetition was called protocol. */
    private fun withRepetition(experiment: JsonObject): JsonObject =
        experiment["protocol"]?.let { JsonObject(experiment - "protocol" + ("repetition" to it)) } ?: experiment

    /** Cells contained copies of their parts. */
    private fun JsonObject.named(part: String): JsonObject = change(part) { (it as? JsonObject)?.getValue("name") ?: it }

    /** A workload had a single request instead of steps. */
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
