package bootdyno.system

import java.io.ByteArrayOutputStream
import java.io.InputStream

/** Maximum bytes of a line; the rest is skipped. */
private const val LONGEST_LINE = 64 * 1024

/**
 * The lines of another program's output, in constant memory: long lines are cut. Invalid bytes become `�`. Throws [java.io.IOException] while
 * reading.
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
