package bootdyno.model

import kotlinx.serialization.SerializationException
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive

/** The way to one value of a JSON answer: `$.persons[0].id`. Of JSONPath names after a dot and places in brackets, and nothing else. */
class JsonPath private constructor(private val steps: List<JsonStep>) {
    /** The text of the string, number or boolean there; null when there is something else, or nothing. */
    fun find(root: JsonElement): String? {
        val found = steps.fold(root as JsonElement?) { element, step -> element?.let(step::of) }
        return (found as? JsonPrimitive)?.takeIf { it !is JsonNull }?.content
    }

    companion object {
        private val FORM = Regex("""\$((\.[\p{L}\p{N}_-]+)|(\[\d{1,9}]))+""")
        private val STEP = Regex("""\.([\p{L}\p{N}_-]+)|\[(\d+)]""")

        /** Null when [text] has another form. */
        fun parse(text: String): JsonPath? {
            if (!FORM.matches(text)) return null
            return JsonPath(
                STEP.findAll(text).map { match ->
                    val (name, index) = match.destructured
                    if (name.isEmpty()) JsonStep.At(index.toInt()) else JsonStep.Named(name)
                }.toList(),
            )
        }
    }
}

private sealed interface JsonStep {
    fun of(element: JsonElement): JsonElement?

    data class Named(val name: String) : JsonStep {
        override fun of(element: JsonElement) = (element as? JsonObject)?.get(name)
    }

    data class At(val index: Int) : JsonStep {
        override fun of(element: JsonElement) = (element as? JsonArray)?.getOrNull(index)
    }
}

/** [text] as JSON; null when it is none. */
fun jsonOf(text: String): JsonElement? = try {
    Json.parseToJsonElement(text)
} catch (_: SerializationException) {
    null
}
