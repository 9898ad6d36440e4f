package bootdyno.engine

import bootdyno.system.readOrNull
import java.nio.file.Path
import kotlin.io.path.extension
import kotlin.io.path.isRegularFile

/** The text of a [script], and of the files that it imports by relative paths, or names as classes of Java; empty if it cannot be read. */
fun codeOf(script: Path): String = buildMap<Path, String> {
    val waiting = ArrayDeque(listOf(script.toAbsolutePath().normalize()))
    while (waiting.isNotEmpty() && size < MOST_FILES) {
        val file = waiting.removeFirst().takeIf { it !in this } ?: continue
        val text = file.takeIf { it.isRegularFile() }?.let(::readOrNull).orEmpty()
        put(file, text)
        IMPORTED.findAll(text).mapTo(waiting) { file.resolveSibling(it.groupValues[1]).normalize() }
        if (file.extension == "java") waiting += classesIn(text, file.parent)
    }
}.values.joinToString("\n")

/** The files of classes that [code] of Java in [folder] names, of its own package and of those that it imports from. */
private fun classesIn(code: String, folder: Path): List<Path> {
    val root = packageIn(code).split('.').filter { it.isNotEmpty() }.fold(folder) { at, _ -> at.parent ?: at }
    val folders = listOf(folder) + IMPORTED_PACKAGE.findAll(code).map { root.resolve(it.groupValues[1].replace('.', '/')) }
    val names = CLASS.findAll(code).map { "${it.value}.java" }.toSet()
    return folders.distinct().flatMap { at -> names.map(at::resolve) }.filter { it.isRegularFile() }
}

/** The package that [code] of Java declares; empty without one. */
fun packageIn(code: String): String = PACKAGE.find(code)?.groupValues?.get(1).orEmpty()

/** The path of the address that [code] has for the case that it gets none: `/api` of `__ENV.BASE_URL || 'http://localhost:8080/api'`. */
fun pathOfDefault(code: String): String = DEFAULT.find(code)?.groupValues?.get(1).orEmpty()

/** The first group of each [address] in [code] outside lines of comment; this machine has one name. */
fun addressesIn(code: String, address: Regex): Set<String> = address.findAll(COMMENT_LINE.replace(code, ""))
    .mapNotNull { it.groups[1]?.value?.lowercase()?.replace("127.0.0.1", "localhost") }.toSet()

/** The doubt about [addresses] of a [script], a word for it, if several lead to the subject; empty if there is nothing to say. */
fun allToSubject(script: String, addresses: Collection<String>): Map<String, Long> = mapOf(
    "addresses of the $script, all sent to the subject (${addresses.joinToString()})" to addresses.size.toLong(),
).filterValues { it > 1 }

private const val MOST_FILES = 100
private val COMMENT_LINE = Regex("""(?m)^[ \t]*(?://|\*).*""")
private val IMPORTED = Regex("""\b(?:from|import|require\()\s*["'](\.{1,2}/[^"'\u0000]{1,200})["']""")
private val PACKAGE = Regex("""(?m)^[ \t]*package\s+([\w.]+)\s*;""")
private val IMPORTED_PACKAGE = Regex("""(?m)^[ \t]*import\s+(?:static\s+)?([a-z]\w*(?:\.[a-z]\w*)*)\.""")
private val CLASS = Regex("""\b[A-Z]\w*""")
private val DEFAULT = Regex(
    """\b(?:BASE_URL|baseUrl)\b["'`]?]?\s{0,20}(?:\|\||\?\?|,)\s{0,20}""" +
        """["'`]https?://[^"'`/\s]{1,255}(/[^"'`\s?#]{0,255})["'`]""",
)
