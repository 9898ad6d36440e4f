package bootdyno.system

import java.io.RandomAccessFile
import java.nio.file.Files
import java.nio.file.Path

/**
 * The last [n] lines of [log] that say something: not empty ones, and of a Java stack trace what happened, not where. Only its end is
 * read.
 */
fun lastLines(log: Path, n: Int): List<String> {
    if (!Files.exists(log)) return emptyList()
    val end = RandomAccessFile(log.toFile(), "r").use { file ->
        file.seek((file.length() - ENOUGH).coerceAtLeast(0))
        ByteArray((file.length() - file.filePointer).toInt()).also(file::readFully)
    }
    return lastLines(end, n)
}

fun lastLines(bytes: ByteArray, n: Int): List<String> {
    val from = (bytes.size - ENOUGH).coerceAtLeast(0)
    return String(bytes, from, bytes.size - from, Charsets.UTF_8).trimEnd().lines().filterNot {
        it.isEmpty() ||
            FRAME.containsMatchIn(it)
    }
        .takeLast(n)
}

private const val ENOUGH = 65_536

/** `	at org.hibernate.Session.open(Session.java:120)`, `	... 36 common frames omitted`. */
private val FRAME = Regex("""^\s+(?:at [\w.$/@<>-]+\(|\.\.\. \d+ (?:more|common frames))""")
