package bootdyno.store

import bootdyno.model.Plan
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive

/** [plan] with other paths of its files: new ones by old ones. */
fun withPaths(plan: Plan, paths: Map<String, String>): Plan =
    JsonFile.of(PlanFile, withTexts(JsonFile.tree(PlanFile, plan), paths))

/** Whether a text of [plan] is [path]. */
fun mentions(plan: Plan, path: String): Boolean {
    fun isIn(tree: JsonElement): Boolean = when (tree) {
        is JsonObject -> tree.values.any(::isIn)
        is JsonArray -> tree.any(::isIn)
        is JsonPrimitive -> tree.isString && tree.content == path
    }
    return isIn(JsonFile.tree(PlanFile, plan))
}

/** [tree] with other texts: new ones by old ones. */
internal fun withTexts(tree: JsonElement, texts: Map<String, String>): JsonElement = when (tree) {
    is JsonObject -> JsonObject(tree.mapValues { (_, value) -> withTexts(value, texts) })
    is JsonArray -> JsonArray(tree.map { withTexts(it, texts) })
    is JsonPrimitive -> texts[tree.content]?.takeIf { tree.isString }?.let { JsonPrimitive(it) } ?: tree
}
