package bootdyno.cli

import bootdyno.flags.RequestFlag
import bootdyno.flags.bodyFileOf
import bootdyno.measure.InputProblem
import bootdyno.measure.orInputProblem
import bootdyno.measure.orRefused
import bootdyno.model.Bytes
import bootdyno.plan.FoundData
import bootdyno.yaml.textOf
import java.io.IOException
import java.nio.file.AccessDeniedException
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.Path
import kotlin.io.path.exists
import kotlin.io.path.fileSize
import kotlin.io.path.isDirectory
import kotlin.io.path.isRegularFile

/**
 * The text of the file at [path], at most [most]; [shown] is its name in problems. Devices and pipes are not opened, because they may have
 * no end.
 * @throws InputProblem for a file that is unreadable, too large, or not text
 */
internal fun readInput(path: Path, shown: String, most: Bytes): String =
    textOf(shown, readBytes(path, shown, most)).orRefused().value

/** The bytes of the file at [path], as [readInput]. @throws InputProblem with the [hint] for a file that is too large */
internal fun readBytes(path: Path, shown: String, most: Bytes, hint: String = "Split it."): ByteArray {
    val bytes = bytesOf(path, shown, most)
    if (bytes.size > most.count) {
        throw InputProblem("$shown is larger than ${most.count / Bytes.MIB} MiB.\n$hint Nothing was started.")
    }
    return bytes
}

private fun bytesOf(path: Path, shown: String, most: Bytes): ByteArray = try {
    when {
        !path.exists() -> throw InputProblem("There is no file $shown.\nCheck the path.")

        path.isDirectory() -> throw InputProblem("$shown is a folder.\nName the file in it.")

        !path.isRegularFile() -> throw InputProblem("$shown is no regular file.\nSave its content in a file and name that one.")

        // Files of /proc have no size, and some have no end.
        path.fileSize() == 0L -> ByteArray(0)

        else -> Files.newInputStream(path).use { it.readNBytes((most.count + 1).toInt()) }
    }
} catch (_: AccessDeniedException) {
    throw InputProblem("$shown cannot be read: permission denied.\nChange its permissions, or run as its owner.")
} catch (e: IOException) {
    throw InputProblem("$shown cannot be read: ${e.message}")
}

/** Runs [action], which writes [what]. @throws InputProblem with the [remedy] if that fails */
internal fun <T> writing(what: String, remedy: String, action: () -> T): T =
    orInputProblem("$what cannot be written", remedy, action)

/** Of a request. */
internal val MOST_BODY = Bytes(Bytes.MIB)

/** [texts] of `--request` with the content of their files. @throws InputProblem for a file that cannot be read */
internal fun requestFlags(texts: List<String>): List<RequestFlag> = texts.map { text ->
    val name = bodyFileOf(text) ?: return@map RequestFlag(text)
    val file = Path(name)
    if (!file.exists()) {
        throw InputProblem("There is no file $name, the body of --request '$text'.\nPaths are relative to this folder.")
    }
    RequestFlag(text, readInput(file, name, MOST_BODY))
}

/** The engine keeps all rows in memory. */
private val MOST_DATA = Bytes(32 * Bytes.MIB)

/** The data file [name] of the experiment [file]: beside it, or beside the built-in experiments. */
internal fun findData(home: Home, file: Path, name: String): FoundData? {
    val path = listOf(file.toAbsolutePath().resolveSibling(name), home.experimentFolder.resolve(name)).map { it.normalize() }
        .find { it.isRegularFile() } ?: return null
    return FoundData(path.toString(), readInput(path, path.toString(), MOST_DATA))
}
