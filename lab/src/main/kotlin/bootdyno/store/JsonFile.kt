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
    /** What Boot Dyno writes has ten levels; a reader of thousands runs out of stack. */
    private const val DEEPEST = 100

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
        if (levels(text) > DEEPEST) throw DamagedFile(path, "it is nested more than $DEEPEST levels deep")
        return parsed(path) { json.decodeFromString(serializer, text) }
    }

    fun <T> tree(serializer: KSerializer<T>, value: T): JsonElement = json.encodeToJsonElement(serializer, value)

    /** How deep brackets open, those in texts apart. */
    private fun levels(text: String): Int {
        var open = 0
        var deepest = 0
        var quoted = false
        var escaped = false
        text.forEach { c ->
            when {
                escaped -> escaped = false
                quoted && c == '\\' -> escaped = true
                c == '"' -> quoted = !quoted
                quoted -> Unit
                c == '{' || c == '[' -> deepest = maxOf(deepest, ++open)
                c == '}' || c == ']' -> open--
            }
        }
        return deepest
    }
}
