package bootdyno.imports

import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject

private val MONITORING = Regex("""(?:^|/)actuator(?:/|$)""")

/** Lines that are looked at to recognise a log, and to find where its lines have their status. */
private const val FIRST_LINES = 200

private const val ESCAPE = '\u001b'
private val COLOUR = Regex("\u001b\\[[0-9;]{0,20}m")

/** A request of a log. [target] is path and query. */
internal data class Logged(val method: String, val target: String, val status: Int)

private fun firstLines(text: String) = linesOf(text).take(FIRST_LINES)

/** The lines that are not blank, without colours of terminals. What is longer than an entry of a log, as a whole document, is cut. */
private fun linesOf(text: String): Sequence<String> = generateSequence(0) { from ->
    text.indexOf('\n', from).takeIf { it >= 0 }?.plus(1)
}.map { from ->
    val end = text.indexOf('\n', from).let { if (it < 0) text.length else it }
    val line = text.substring(from, minOf(end, from + LONGEST_LINE + 1)).removeSuffix("\r")
    if (ESCAPE in line) COLOUR.replace(line, "") else line
}.filter { it.isNotBlank() }

/**
 * Whether [text] is a log of lines of text: one of the first 200 has a quoted request line and a status, or half of them have both in any
 * form.
 */
internal fun isTextLog(text: String): Boolean {
    val lines = firstLines(text).toList()
    if (lines.any { it.startsWith(W3cLines.FIELDS) || isCommonLine(it) }) return true
    val entries = LogEntries(lines.asSequence())
    if (lines.any { isQuotedLine(it) && entries.read(it) != null }) return true
    return lines.count { entries.read(it) != null } * 2 >= lines.size
}

/** Whether [text] is a log of JSON objects, one a line. [isEachObject]: also without a request in any of them. */
internal fun isJsonLog(text: String, isEachObject: Boolean = false): Boolean {
    val lines = firstLines(text)
    if (isEachObject) return lines.take(2).toList().let { first -> first.size == 2 && first.all { jsonIn(it) != null } }
    val entries = LogEntries(lines)
    return lines.any { line -> jsonIn(line)?.takeUnless(::isDocument)?.let(entries::read) != null }
}

/** Documents of other kinds, in one line. */
private fun isDocument(entry: JsonObject) =
    listOf("openapi", "swagger", "paths", "item").any { it in entry } || entry["log"] is JsonObject

/** Reads entries of a log in any format. [sample]: its first lines. */
internal class LogEntries(sample: Sequence<String>) {
    private val seen = SeenFields()
    private val columns = W3cLines(seen)
    private val lines = LogLines(sample.map { line -> jsonIn(line)?.let(::textInside) ?: line })

    /** What is missing in entries with named fields; null without any. */
    val missing: String? get() = seen.missing

    fun isComment(line: String) = columns.isDirective(line)

    fun read(line: String): Logged? {
        if (isComment(line)) return null
        val json = jsonIn(line)
        return if (json != null) read(json) else inText(line)
    }

    fun read(entry: JsonObject): Logged? = inJson(entry, seen, inText = ::inText)

    private fun inText(line: String): Logged? = columns.read(line) ?: lines.read(line) ?: inPairs(line, seen)

    private fun textInside(entry: JsonObject): String? = entry.values.mapNotNull { it.text }.maxByOrNull { it.length }
}

/** Counts the GET and HEAD requests of an access log and finds their path templates. Returns what is missing if no entry has a request. */
internal fun readAccessLog(text: String, collected: Collected): String? {
    val entries = LogEntries(firstLines(text))
    val lines = linesOf(text).filter { !entries.isComment(it) }
    return readEntries(lines.map { ShownLine(it.take(SHOWN), entries.read(it)) }, collected) { entries.missing }
}

/** The same of a JSON array of entries. */
internal fun readAccessLog(array: List<JsonElement>, collected: Collected): String? {
    val entries = LogEntries(emptySequence())
    val elements = array.asSequence().map { ShownLine("an element of the array", (it as? JsonObject)?.let(entries::read)) }
    return readEntries(elements, collected) { entries.missing }
}

private const val SHOWN = 40

private data class ShownLine(val shown: String, val logged: Logged?)

private fun readEntries(entries: Sequence<ShownLine>, collected: Collected, missing: () -> String?): String? {
    val logged = linkedMapOf<Logged, Int>()
    entries.forEach { (shown, request) ->
        if (request == null) collected.leaveOut("no request in the line", shown) else logged.merge(request, 1, Int::plus)
    }
    if (logged.isEmpty()) return missing()
    val repeated = linkedMapOf<Logged, Int>()
    logged.forEach { (one, count) ->
        val target = safeTarget(one.target)
        val shown = "${one.method} ${one.target.substringBefore('?')}"
        val status = statusOfRepeated(one.status)
        when {
            one.method != "GET" && one.method != "HEAD" ->
                collected.leaveOut("only GET and HEAD are replayed, because a log has no bodies", shown, count)

            status == null -> collected.leaveOut("status ${one.status}", shown, count)

            MONITORING.containsMatchIn(one.target.substringBefore('?')) -> collected.leaveOut("monitoring", shown, count)

            hasSecretSegment(target.text) -> collected.leaveOut("its path has a secret", shown, count)

            else -> {
                target.secrets.forEach { collected.secret(it, count) }
                repeated.merge(Logged(one.method, target.text, status), count, Int::plus)
            }
        }
    }
    addTemplates(repeated, collected)
    return null
}
