package bootdyno.launch

import java.io.IOException
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.StandardCopyOption

/** Maps every byte to one character, without loss. */
private val BYTES = Charsets.ISO_8859_1

/**
 * Rewrites each line of [log] by [hide], by line because a log may be larger than the memory. A log without secrets stays untouched. Where a full
 * disk prevents this, only the reason is left of it.
 */
internal fun cleanLog(log: Path, hide: (String) -> String) {
    if (!Files.exists(log)) return
    if (!readerOf(log).useLines { lines -> lines.any { hide(it) != it } }) return
    val clean = log.resolveSibling("${log.fileName}.clean")
    try {
        Files.newBufferedWriter(clean, BYTES).use { out -> readerOf(log).forEachLine { out.append(hide(it)).append('\n') } }
        Files.move(clean, log, StandardCopyOption.REPLACE_EXISTING)
    } catch (full: IOException) {
        Files.deleteIfExists(clean)
        Files.writeString(log, "This log had a password, and could not be written without it: ${full.message}.\n")
    }
}

private fun readerOf(log: Path) = Files.newBufferedReader(log, BYTES)
