package bootdyno.imports

import bootdyno.plan.EmptyNode
import bootdyno.plan.ListNode
import bootdyno.plan.MapNode
import bootdyno.plan.Node
import bootdyno.plan.Place
import bootdyno.plan.Problems
import bootdyno.plan.TextNode
import bootdyno.plan.YamlLimits
import bootdyno.plan.parseYaml
import kotlinx.serialization.SerializationException
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive

private val OFFSET = Regex("""offset (\d+)""")
private val OF_IMPORTS = YamlLimits(LARGEST_IMPORT, values = 2_000_000, depth = 200, hint = "import a part of the file")

/** [text] as JSON; null after a problem with its line. */
internal fun parseJson(file: String, text: String, problems: Problems): JsonElement? = try {
    Json.parseToJsonElement(text)
} catch (e: SerializationException) {
    val said = e.message.orEmpty()
    val offset = OFFSET.find(said)?.groupValues?.get(1)?.toInt()?.coerceIn(0, text.length) ?: 0
    val before = text.substring(0, offset)
    val place = Place(file, before.count { it == '\n' } + 1, before.length - before.lastIndexOf('\n'))
    problems.add(place, "", "this is not JSON: ${said.lineSequence().first().substringAfter(": ")}", "check that the file is complete")
}

internal fun jsonOrNull(text: String): JsonElement? = try {
    Json.parseToJsonElement(text)
} catch (_: SerializationException) {
    null
}

/** YAML [text] as JSON in which every single value is a string; null after a problem. */
internal fun parseYamlDocument(file: String, text: String, problems: Problems): JsonElement? =
    parseYaml(file, text, problems, limits = OF_IMPORTS)?.let(::jsonOf)

private fun jsonOf(node: Node): JsonElement = when (node) {
    is TextNode -> JsonPrimitive(node.text)
    is EmptyNode -> JsonNull
    is ListNode -> JsonArray(node.items.map(::jsonOf))
    is MapNode -> JsonObject(node.fields.associate { it.name to jsonOf(it.value) })
}

internal operator fun JsonElement?.get(name: String): JsonElement? = (this as? JsonObject)?.get(name)

/** The elements of a list; empty for anything else. */
internal val JsonElement?.items: List<JsonElement> get() = (this as? JsonArray).orEmpty()

/** The text of a string, number or boolean. */
internal val JsonElement?.text: String? get() = (this as? JsonPrimitive)?.takeIf { it !is JsonNull }?.content
