package bootdyno.imports

import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject

private val LINE = Regex(""""([A-Z]+) (\S+) HTTP/[\d.]+" (\d{3})\b""")
private val REQUEST = Regex("""([A-Z]+) (\S+)(?: HTTP/[\d.]+)?""")
private val METHOD_KEYS = listOf("method", "requestmethod", "httprequestmethod", "httpmethod")
private val TARGET_KEYS = listOf("requesturi", "uri", "requesteduri", "requestedurl", "requestpath", "urlpath", "path", "url")
private val QUERY_KEYS = listOf("query", "querystring", "args", "urlquery")
private val STATUS_KEYS = listOf("status", "statuscode", "httpresponsestatuscode", "responsestatus", "downstreamstatus")

internal class Logged(val method: String, val target: String, val status: Int)

internal fun isAccessLog(text: String) = text.lineSequence().take(100).any(LINE::containsMatchIn)

internal fun isLoggedRequest(entry: JsonObject) = logged(entry) != null

/** Counts the GET and HEAD requests of an access log and finds their path templates. */
internal fun readAccessLog(text: String, collected: Collected) {
    val counts = linkedMapOf<String, Int>()
    text.lineSequence().filter { it.isNotBlank() }.forEach { line ->
        val one = if (line.startsWith("{")) (jsonOrNull(line) as? JsonObject)?.let(::logged) else inLine(line)
        val what = one?.let { "${it.method} ${it.target.substringBefore('?')}" }
        when {
            one == null || what == null -> collected.leaveOut("no request in the line", line.take(40))
            one.method != "GET" && one.method != "HEAD" -> collected.leaveOut("only GET and HEAD are replayed", what)
            one.status !in 200..299 && one.status != 304 -> collected.leaveOut("status ${one.status}", what)
            targetOf(one.target).startsWith("/actuator") -> collected.leaveOut("monitoring", what)
            else -> counts.merge("${one.method} ${targetOf(one.target)}", 1, Int::plus)
        }
    }
    templates(counts, collected)
}

private fun inLine(line: String): Logged? =
    LINE.find(line)?.destructured?.let { (method, target, status) -> Logged(method, target, status.toInt()) }

private fun logged(entry: JsonObject): Logged? {
    val flat = linkedMapOf<String, String>()
    flatten(entry, "", flat)
    fun of(keys: List<String>) = keys.firstNotNullOfOrNull(flat::get)
    val line = flat["request"]?.let(REQUEST::matchEntire)
    val method = line?.groupValues?.get(1) ?: of(METHOD_KEYS) ?: return null
    val path = line?.groupValues?.get(2) ?: of(TARGET_KEYS) ?: return null
    val query = of(QUERY_KEYS)?.removePrefix("?")?.takeIf { it.isNotEmpty() && '?' !in path }
    return Logged(method, path + query?.let { "?$it" }.orEmpty(), of(STATUS_KEYS)?.toIntOrNull() ?: return null)
}

private fun flatten(entry: JsonElement, prefix: String, flat: MutableMap<String, String>) {
    (entry as? JsonObject)?.forEach { (key, value) ->
        val name = prefix + key.lowercase().filter(Char::isLetterOrDigit)
        value.text?.let { flat[name] = it }
        if (prefix.length < 40) flatten(value, name, flat)
    }
}
