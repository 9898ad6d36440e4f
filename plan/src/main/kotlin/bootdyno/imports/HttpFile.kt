package bootdyno.imports

import bootdyno.model.jsonOf
import kotlinx.serialization.json.JsonObject

private const val METHOD = "GET|HEAD|POST|PUT|DELETE|PATCH|OPTIONS|TRACE|CONNECT|GRAPHQL|WEBSOCKET|GRPC"

/** IntelliJ writes shared variables into this file beside, VS Code into its settings. */
private const val ENVIRONMENT = "http-client.env.json"

/** A method and an address, or an address that looks like one. */
private val REQUEST_LINE =
    Regex("""(?:($METHOD)\s+(\S.*?)|((?:https?://|/|\{\{|localhost[:/]).*?))(?:\s+HTTP/[\d.]+(?:\s+\(.*\))?)?""")
private val TYPED_LINE = Regex("""(?m)^(?:$METHOD)\s+\S+""")
private val URL_LINE = Regex("""(?m)^https?://""")
private val ASSIGNED = Regex("""@([\w.-]+)\s*=\s*(.*)""")
private val NAMED = Regex("""(?:#|//)\s*@name[\s=]+(\S.*)""")
private val HEADER = Regex("""([A-Za-z0-9!#$%&'*+.^_`|~-]+)\s*:\s*(.*)""")
private val OWN_FILE = Regex("""<@?(?:[a-z0-9-]+)?\s+(\S.*)""")
private val SCRIPT = Regex("""[<>]\s*\{%.*""")

internal fun isHttpFile(text: String) = TYPED_LINE.containsMatchIn(text) || URL_LINE.containsMatchIn(text)

/**
 * Reads the syntax of IntelliJ's HTTP client and VS Code's REST client. [file] gives the text of a file beside, for bodies
 * `< file`; null if there is none.
 */
internal fun httpFile(text: String, file: (String) -> String?, collected: Collected) {
    val lines = text.lines()
    val own = lines.mapNotNull { ASSIGNED.matchEntire(it.trim())?.destructured?.let { (name, value) -> name to value.trim() } }
    val shared = file(ENVIRONMENT)?.takeIf { "{{" in text }?.let(::firstEnvironment)
    if (shared != null) collected.note("Variables are those of the environment `${shared.name}` in $ENVIRONMENT.")
    val variables = Variables(shared?.values.orEmpty() + own)
    blocks(lines).forEach { HttpBlock(it, variables, file, collected).read() }
}

private class NamedValues(val name: String, val values: Map<String, String>)

private fun firstEnvironment(json: String): NamedValues? {
    val (name, values) = (jsonOf(json) as? JsonObject)?.entries?.firstOrNull() ?: return null
    return NamedValues(name, (values as? JsonObject).orEmpty().mapValues { it.value.text.orEmpty() })
}

/** The lines of each request, the first is its `###` line or empty. */
private fun blocks(lines: List<String>): List<List<String>> = lines.fold(mutableListOf(mutableListOf(""))) { blocks, line ->
    if (line.startsWith("###")) blocks += mutableListOf(line) else blocks.last() += line
    blocks
}

private class HttpBlock(
    private val lines: List<String>,
    private val variables: Variables,
    private val file: (String) -> String?,
    private val collected: Collected,
) {
    fun read() {
        val content = withoutScripts(lines.drop(1))
        val begin = content.indexOfFirst { !isComment(it) && it.isNotBlank() }
        if (begin < 0) return
        val more = content.drop(begin + 1).takeWhile(::continuesUrl)
        val line = content[begin].trim() + more.joinToString("") { it.trim() }
        val (typed, address, bare) = REQUEST_LINE.matchEntire(line)?.destructured
            ?: return collected.leaveOut("this is no request line", line.take(60))
        val method = typed.ifEmpty { "GET" }
        val rest = content.drop(begin + 1 + more.size)
        val headers = rest.takeWhile { it.isNotBlank() }.filterNot(::isComment).mapNotNull { HEADER.matchEntire(it.trim()) }
            .map { Header(it.groupValues[1], variables.fill(it.groupValues[2].trim())) }
        val url = withHost(variables.fillUrl(address + bare), headers)
        val body = bodyOf(rest.dropWhile { it.isNotBlank() }.drop(1), "$method $url") ?: return
        val name = content.take(begin).firstNotNullOfOrNull { NAMED.matchEntire(it.trim())?.groupValues?.get(1) }
            ?: lines.first().trimStart('#').trim()
        collected.addFilled(FoundRequest(name, method, url, headers, body.ifEmpty { null }), statusOf(lines.joinToString("\n")))
    }

    /** Further lines of a URL are indented, or begin with `?` or `&`. */
    private fun continuesUrl(line: String) =
        line.isNotBlank() && (line.first().isWhitespace() || line.first() == '?' || line.first() == '&')

    /** A path belongs to the host of its `Host` header. */
    private fun withHost(url: String, headers: List<Header>): String {
        val host = headers.find { it.name.equals("host", ignoreCase = true) }?.value?.takeIf { "{{" !in it }
        return if (host != null && url.startsWith("/")) "http://$host$url" else url
    }

    /** Empty without a body; null if a file of it is missing. */
    private fun bodyOf(lines: List<String>, what: String): String? {
        val parts = lines.filterNot { it.startsWith(">>") || it.startsWith("<>") || it.startsWith("> ") }.map { line ->
            val named = OWN_FILE.matchEntire(line)?.groupValues?.get(1)?.trim() ?: return@map variables.fill(line)
            val found = file(variables.fill(named))
            if (found == null) {
                collected.leaveOut("the file $named of its body is missing, or no text", what)
                return null
            }
            if (line.startsWith("<@")) variables.fill(found) else found
        }
        return parts.joinToString("\n").trim()
    }

    private fun isComment(line: String) = line.trimStart().let { it.startsWith("#") || it.startsWith("//") || it.startsWith("@") }

    /** Without `> {% … %}` and `< {% … %}`, which may have several lines. */
    private fun withoutScripts(lines: List<String>): List<String> {
        var isInside = false
        return lines.filter { line ->
            val isScript = isInside || SCRIPT.matches(line.trim())
            isInside = isScript && "%}" !in line
            !isScript
        }
    }
}
