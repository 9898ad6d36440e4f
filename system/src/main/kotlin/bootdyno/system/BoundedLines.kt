package bootdyno.system

import java.io.ByteArrayOutputStream
import java.io.InputStream

/** Bytes of a line that are read; what stands behind them is passed over. */
private const val LONGEST_LINE = 64 * 1024

/**
 * The lines of what another program writes, in memory that does not grow with them: a line without an end is cut. Bytes that are no text
 * become `�`. Throws [java.io.IOException] as they are read.
 */
fun InputStream.boundedLines(): Sequence<String> = sequence {
    val stream = buffered()
    val line = ByteArrayOutputStream()
    while (true) {
        val byte = stream.read()
        if (byte < 0 || byte == '\n'.code) {
            if (byte < 0 && line.size() == 0) return@sequence
            yield(line.toString(Charsets.UTF_8).removeSuffix("\r"))
            line.reset()
        } else if (line.size() < LONGEST_LINE) {
            line.write(byte)
        }
    }
}
