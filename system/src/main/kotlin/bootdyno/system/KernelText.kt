package bootdyno.system

import java.io.IOException
import java.nio.file.Files
import java.nio.file.Path

/** The text of a kernel file; null when it is not there or may not be read (processes end while we look). */
fun readOrNull(file: Path): String? = try {
    Files.readString(file)
} catch (_: IOException) {
    null
}
