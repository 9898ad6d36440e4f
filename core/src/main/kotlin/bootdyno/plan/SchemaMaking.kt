package bootdyno.plan

import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive

/** Collects the properties of an object's schema. */
internal class OldShape {
    val properties = linkedMapOf<String, JsonObject>()

    fun field(name: String, schema: JsonObject) {
        properties[name] = schema
    }
}

/** A map with known keys, of which at most one of [alternatives]; that there is one may be the business of an extended file. */
internal fun shape(
    description: String,
    required: List<String> = emptyList(),
    alternatives: List<String> = emptyList(),
    fill: OldShape.() -> Unit,
): JsonObject = JsonObject(
    buildMap {
        put("type", JsonPrimitive("object"))
        put("description", JsonPrimitive(description))
        put("properties", JsonObject(OldShape().apply(fill).properties))
        put("additionalProperties", JsonPrimitive(false))
        if (required.isNotEmpty()) put("required", strings(required))
        if (alternatives.isNotEmpty()) put("not", JsonObject(mapOf("anyOf" to pairs(alternatives))))
    },
)

/** A map whose keys the author chooses. A key without a value takes an inherited one away. */
internal fun named(description: String, value: JsonObject) = typed("object", description) {
    put(
        "additionalProperties",
        JsonObject(mapOf("anyOf" to JsonArray(listOf(value, JsonObject(mapOf("type" to JsonPrimitive("null"))))))),
    )
}

/** The map with further keys, those of the form [pattern]. */
internal fun JsonObject.andKeys(pattern: String, value: JsonObject) =
    JsonObject(this + ("patternProperties" to JsonObject(mapOf(pattern to value))))

internal fun string(description: String) = typed("string", description)

/** A text of the form [pattern], a regular expression. */
internal fun formed(description: String, pattern: String) =
    typed("string", description) { put("pattern", JsonPrimitive(pattern)) }

internal fun flag(description: String) = typed("boolean", description)

internal fun number(description: String) = typed("number", description) { put("exclusiveMinimum", JsonPrimitive(0)) }

internal fun share(description: String) = typed("number", description) { put("minimum", JsonPrimitive(0)) }

internal fun wholeNumber(description: String, range: IntRange) = typed("integer", description) {
    put("minimum", JsonPrimitive(range.first))
    put("maximum", JsonPrimitive(range.last))
}

internal fun duration(description: String) = typed("string", description) { put("pattern", pattern("h|min|s|ms|µs|us|ns")) }

internal fun size(description: String) = typed("string", description) { put("pattern", pattern("GiB|MiB|KiB|B")) }

internal fun choice(description: String, words: Set<String>) = typed("string", description) { put("enum", strings(words)) }

/** A single value of any type, understood as text. */
internal fun single(description: String) = JsonObject(
    mapOf("type" to strings(listOf("string", "number", "boolean")), "description" to JsonPrimitive(description)),
)

/** Many single values. */
internal fun stringList(description: String) = typed("array", description) { put("items", single("Any single value.")) }

/** Names of the author's choice, each with a single value. */
internal fun stringMap(description: String) =
    typed("object", description) { put("additionalProperties", single("Any single value.")) }

private fun typed(type: String, description: String, more: MutableMap<String, JsonElement>.() -> Unit = {}) = JsonObject(
    buildMap {
        put("type", JsonPrimitive(type))
        put("description", JsonPrimitive(description))
        more()
    },
)

private fun pattern(units: String) = JsonPrimitive("^[0-9]+([.][0-9]+)? *($units)$")

private fun pairs(keys: List<String>) = JsonArray(
    keys.flatMapIndexed { index, one -> keys.drop(index + 1).map { JsonObject(mapOf("required" to strings(listOf(one, it)))) } },
)
