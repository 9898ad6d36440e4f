package bootdyno.imports

import kotlin.math.abs

/** A request line, quoted or not: a method, signs, a path or an address, and perhaps the version. */
private const val VERSION = """[ ]+(?:HTTP/[\d.]+|h2c?)"""
private val QUOTED = Regex(""""([A-Z]{3,20}) ([^"\\\s]{0,16000}+(?:\\.[^"\\\s]{0,16000}+)*+)$VERSION"""")
private val PLAIN =
    Regex("""(?<![A-Za-z0-9/_=-])($LOGGED_METHODS)[^A-Za-z0-9/\\]{1,20}((?:https?:/)?/[^\s"|]{0,16000})(?:$VERSION)?""")

/** A path before its method. */
private val TURNED = Regex("""(?<![^\s"])((?:https?:/)?/[^\s"|]{0,16000})"?\s+"?($LOGGED_METHODS)(?![A-Za-z0-9/_=-])""")

/** Statuses that servers answer with (IANA, and those of nginx, AWS and Cloudflare). */
private val STATUS = Regex("100|101|103|20[0-8]|226|30[0-8]|4[0-4]\\d|451|46[03]|49[4-9]|50\\d|51[01]|5[23]\\d|561")

/** Between the words of a line: `200|12 ms`, and `TCP_MISS/200` of Squid. */
private val BETWEEN = Regex("""[\s|;,]+|(?<=[A-Z])/(?=[1-5]\d\d\b)""")

/** Words before and after a request line that may be its status. */
private const val MOST_WORDS = 30

/** Characters of a line before and after a request line that are read. */
private const val MOST_CHARACTERS = 4_000

/** A request line in a text, and the words around it by their distance from it: 0 is the next word, -1 the word before. */
private class FoundLine(val method: String, val target: String, val words: Map<Int, String>) {
    fun status(at: Int): Int? = words[at]?.takeIf(STATUS::matches)?.toInt()
}

/**
 * Requests in lines of text. The status stands in the same place in each line: where the [sample] has statuses most often, and of
 * such places the nearest to the request.
 */
internal class LogLines(sample: Sequence<String>) {
    private val places: List<Int> = sample.mapNotNull { linesIn(it).firstOrNull() }
        .flatMap { line -> line.words.keys.filter { line.status(it) != null } }.groupingBy { it }.eachCount().entries
        .sortedWith(compareBy({ -it.value }, { if (it.key < 0) abs(it.key) else it.key + 1 }, { it.key })).map { it.key }

    fun read(line: String): Logged? {
        val usual = places.firstOrNull() ?: return null
        val lines = linesIn(line)
        val found = lines.find { it.status(usual) != null } ?: lines.firstOrNull() ?: return null
        val status = places.firstNotNullOfOrNull(found::status) ?: return null
        return Logged(found.method, unescaped(found.target), status)
    }
}

/** Whether [line] has a request line in double quotes with a status behind, as in the common and the combined format. */
internal fun isCommonLine(line: String): Boolean = QUOTED.find(line)?.let { found ->
    STATUS.matchesAt(line.substring(found.range.last + 1).trimStart { it.isWhitespace() || it in "|;," }, 0)
} == true

/** Whether [line] has a whole request line in double quotes. */
internal fun isQuotedLine(line: String): Boolean = QUOTED.containsMatchIn(line)

/** The request in [line]. Between commas its path ends with its field; further ones are of a path that has commas itself. */
private fun linesIn(line: String): Sequence<FoundLine> {
    val found = QUOTED.find(line) ?: PLAIN.find(line)
    val turned = if (found == null) TURNED.find(line) else null
    val match = found ?: turned ?: return emptySequence()
    val (first, written) = match.destructured
    val sign = match.groups[2]?.let { line.getOrNull(it.range.first - 1) }?.takeIf { it in ",;" }
    val parts = if (sign == null) listOf(written) else written.split(sign)
    val before = wordsOf(line.substring(0, match.range.first).removeSuffix("\"").takeLast(MOST_CHARACTERS)).takeLast(MOST_WORDS)
    val behind = line.substring(match.range.last + 1).removePrefix("\"")
    return (1..minOf(parts.size, MOST_WORDS)).asSequence().map { fields ->
        val second = parts.take(fields).joinToString("$sign")
        val after = wordsOf((written.substring(second.length) + behind).take(MOST_CHARACTERS)).take(MOST_WORDS)
        val words = after.withIndex().associate { (at, word) -> at to word } +
            before.reversed().withIndex().associate { (at, word) -> -1 - at to word }
        if (turned == null) FoundLine(first, second.trimEnd(',', ']', ';', '|'), words) else FoundLine(second, first, words)
    }
}

/** A text in quotes, as the name of a browser, is one word: a status behind it has one place. */
private fun wordsOf(text: String): List<String> =
    TEXT.replace(text) { if (it.value.length == 2 || it.value.any(Char::isWhitespace)) "-" else it.value }.trim().split(BETWEEN)
        .map { word -> word.trim { it in STRIPPED }.substringAfter('=') }.filter { it.isNotEmpty() }

private val TEXT = Regex(""""[^"]{0,4000}"""")
private const val STRIPPED = "\"'()[]{},;|:"
private val ESCAPE = Regex("""\\x([0-9A-Fa-f]{2})|\\(["\\])|#([0-9A-F]{2})""")

/** [target] with the bytes that servers log as `\xC3`, as HAProxy does as `#C3`, in percent-encoding. */
internal fun unescaped(target: String): String = if (target.none { it == '\\' || it == '#' }) {
    target
} else {
    ESCAPE.replace(target) { found ->
        val (byte, sign, ofProxy) = found.destructured
        if (sign.isEmpty()) "%" + (byte + ofProxy).uppercase() else "%%%02X".format(sign.single().code)
    }
}
