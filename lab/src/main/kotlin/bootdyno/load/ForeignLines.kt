package bootdyno.load

import java.io.ByteArrayOutputStream
import java.io.InputStream
import java.nio.file.Files
import java.nio.file.Path

/**
 * The lines of what another program writes, in memory that does not grow with them: what a line has beyond [LONGEST_FOREIGN_LINE] bytes is left out,
 * and bytes that are no text become `�`.
 */
internal fun foreignLines(input: InputStream): Sequence<String> = sequence {
    val buffered = input.buffered()
    val line = ByteArrayOutputStream()
    while (true) {
        val byte = buffered.read()
        if (byte < 0 || byte == '\n'.code) {
            if (byte < 0 && line.size() == 0) return@sequence
            yield(line.toString(Charsets.UTF_8).removeSuffix("\r"))
            line.reset()
        } else if (line.size() < LONGEST_FOREIGN_LINE) {
            line.write(byte)
        }
    }
}

/** The last [count] lines of a log that are not blank; none where it cannot be read. */
internal fun lastForeignLines(log: Path, count: Int): List<String> {
    if (!Files.isReadable(log)) return emptyList()
    return Files.newInputStream(log).use { input ->
        input.skip((Files.size(log) - LOG_END).coerceAtLeast(0))
        foreignLines(input).filter { it.isNotBlank() }.toList().takeLast(count)
    }
}

internal const val LONGEST_FOREIGN_LINE = 1 shl 14
private const val LOG_END = 1L shl 18
