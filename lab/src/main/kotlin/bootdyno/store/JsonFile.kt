package bootdyno.store

import kotlinx.serialization.ExperimentalSerializationApi
import kotlinx.serialization.KSerializer
import kotlinx.serialization.SerializationException
import kotlinx.serialization.json.Json
import java.nio.file.Files
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

    /** Fails with a [RunFolderException] that names the file. */
    fun <T> read(serializer: KSerializer<T>, path: Path): T = explained("read", path) {
        try {
            json.decodeFromString(serializer, Files.readString(path))
        } catch (failure: SerializationException) {
            throw damaged(path, failure)
        } catch (failure: IllegalArgumentException) {
            throw damaged(path, failure)
        }
    }

    private fun damaged(path: Path, failure: Exception) =
        RunFolderException("Cannot read $path: it is damaged (${failure.message.orEmpty().lineSequence().first()}).", failure)
}
