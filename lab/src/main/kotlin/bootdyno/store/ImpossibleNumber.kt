package bootdyno.store

import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive

/** The first number in [tree] that is below zero or above [most], with its path, as a sentence without its end; null where there is none. */
internal fun impossibleNumber(tree: JsonElement, most: Double, path: String = ""): String? = when (tree) {
    is JsonObject -> tree.firstNotNullOfOrNull { (key, value) ->
        impossibleNumber(value, most, if (path.isEmpty()) key else "$path.$key")
    }

    is JsonArray -> tree.withIndex().firstNotNullOfOrNull { (index, value) -> impossibleNumber(value, most, "$path[$index]") }

    is JsonPrimitive -> {
        val number = if (tree.isString) null else tree.content.toDoubleOrNull()
        if (number == null || number in 0.0..most) null else "$path is ${tree.content}, which is impossible"
    }
}
