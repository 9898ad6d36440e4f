package bootdyno.imports

import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject

/**
 * Ends of the names of fields, the best first, in small letters without signs: of Tomcat, Logback, nginx, Envoy, Istio, Traefik, Caddy,
 * load balancers (AWS, Azure, Google, Cloudflare), W3C, OpenTelemetry and the Elastic Common Schema.
 */
private val METHOD_ENDS = listOf("method", "verb")
private val TARGET_ENDS =
    listOf("requesturi", "requesteduri", "urloriginal", "requesturl", "uri", "requestpath", "uristem", "path", "target", "url")
private val QUERY_ENDS = listOf("query", "querystring", "args")
private val STATUS_ENDS = listOf("status", "statuscode", "responsecode", "code", "responsestatus", "statussent", "codesent")
private val NESTED_ENDS = listOf("message", "log", "msg", "line", "textpayload", "original")

/** Words in the names of fields about other servers, pages and files; such a field counts if there is no other. */
private val OF_OTHERS =
    listOf("upstream", "origin", "target", "backend", "referer", "referrer", "file", "user", "redirect", "exit", "error")

internal const val LOGGED_METHODS = "GET|HEAD|POST|PUT|DELETE|PATCH|OPTIONS|TRACE|CONNECT|PROPFIND|REPORT"
private val METHOD = Regex("(?i)$LOGGED_METHODS")
private val REQUEST = Regex("""([A-Z]+) (\S+)(?: HTTP/[\d.]+)?""")

/** Perhaps with its name, as Spring writes it: `200 OK`. */
private val STATUS = Regex("""[1-5]\d\d(?: [A-Za-z_ ]{1,40})?""")
private const val LONGEST_NAME = 80

/** Logs inside logs inside logs. */
private const val DEEPEST = 3

/** A log entry with named fields: JSON, `key=value`, or columns of W3C. Keys are in small letters without signs. */
internal class LogFields(private val values: Map<String, String>) {
    private val line = values.entries.firstNotNullOfOrNull { (name, value) ->
        REQUEST.matchEntire(value)?.takeIf { METHOD.matches(it.groupValues[1]) && (" HTTP/" in value || "request" in name) }
    }
    val method: String? = line?.groupValues?.get(1) ?: best(METHOD_ENDS) { METHOD.matches(it) }?.uppercase()
    private val path = line?.groupValues?.get(2) ?: best(TARGET_ENDS) { it.startsWith("/") || it.startsWith("http") }
    val status: Int? = best(STATUS_ENDS) { STATUS.matches(it) || it == "0" }?.take(3)?.toInt()
    val target: String? = path?.let { it + query(it) }

    private fun query(path: String): String {
        val query = best(QUERY_ENDS) { true }?.removePrefix("?").orEmpty()
        return if (query.isEmpty() || query == "-" || '?' in path) "" else "?$query"
    }

    /** The value that fits, of the field whose name ends with the first of [ends], and has the least before it. */
    private fun best(ends: List<String>, fits: (String) -> Boolean): String? =
        listOf(false, true).firstNotNullOfOrNull { isOfOthers ->
            ends.firstNotNullOfOrNull { end ->
                values.entries.filter { (name, value) -> name.endsWith(end) && isOfOthers(name) == isOfOthers && fits(value) }
                    .minByOrNull { it.key.length }?.value
            }
        }

    private fun isOfOthers(name: String) = OF_OTHERS.any { it in name && it != name }

    val logged: Logged? get() = if (method != null && target != null && status != null) Logged(method, target, status) else null

    /** A log entry inside a field: structured logging of Spring Boot, a container's log. */
    val nested: List<String> get() = NESTED_ENDS.flatMap { end -> values.filterKeys { it.endsWith(end) }.values }.distinct()
}

/** What a log has instead of a request, for a message. */
internal class SeenFields {
    private val names = linkedSetOf<String>()
    private val kinds = mutableSetOf<String>()

    fun see(entry: Collection<String>, fields: LogFields) {
        if (names.size < MOST_NAMES) names += entry.map { it.take(LONGEST_NAME) }
        kinds += listOfNotNull(fields.method?.let { "method" }, fields.target?.let { "path" }, fields.status?.let { "status" })
    }

    /** `no status among: method, path, rc`; null if no fields were seen. */
    val missing: String?
        get() = (listOf("method", "path", "status") - kinds).ifEmpty { listOf("method, path and status in one entry") }
            .joinToString(" and no ", prefix = "no ") { it }
            .takeIf { names.isNotEmpty() }?.let { "$it among its fields: ${names.take(MOST_NAMES).joinToString()}" }
}

private const val MOST_NAMES = 30

/** The request of a JSON [entry], also of a log line inside it. */
internal fun inJson(entry: JsonObject, seen: SeenFields, depth: Int = 0, inText: (String) -> Logged?): Logged? {
    val flat = linkedMapOf<String, String>()
    flatten(entry, "", flat)
    val fields = LogFields(flat)
    fields.logged?.let { return it }
    val nested = if (depth < DEEPEST) fields.nested else emptyList()
    return nested.firstNotNullOfOrNull { text ->
        val json = jsonIn(text)
        if (json != null) inJson(json, seen, depth + 1, inText) else inText(text)
    }.also { if (it == null) seen.see(entry.keys, fields) }
}

/** Values by the names of their keys and those of the maps around. */
private fun flatten(entry: JsonElement, prefix: String, flat: MutableMap<String, String>) {
    (entry as? JsonObject)?.forEach { (key, value) ->
        val name = prefix + plain(key)
        value.text?.let { flat[name] = it }
        if (name.length < LONGEST_NAME) flatten(value, name, flat)
    }
}

internal fun plain(key: String) = key.lowercase().filter(Char::isLetterOrDigit)

/** A JSON object that ends [line], perhaps after the prefix of `docker compose logs`, of Kubernetes or of syslog; null if there is none. */
internal fun jsonIn(line: String): JsonObject? {
    val trimmed = line.trim()
    if (!trimmed.endsWith("}") || trimmed.length > LONGEST_LINE) return null
    val begin = if (trimmed.startsWith("{")) 0 else JSON_BEGIN.find(trimmed.take(LONGEST_PREFIX))?.range?.first ?: return null
    // nginx escapes bytes as \x, which JSON does not know.
    return jsonLine(trimmed.substring(begin).replace(HEX_ESCAPE, "\\\\\\\\x"))
}

private const val LONGEST_PREFIX = 200

/** Longer lines are no entries of a log, but whole documents. */
internal const val LONGEST_LINE = 100_000
private val JSON_BEGIN = Regex("""\{\s*"""")
private val HEX_ESCAPE = Regex("""(?<!\\)\\x""")
private val KEY_VALUE = Regex("""([A-Za-z_][\w.-]{0,40})=("[^"]{0,4000}"|[^\s"]{1,4000})""")
private val LABELLED = Regex("""([A-Za-z_][\w.-]{0,40}):(\S*)""")

/** The request of a line of `key=value` pairs (logfmt), or of `key:value` between tabs (LTSV). */
internal fun inPairs(line: String, seen: SeenFields): Logged? {
    val labelled = if ('\t' in line) line.splitToSequence('\t').mapNotNull(LABELLED::matchEntire) else emptySequence()
    val values = (KEY_VALUE.findAll(line) + labelled).associate { it.groupValues[1] to it.groupValues[2].removeSurrounding("\"") }
    if (values.size < 3) return null
    val fields = LogFields(values.mapKeys { plain(it.key) })
    return fields.logged.also { if (it == null && fields.method != null) seen.see(values.keys, fields) }
}

/** Lines of the W3C extended format: IIS, CloudFront, Tomcat's extended valve. `#Fields:` names their columns. */
internal class W3cLines(private val seen: SeenFields) {
    private var names: List<String>? = null

    /** Whether [line] is a directive, as `#Fields: date cs-method`. */
    fun isDirective(line: String): Boolean {
        if (line.startsWith(FIELDS)) names = line.removePrefix(FIELDS).trim().split(SPACES)
        return line.startsWith("#")
    }

    fun read(line: String): Logged? {
        val columns = names ?: return null
        val values = if ('\t' in line) line.split('\t') else VALUE.findAll(line).map { it.value.removeSurrounding("\"") }.toList()
        val named = columns.zip(values).filter { it.second != "-" }.toMap()
        val fields = LogFields(named.mapKeys { plain(it.key) })
        return fields.logged.also { if (it == null) seen.see(columns, fields) }
    }

    companion object {
        const val FIELDS = "#Fields:"
        private val SPACES = Regex("""\s+""")

        /** A text in quotes may have spaces, as Tomcat writes the name of a browser. */
        private val VALUE = Regex(""""(?:[^"]|"")*+"(?!\S)|\S+""")
    }
}
