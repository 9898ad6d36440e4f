package bootdyno.engine

import bootdyno.model.BrokenCsv
import bootdyno.model.DataTable
import bootdyno.model.readCsv
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.attribute.FileTime

/** Reads the data file of an order, and keeps the last file, because a warm-up drives an order many times. Used by one thread. */
class DataRows {
    private data class Kept(val path: Path, val size: Long, val changed: FileTime, val table: DataTable)

    private var kept: Kept? = null

    /** Files of another machine, by their path there. */
    private val given = mutableMapOf<String, DataTable>()

    /** Takes the content of a file that is not on this machine, instead of reading it. */
    fun give(path: String, csv: String) {
        given[path] = parse(path, csv)
    }

    /** Null for an order without data. Fails with a message for the user if the file is missing or invalid. */
    fun of(order: LoadOrder): DataTable? {
        val name = order.data ?: return null
        given[name]?.let { return it }
        val path = Path.of(name)
        require(Files.isReadable(path)) { "there is no readable data file $path" }
        val size = Files.size(path)
        val changed = Files.getLastModifiedTime(path)
        val last = kept?.takeIf { it.path == path && it.size == size && it.changed == changed }
        return last?.table ?: parse("$path", Files.readString(path)).also { kept = Kept(path, size, changed, it) }
    }

    private fun parse(path: String, csv: String): DataTable = try {
        readCsv(csv)
    } catch (broken: BrokenCsv) {
        throw IllegalArgumentException(broken.inFile(path))
    }
}

/** The rows of [part], which no other part uses, however often it starts over; all of them if there are fewer rows than parts. */
internal fun DataTable.of(part: LoadPart): DataTable =
    if (part.of == 1 || rows.size < part.of) this else DataTable(columns, rows.filterIndexed { number, _ -> number in part })

/** The rows of an order's data file; null without one. @throws EngineFailed if the file is missing or invalid */
fun readRows(order: LoadOrder): DataTable? = try {
    DataRows().of(order)
} catch (unreadable: IllegalArgumentException) {
    throw EngineFailed(unreadable.message.orEmpty())
}
