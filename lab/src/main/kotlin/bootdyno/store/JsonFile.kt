package bootdyno.store

import kotlinx.serialization.ExperimentalSerializationApi
import kotlinx.serialization.KSerializer
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonElement
import java.nio.file.Path

/** The newest version of the run folder that this program writes and reads. */
internal const val SCHEMA_VERSION = 1

/** How the run folder's JSON is written: readable, complete, open to fields of later versions. */
internal object JsonFile {
    @OptIn(ExperimentalSerializationApi::class)
    private val json = Json {
        prettyPrint = true
        prettyPrintIndent = "  "
        encodeDefaults = true
        ignoreUnknownKeys = true
    }

    fun <T> text(serializer: KSerializer<T>, value: T): String = json.encodeToString(serializer, value) + "\n"

    /** Fails with a [DamagedFile]. */
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
}
