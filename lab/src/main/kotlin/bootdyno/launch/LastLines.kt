package bootdyno.launch

import java.io.RandomAccessFile
import java.nio.file.Files
import java.nio.file.Path

/** The last [n] lines of [log] that are not empty. Only its end is read: a process may have written gigabytes. */
internal fun lastLines(log: Path, n: Int): List<String> {
    if (!Files.exists(log)) return emptyList()
    val end = RandomAccessFile(log.toFile(), "r").use { file ->
        file.seek((file.length() - 65_536).coerceAtLeast(0))
        ByteArray((file.length() - file.filePointer).toInt()).also(file::readFully)
    }
    return String(end, Charsets.UTF_8).trimEnd().lines().filter { it.isNotEmpty() }.takeLast(n)
}
