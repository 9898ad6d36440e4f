package bootdyno.engines.jmeter

import bootdyno.system.boundedLines
import java.nio.file.Files
import java.nio.file.Path

/**
 * What a `jmeter.log` complains of: the first [most] lines of level ERROR or, with [warnings], WARN, each with the exceptions
 * below it but not their stacks.
 */
internal fun complaints(log: Path, most: Int, warnings: Boolean = false): List<String> {
    if (!Files.isReadable(log)) return emptyList()
    val found = mutableListOf<String>()
    var complaining = false
    Files.newInputStream(log).use { input ->
        input.boundedLines().takeWhile { found.size < most }.forEach { line ->
            if (LEVEL.containsMatchIn(line)) complaining = " ERROR " in line || (warnings && " WARN " in line)
            if (complaining && line.isNotBlank() && !line.startsWith("\t")) found += line.trim()
        }
    }
    return found
}

/** `2026-11-21 18:00:00,123 ERROR o.a.j.JMeter: …` */
private val LEVEL = Regex("""^\d{4}-\d\d-\d\d \S+ (TRACE|DEBUG|INFO|WARN|ERROR|FATAL) """)
