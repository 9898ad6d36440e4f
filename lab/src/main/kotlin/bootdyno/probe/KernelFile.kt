package bootdyno.probe

import java.io.FileInputStream
import java.io.IOException
import java.nio.file.Path
import kotlin.io.path.isDirectory

/** The first [atMost] bytes of a file the kernel makes up while it is read; null when it cannot be read, a file of an ended thread say. */
internal fun readKernelFile(path: Path, atMost: Int = 4096): String? = try {
    FileInputStream(path.toFile()).use { file ->
        val bytes = ByteArray(atMost)
        String(bytes, 0, file.readNBytes(bytes, 0, atMost), Charsets.UTF_8)
    }
} catch (_: IOException) {
    null
}

/** The number after [key] at the start of a line of [text], as in `VmRSS:   120 kB` or `nr_periods 17`. */
internal fun numberAfter(key: String, text: String): Long? {
    var at = text.indexOf(key)
    while (at >= 0) {
        val ends = at + key.length
        val wholeKey = (at == 0 || text[at - 1] == '\n') && ends < text.length && text[ends] in ": \t"
        if (wholeKey) {
            return text.drop(ends).trimStart(':', ' ', '\t').takeWhile { it.isDigit() }.toLongOrNull()
        }
        at = text.indexOf(key, ends)
    }
    return null
}

/** Ids of the threads of a process; empty when it has ended. */
internal fun threadIds(proc: Path, pid: Long): List<Long> =
    proc.resolve("$pid/task").toFile().list().orEmpty().mapNotNull { it.toLongOrNull() }

/** Said once by the probes that live on `/proc`. */
internal fun noProc(proc: Path): String? =
    if (proc.isDirectory()) null else "There is no $proc on this machine, so memory, threads and context switches were not read."
