package bootdyno.engine

import bootdyno.model.CsvRead
import bootdyno.model.DataTable
import bootdyno.model.readCsv
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.attribute.FileTime

/** The rows of an order's data file. The last file read is kept: a warm-up drives the same order many times. Used by one thread. */
class DataRows {
    private data class Kept(val path: Path, val size: Long, val changed: FileTime, val table: DataTable)

    private var kept: Kept? = null

    /** Null where the order has none. Fails, in words for the user, where the file is not there or no CSV. */
    fun of(order: LoadOrder): DataTable? {
        val path = Path.of(order.data ?: return null)
        require(Files.isReadable(path)) { "there is no readable data file $path" }
        val size = Files.size(path)
        val changed = Files.getLastModifiedTime(path)
        val last = kept?.takeIf { it.path == path && it.size == size && it.changed == changed }
        return last?.table ?: read(path).also { kept = Kept(path, size, changed, it) }
    }

    private fun read(path: Path): DataTable = when (val read = readCsv(Files.readString(path))) {
        is CsvRead.Sound -> read.table
        is CsvRead.Unsound -> throw IllegalArgumentException("line ${read.line} of $path ${read.reason}")
    }
}

/** The rows of an order's data file; null where it has none. @throws EngineFailed where the file is not there, or is no CSV file. */
fun readRows(order: LoadOrder): DataTable? = try {
    DataRows().of(order)
} catch (unreadable: IllegalArgumentException) {
    throw EngineFailed(unreadable.message.orEmpty())
}
