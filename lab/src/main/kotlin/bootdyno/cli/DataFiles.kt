package bootdyno.cli

import bootdyno.model.Bytes
import bootdyno.plan.FoundData
import java.nio.file.Path
import kotlin.io.path.isRegularFile

/** The engine keeps all rows in its memory. */
private val MOST_DATA = Bytes(32 * Bytes.MIB)

/** The data file that the experiment [file] calls [name]: beside it, or beside the built-in ones, which it may extend. */
internal fun findData(home: Home, file: Path, name: String): FoundData? {
    val path = listOf(file.toAbsolutePath().resolveSibling(name), home.experimentFolder.resolve(name)).map { it.normalize() }
        .find { it.isRegularFile() } ?: return null
    return FoundData(path.toString(), readInput(path, path.toString(), MOST_DATA))
}
