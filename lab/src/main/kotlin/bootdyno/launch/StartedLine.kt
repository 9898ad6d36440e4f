package bootdyno.launch

import java.io.IOException
import java.nio.file.Files
import java.nio.file.Path

/**
 * Seconds in Spring Boot's line `Started OrdersApplication in 2.345 seconds (process running for 2.9)`, which has a dot in every locale;
 * null without it.
 */
internal fun startupIn(text: String): Double? = STARTED.find(text)?.groupValues?.get(1)?.toDoubleOrNull()

/** The beginning of [log], where a start is told of; empty when it cannot be read. */
internal fun firstText(log: Path): String = try {
    Files.newInputStream(log).use { String(it.readNBytes(ENOUGH), Charsets.UTF_8) }
} catch (_: IOException) {
    ""
}

private val STARTED = Regex("""\bStarted \S+ in (\d+(?:\.\d+)?) seconds\b""")
private const val ENOUGH = 65_536
