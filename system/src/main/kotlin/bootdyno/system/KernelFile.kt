package bootdyno.system

import java.io.FileInputStream
import java.io.IOException
import java.nio.file.Path

/** The text of a kernel file; null when it is not there or may not be read (processes end while we look). */
fun readOrNull(file: Path): String? = try {
    FileInputStream(file.toFile()).use { it.readAllBytes().decodeToString() }
} catch (_: IOException) {
    null
}

/** The number that is all of a kernel file. */
fun readLong(file: Path): Long? = readOrNull(file)?.trim()?.toLongOrNull()

/** The number after [key] in a file as `cpu.stat` is; see [numberAfter]. */
fun readKeyed(file: Path, key: String): Long? = readOrNull(file)?.let { numberAfter(key, it) }

/** The number after [key] at the start of a line of [text], as in `VmRSS:   120 kB` or `nr_periods 17`. */
fun numberAfter(key: String, text: String): Long? {
    var at = text.indexOf(key)
    while (at >= 0) {
        val end = at + key.length
        if ((at == 0 || text[at - 1] == '\n') && end < text.length && text[end] in ": \t") {
            return text.substring(end).trimStart(':', ' ', '\t').takeWhile { it.isDigit() }.toLongOrNull()
        }
        at = text.indexOf(key, end)
    }
    return null
}
