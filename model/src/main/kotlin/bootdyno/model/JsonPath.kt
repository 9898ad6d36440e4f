package bootdyno.model

import kotlinx.serialization.SerializationException
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive

/** The path of a value in a JSON response: `$.persons[0].id`. Supports only names after dots and indices in brackets. */
class JsonPath private constructor(private val steps: List<(JsonElement) -> JsonElement?>) {
    /** The string, number or boolean at this path as text; null for anything else. */
    fun find(root: JsonElement): String? {
        val found = steps.fold(root as JsonElement?) { element, step -> element?.let(step) }
        return (found as? JsonPrimitive)?.takeIf { it !is JsonNull }?.content
    }

    companion object {
        private val FORM = Regex("""\$((\.[\p{L}\p{N}_-]+)|(\[\d{1,9}]))+""")
        private val STEP = Regex("""\.([\p{L}\p{N}_-]+)|\[(\d+)]""")

        /** Null if [text] is not such a path. */
        fun parse(text: String): JsonPath? {
            if (!FORM.matches(text)) return null
            return JsonPath(
                STEP.findAll(text).map { match ->
                    val (name, index) = match.destructured
                    if (name.isEmpty()) elementAt(index.toInt()) else elementOf(name)
                }.toList(),
            )
        }

        private fun elementOf(name: String) = { element: JsonElement -> (element as? JsonObject)?.get(name) }

        private fun elementAt(index: Int) = { element: JsonElement -> (element as? JsonArray)?.getOrNull(index) }
    }
}

/** [text] as JSON; null if invalid. */
fun jsonOf(text: String): JsonElement? = try {
    Json.parseToJsonElement(text)
} catch (_: SerializationException) {
    null
}
