@file:OptIn(ExperimentalSerializationApi::class)

package bootdyno.store

import bootdyno.model.Diagnosis
import bootdyno.model.Experiment
import bootdyno.model.HIDDEN
import bootdyno.model.Plan
import bootdyno.model.TrialRecord
import bootdyno.model.redactCommandLine
import bootdyno.model.redactSettings
import bootdyno.model.redactText
import kotlinx.serialization.ExperimentalSerializationApi
import kotlinx.serialization.KSerializer
import kotlinx.serialization.descriptors.PolymorphicKind
import kotlinx.serialization.descriptors.SerialDescriptor
import kotlinx.serialization.descriptors.StructureKind
import kotlinx.serialization.descriptors.elementDescriptors
import kotlinx.serialization.descriptors.elementNames
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive

/** Fields of an experiment that identify its parts or say where a value is found. They are no secrets, and a resumed run needs them. */
private val KEPT = setOf("name", "subject", "declared", "axis", "on", "only", "baseline", "candidate", "cell") +
    setOf("gates", "capture", "columns", "passwordEnv")

/** Fields of an experiment that nothing is measured with. */
private val FOR_READERS = setOf("title", "question", "source", "claims")

/**
 * The plan with secrets hidden, as run folders and all reports have it: [RunFolder.writePlan] keeps no other. What never was in a folder hides its
 * own by [redactText]: problems of a file, refusals, progress, answers. It can be resumed only with its secrets: [hiddenIn] lists them.
 */
fun redact(plan: Plan): Plan = plan.of(redacted(plan.experiment, Experiment.serializer(), KEPT))

/** Hides secrets in all texts of a trial except those that identify it. */
internal fun redact(record: TrialRecord): TrialRecord = redacted(record, TrialRecord.serializer(), setOf("trial"))

/** Hides secrets in all texts of a diagnosis. */
internal fun redact(diagnosis: Diagnosis): Diagnosis = redacted(diagnosis, Diagnosis.serializer(), emptySet())

/** [value] without secrets in any of its texts, also of a field that is added later; only those of the fields [kept] stay as they are. */
private fun <T> redacted(value: T, form: KSerializer<T>, kept: Set<String>): T =
    Json.decodeFromJsonElement(form, Redaction(kept).of(Json.encodeToJsonElement(form, value), form.descriptor))

private class Redaction(private val kept: Set<String>) {
    // The same few texts stand in each of many thousand threads.
    private val values = HashMap<Pair<String, String>, JsonPrimitive>()
    private val lists = HashMap<List<String>, JsonArray>()
    private val fields = HashMap<SerialDescriptor, Map<String, SerialDescriptor>>()

    fun of(element: JsonElement, form: SerialDescriptor?): JsonElement = when (element) {
        is JsonObject -> {
            val ofClass = form?.takeIf { it.kind == StructureKind.CLASS }
            val fields = ofClass?.let { fields.getOrPut(it) { fieldsOf(element, it) } } ?: fieldsOf(element, form)
            JsonObject(
                element.mapValues { (key, value) ->
                    when {
                        key in kept && key in fields -> value
                        value.isText -> values.getOrPut(key to value.text) { value(key, value.text) }
                        else -> of(value, fields[key] ?: form?.elements?.lastOrNull())
                    }
                },
            )
        }

        is JsonArray -> if (element.all { it.isText }) {
            lists.getOrPut(element.map { it.text }) { JsonArray(redactCommandLine(element.map { it.text }).map(::JsonPrimitive)) }
        } else {
            JsonArray(element.map { of(it, form?.elements?.lastOrNull()) })
        }

        is JsonPrimitive -> if (element.isText) JsonPrimitive(redactText(element.content)) else element
    }

    private fun value(key: String, text: String) = JsonPrimitive(redactSettings(mapOf(key to text)).getValue(key))
}

private val JsonElement.isText: Boolean get() = this is JsonPrimitive && isString

private val JsonElement.text: String get() = jsonPrimitive.content

/** The fields of a class, by name; empty for a map, whose keys the user chose. */
private fun fieldsOf(element: JsonObject, form: SerialDescriptor?): Map<String, SerialDescriptor> = when (form?.kind) {
    StructureKind.CLASS -> form.elementNames.zip(form.elements).toMap()
    PolymorphicKind.SEALED -> fieldsOf(element, form.elements.last().elements.find { it.serialName == element["type"]?.text })
    else -> emptyMap()
}

private val SerialDescriptor.elements: List<SerialDescriptor> get() = elementDescriptors.toList()

/** The secrets that [redact] hides in a plan: `variant tomcat: spring.datasource.password`. Empty: the plan can run unchanged. */
fun hiddenIn(plan: Plan): List<String> =
    (Json.encodeToJsonElement(Experiment.serializer(), plan.experiment).jsonObject - FOR_READERS).flatMap { (key, parts) ->
        if (parts is JsonArray) {
            parts.flatMap { hidden(it, "${key.removeSuffix("s")} ${nameOf(it)}", key) }
        } else {
            hidden(parts, key, key)
        }
    }.distinct()

private fun hidden(element: JsonElement, owner: String, key: String): List<String> = when (element) {
    is JsonObject -> element.flatMap { (name, value) ->
        hidden(value, if (name == "engine") "engine ${nameOf(value)}" else owner, name)
    }

    is JsonArray -> element.flatMap { hidden(it, owner, key) }

    is JsonPrimitive -> listOfNotNull(
        "$owner: ${element.content.takeIf { it != HIDDEN } ?: key}".takeIf { element.isText && HIDDEN in element.content },
    )
}

/** The name of a part of an experiment; a service has that of its variant. */
private fun nameOf(part: JsonElement): String =
    if (part is JsonObject) (part["name"] ?: part["variant"]?.let { it as? JsonObject }?.get("name"))?.text.orEmpty() else ""
