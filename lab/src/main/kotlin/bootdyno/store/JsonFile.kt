package bootdyno.store

import kotlinx.serialization.ExperimentalSerializationApi
import kotlinx.serialization.KSerializer
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import java.nio.file.Path

/** The newest version of the run folder that can be written and read. */
internal const val SCHEMA_VERSION = 1

/** Why a file of [version] cannot be read, as a sentence without a full stop; null if it can. */
internal fun problemOfVersion(version: Int): String? =
    "it has version $version, this Boot Dyno reads up to $SCHEMA_VERSION; use a newer one".takeIf { version > SCHEMA_VERSION }

/** JSON of the run folder: readable, complete, ignoring unknown fields of other versions. */
object JsonFile {
    @OptIn(ExperimentalSerializationApi::class)
    private val json = Json {
        prettyPrint = true
        prettyPrintIndent = "  "
        encodeDefaults = true
        ignoreUnknownKeys = true
    }

    fun <T> text(serializer: KSerializer<T>, value: T): String = json.encodeToString(serializer, value) + "\n"

    /** Throws [DamagedFile]. */
    fun <T> read(serializer: KSerializer<T>, path: Path): T {
        val text = readText(path)
        if (text.isBlank()) throw DamagedFile(path, "it is empty")
        return try {
            parsed(path) { json.decodeFromString(serializer, text) }
        } catch (deep: StackOverflowError) {
            throw DamagedFile(path, "it is nested too deep", deep)
        }
    }

    fun <T> tree(serializer: KSerializer<T>, value: T): JsonElement = json.encodeToJsonElement(serializer, value)

    fun <T> of(serializer: KSerializer<T>, tree: JsonElement): T = json.decodeFromJsonElement(serializer, tree)
}

/** The path of the first number in [tree] that is negative or above [most], as a sentence without a full stop; null without one. */
internal fun impossibleNumber(tree: JsonElement, most: Double): String? = impossible(tree, most)?.removePrefix(".")

/** The path is put together on the way back: only that of an impossible number is needed. */
private fun impossible(tree: JsonElement, most: Double): String? = when (tree) {
    is JsonObject -> tree.firstNotNullOfOrNull { (key, value) -> impossible(value, most)?.let { ".$key$it" } }

    is JsonArray -> tree.withIndex().firstNotNullOfOrNull { (index, value) -> impossible(value, most)?.let { "[$index]$it" } }

    is JsonPrimitive -> {
        val number = if (tree.isString) null else tree.content.toDoubleOrNull()
        if (number == null || number in 0.0..most) null else " is ${tree.content}, which is impossible"
    }
}
