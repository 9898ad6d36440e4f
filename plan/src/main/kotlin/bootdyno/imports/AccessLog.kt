package bootdyno.imports

import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject

/** Request line and status of the common and the combined format, anywhere in a line. */
private val LINE = Regex(""""([A-Z]+) (\S+) HTTP/[\d.]+" (\d{3})\b""")
private val REQUEST = Regex("""([A-Z]+) (\S+)(?: HTTP/[\d.]+)?""")
private val MONITORING = Regex("""(?:^|/)actuator(?:/|$)""")

/** Keys of JSON lines, in small letters without signs, as Tomcat, Logback and the Elastic Common Schema name them. */
private val LINE_KEYS = listOf("request", "requestline", "requestedurl")
private val METHOD_KEYS = listOf("method", "requestmethod", "httprequestmethod", "httpmethod")
private val TARGET_KEYS = listOf("requesturi", "uri", "requesteduri", "urloriginal", "requestpath", "urlpath", "path", "url")
private val QUERY_KEYS = listOf("query", "querystring", "args", "urlquery")
private val STATUS_KEYS = listOf("status", "statuscode", "httpresponsestatuscode", "responsestatus", "downstreamstatus")

/** Lines that are looked at to recognise a log. */
private const val FIRST_LINES = 200

/** Longer lines are no entries of a log, but whole documents. */
private const val LONGEST_LINE = 100_000

/** A request of a log. [target] is path and query. */
internal data class Logged(val method: String, val target: String, val status: Int)

internal fun isAccessLog(text: String) = text.lineSequence().take(FIRST_LINES).any { LINE.containsMatchIn(it) }

internal fun isJsonLog(text: String) = text.lineSequence().take(FIRST_LINES)
    .any { it.length <= LONGEST_LINE && it.trimEnd().endsWith("}") && jsonLine(it)?.let(::inJson) != null }

private fun isMonitoring(path: String) = MONITORING.containsMatchIn(path.substringBefore('?'))

/** Counts the GET and HEAD requests of an access log and finds their path templates. */
internal fun readAccessLog(text: String, collected: Collected) {
    val logged = linkedMapOf<Logged, Int>()
    text.lineSequence().filter { it.isNotBlank() }.forEach { line ->
        val one = if (line.startsWith("{")) jsonLine(line)?.let(::inJson) else inText(line)
        if (one == null) collected.leaveOut("no request in the line", line.take(40)) else logged.merge(one, 1, Int::plus)
    }
    val repeated = linkedMapOf<Logged, Int>()
    logged.forEach { (one, count) ->
        val target = safeTarget(one.target)
        val shown = "${one.method} ${one.target.substringBefore('?')}"
        val status = statusOfRepeated(one.status)
        when {
            one.method != "GET" && one.method != "HEAD" ->
                collected.leaveOut("only GET and HEAD are replayed, because a log has no bodies", shown, count)

            status == null -> collected.leaveOut("status ${one.status}", shown, count)

            isMonitoring(one.target) -> collected.leaveOut("monitoring", shown, count)

            hasSecretSegment(target.text) -> collected.leaveOut("its path has a secret", shown, count)

            else -> {
                target.secrets.forEach { collected.secret(it, count) }
                repeated.merge(Logged(one.method, target.text, status), count, Int::plus)
            }
        }
    }
    addTemplates(repeated, collected)
}

private fun inText(line: String): Logged? =
    LINE.find(line)?.destructured?.let { (method, target, status) -> Logged(method, target, status.toInt()) }

private fun inJson(entry: JsonObject): Logged? {
    val flat = linkedMapOf<String, String>()
    flatten(entry, "", flat)
    fun of(keys: List<String>) = keys.firstNotNullOfOrNull(flat::get)
    val line = LINE_KEYS.firstNotNullOfOrNull { key -> flat[key]?.let(REQUEST::matchEntire) }
    val method = line?.groupValues?.get(1) ?: of(METHOD_KEYS)?.uppercase()
    val path = line?.groupValues?.get(2) ?: of(TARGET_KEYS)
    val status = of(STATUS_KEYS)?.toIntOrNull()
    // A text log inside JSON, as structured logging of Spring Boot writes it.
    if (method == null || path == null || status == null) return flat["message"]?.let(::inText)
    val query = of(QUERY_KEYS)?.removePrefix("?")?.takeIf { it.isNotEmpty() && '?' !in path }
    return Logged(method, path + query?.let { "?$it" }.orEmpty(), status)
}

/** Values by the names of their keys and those of the maps around, in small letters without signs. */
private fun flatten(entry: JsonElement, prefix: String, flat: MutableMap<String, String>) {
    (entry as? JsonObject)?.forEach { (key, value) ->
        val name = prefix + key.lowercase().filter(Char::isLetterOrDigit)
        value.text?.let { flat[name] = it }
        if (name.length < 80) flatten(value, name, flat)
    }
}
