package bootdyno.report.format

import bootdyno.model.Measure
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.shouldBe
import kotlinx.serialization.Serializable
import kotlinx.serialization.descriptors.SerialDescriptor
import kotlinx.serialization.descriptors.StructureKind
import kotlinx.serialization.descriptors.elementNames
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import org.junit.jupiter.api.Test
import java.nio.file.Files
import java.nio.file.Path

/** `docs/report.schema.json` has every member of the types, and agrees with them on which may be null. */
class ReportSchemaTest {
    private val text = Files.readString(Path.of("../docs/report.schema.json"))
    private val schema = Json.parseToJsonElement(text).jsonObject

    @Test
    fun `the schema has the members of the types, as they are`() {
        differences(ReportJson.serializer().descriptor, schema, "report").joinToString("\n") shouldBe ""
    }

    @Test
    fun `each measure is named`() {
        Measure.entries.map { it.word }.filterNot { Regex("(?<![\\w.-])${Regex.escape(it)}(?![\\w-])") in text }.shouldBeEmpty()
    }

    @Test
    fun `a member that only one of them has is found`() {
        val without = JsonObject(schema + ("properties" to JsonObject(schema.getValue("properties").jsonObject - "ranking")))
        differences(ReportJson.serializer().descriptor, without, "report") shouldContain "report: ranking is not in the schema"
        differences(EngineWithout.serializer().descriptor, engine(), "side") shouldContain "side: version is in the schema only"
    }

    @Serializable
    private class EngineWithout(val cell: String)

    private fun engine() = resolved(
        schema.getValue("properties").jsonObject.getValue("engines").jsonObject.getValue("items").jsonObject.getValue("items"),
    )

    private fun differences(type: SerialDescriptor, node: JsonObject, at: String): List<String> = when (type.kind) {
        StructureKind.CLASS -> if (type.isInline) emptyList() else members(type, node, at)

        StructureKind.LIST -> differences(type.getElementDescriptor(0), resolved(node.getValue("items")), "$at[]")

        StructureKind.MAP -> node["additionalProperties"]?.let {
            differences(type.getElementDescriptor(1), resolved(it), "$at.*")
        }.orEmpty()

        else -> emptyList()
    }

    private fun members(type: SerialDescriptor, node: JsonObject, at: String): List<String> {
        val properties = node["properties"]?.jsonObject ?: return listOf("$at: the schema names no members")
        val named = type.elementNames.toList()
        val missing = (named - properties.keys).map { "$at: $it is not in the schema" } +
            (properties.keys - named.toSet()).map { "$at: $it is in the schema only" }
        return missing + named.filter { it in properties }.flatMap { name ->
            val index = type.getElementIndex(name)
            val member = type.getElementDescriptor(index)
            val said = properties.getValue(name)
            listOfNotNull(
                "$at.$name: null in the schema is ${mayBeNull(said)}".takeIf { member.isNullable != mayBeNull(said) },
            ) + differences(member, resolved(said), "$at.$name")
        }
    }

    private fun mayBeNull(node: JsonElement): Boolean {
        val said = node.jsonObject
        said["\$ref"]?.let { return false }
        val types =
            (said["type"] as? JsonArray)?.map { it.jsonPrimitive.content }
                ?: listOfNotNull((said["type"] as? JsonPrimitive)?.content)
        return "null" in types || JsonNull in said["enum"]?.jsonArray.orEmpty() || choices(said).any(::mayBeNull)
    }

    private fun choices(node: JsonObject) = (node["oneOf"] ?: node["anyOf"])?.jsonArray.orEmpty()

    /** What a reference or a choice between null and one thing stands for. */
    private fun resolved(node: JsonElement): JsonObject {
        val said = node.jsonObject
        val reference = said["\$ref"]?.jsonPrimitive?.content
        val other = choices(said).filterNot { (it.jsonObject["type"] as? JsonPrimitive)?.content == "null" }
        return when {
            reference != null -> resolved(schema.getValue("\$defs").jsonObject.getValue(reference.substringAfterLast('/')))
            other.size == 1 -> resolved(other.single())
            else -> said
        }
    }
}
