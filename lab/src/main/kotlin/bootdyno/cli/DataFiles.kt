package bootdyno.cli

import bootdyno.model.Bytes
import bootdyno.plan.FoundData
import java.nio.charset.CharacterCodingException
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.fileSize
import kotlin.io.path.isRegularFile

/** The engine keeps all rows in its memory. */
private const val MOST_DATA = 32 * Bytes.MIB

/** The data file that the experiment [file] calls [name]: beside it, or beside the built-in ones, which it may extend. */
internal fun findData(home: Home, file: Path, name: String): FoundData? {
    val path = listOf(file.toAbsolutePath().resolveSibling(name), home.experimentFolder.resolve(name)).map { it.normalize() }
        .find { it.isRegularFile() } ?: return null
    if (path.fileSize() >
        MOST_DATA
    ) {
        throw InputProblem("$path is larger than ${MOST_DATA / Bytes.MIB} MiB: give a chain fewer rows")
    }
    return try {
        FoundData(path.toString(), Files.readString(path))
    } catch (_: CharacterCodingException) {
        throw InputProblem("$path is not UTF-8: save it as that")
    }
}
