package bootdyno.engine

import bootdyno.system.readOrNull
import java.nio.file.Path
import kotlin.io.path.isRegularFile

/** The text of a [script], and of the files that it imports by relative paths; empty if it cannot be read. */
fun codeOf(script: Path): String = buildMap<Path, String> {
    val waiting = ArrayDeque(listOf(script.toAbsolutePath().normalize()))
    while (waiting.isNotEmpty() && size < MOST_FILES) {
        val file = waiting.removeFirst().takeIf { it !in this } ?: continue
        val text = file.takeIf { it.isRegularFile() }?.let(::readOrNull).orEmpty()
        put(file, text)
        IMPORTED.findAll(text).mapTo(waiting) { file.resolveSibling(it.groupValues[1]).normalize() }
    }
}.values.joinToString("\n")

/** The path of the address that [code] has for the case that it gets none: `/api` of `__ENV.BASE_URL || 'http://localhost:8080/api'`. */
fun pathOfDefault(code: String): String = DEFAULT.find(code)?.groupValues?.get(1).orEmpty()

private const val MOST_FILES = 100
private val IMPORTED = Regex("""\b(?:from|import|require\()\s*["'](\.{1,2}/[^"'\u0000]{1,200})["']""")
private val DEFAULT = Regex(
    """\b(?:BASE_URL|baseUrl)\b["'`]?]?\s{0,20}(?:\|\||\?\?|,)\s{0,20}""" +
        """["'`]https?://[^"'`/\s]{1,255}(/[^"'`\s?#]{0,255})["'`]""",
)
