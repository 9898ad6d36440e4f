package bootdyno.imports

import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive

private const val METHOD = "GET|HEAD|POST|PUT|DELETE|PATCH|OPTIONS|TRACE|CONNECT|GRAPHQL|WEBSOCKET|GRPC"

/** IntelliJ writes shared variables into this file beside, VS Code into its settings. */
private const val ENVIRONMENT = "http-client.env.json"

/** Its values that all environments have. */
private const val SHARED = "\$shared"

/** A method and an address, or an address that looks like one. The version of HTTP is removed before. */
private val REQUEST_LINE = Regex("""^(?:($METHOD)\s+(\S.*)|((?:https?://|/|\{\{|localhost[:/]).*))""")
private val VERSION = Regex("""HTTP/[\d.]+(?:\s+\(.*\))?""")
private val TYPED_LINE = Regex("""(?m)^(?:$METHOD)\s+\S+""")
private val URL_LINE = Regex("""(?m)^https?://""")
private val ASSIGNED = Regex("""^@([\w.-]+)\s*=\s*(.*)""")
private val NAMED = Regex("""^(?:#|//)\s*@name[\s=]+(\S.*)""")
private val HEADER = Regex("""^([A-Za-z0-9!#$%&'*+.^_`|~-]+)\s*:\s*(.*)""")
private val OWN_FILE = Regex("""^<(?:@[a-zA-Z0-9-]*)?\s+(\S.*)""")
private val LINE_BREAK = Regex("""\r?\n""")
private val SCRIPT = Regex("""^[<>]\s*\{%.*""")

internal fun isHttpFile(text: String) = TYPED_LINE.containsMatchIn(text) || URL_LINE.containsMatchIn(text)

/**
 * Reads the syntax of IntelliJ's HTTP client and VS Code's REST client. [file] gives the text of a file beside, for bodies
 * `< file`, and [above] of one in the same folder or the nearest above; null if there is none.
 */
internal fun httpFile(text: String, file: (String) -> String?, above: (String) -> String?, collected: Collected) {
    val lines = text.lines()
    val own = lines.mapNotNull { ASSIGNED.matchEntire(it.trim())?.destructured?.let { (name, value) -> name to value.trim() } }
    val shared = ENVIRONMENT.takeIf { "{{" in text }?.let(above)?.let(::firstEnvironment)
    if (shared != null) collected.note("Variables are those of the environment `${shared.name}` in $ENVIRONMENT.")
    val variables = Variables(shared?.values.orEmpty() + own)
    blocks(lines).forEach { block ->
        try {
            HttpBlock(block, variables, file, collected).read()
        } catch (e: TooLong) {
            collected.leaveOut(e.message.orEmpty(), block.first().trimStart('#').trim())
        }
    }
    variables.notes.forEach(collected::note)
}

private class NamedValues(val name: String, val values: Map<String, String>)

private fun firstEnvironment(json: String): NamedValues? {
    val all = jsonLine(json.trim())?.mapValues { (_, of) ->
        (of as? JsonObject).orEmpty().mapValues { it.value.text.orEmpty() }
    }
    val name = all?.keys?.run { firstOrNull { it != SHARED } ?: firstOrNull() } ?: return null
    return NamedValues(name, all[SHARED].orEmpty() + all.getValue(name))
}

/** The lines of each request, the first is its `###` line or empty. */
private fun blocks(lines: List<String>): List<List<String>> = lines.fold(mutableListOf(mutableListOf(""))) { blocks, line ->
    if (line.startsWith("###")) blocks += mutableListOf(line) else blocks.last() += line
    blocks
}

/** Whether [name] is relative and below the folder of the document. */
private fun isBelow(name: String): Boolean {
    val parts = name.replace('\\', '/').split('/')
    return name.isNotEmpty() && parts.first().let { it.isNotEmpty() && ':' !in it && it != "~" } && ".." !in parts
}

private fun isType(header: Header) = header.name.equals("content-type", ignoreCase = true)

private fun isMarkOfGraphQl(header: Header) =
    header.name.equals("x-request-type", ignoreCase = true) && header.value.equals("graphql", ignoreCase = true)

/** A query with its variables, which may stand behind an empty line, as IntelliJ IDEA and VS Code send them. */
private fun graphQl(written: String): String {
    val lines = written.lines()
    val behind = lines.takeLastWhile { it.isNotBlank() }
    val variables = jsonLine(behind.joinToString("\n"))
    val query = if (variables == null) lines else lines.dropLast(behind.size)
    return """{"query":${JsonPrimitive(query.joinToString("\n").trim())},"variables":${variables ?: "{}"}}"""
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
        val (typed, address, bare) = REQUEST_LINE.matchEntire(withoutVersion(line))?.destructured
            ?: return collected.leaveOut("this is no request line", line.take(60))
        val method = typed.ifEmpty { "GET" }
        val rest = content.drop(begin + 1 + more.size)
        val fields = rest.takeWhile { it.isNotBlank() }.filterNot(::isComment).map { it.trim() }
        val headers = fields.mapNotNull(HEADER::matchEntire)
            .map { Header(it.groupValues[1], variables.fill(it.groupValues[2].trim())) }
        val url = withHost(variables.fillUrl(address + bare), headers)
        val isBodyAtOnce = fields.any { it.first() in "{[" || OWN_FILE.matches(it) }
        if (isBodyAtOnce) return collected.leaveOut("no empty line is before its body", "$method $url")
        val written = bodyOf(withoutComments(rest.dropWhile { it.isNotBlank() }.drop(1)), "$method $url") ?: return
        val isForm = headers.any { isType(it) && FORM in it.value.lowercase() }
        val name = content.take(begin).firstNotNullOfOrNull { NAMED.matchEntire(it.trim())?.groupValues?.get(1) }
            ?: lines.first().trimStart('#').trim()
        val others = headers.filterNot { isMarkOfGraphQl(it) || isType(it) }
        val found = if (method == "GRAPHQL" || headers.any(::isMarkOfGraphQl)) {
            FoundRequest(name, "POST", url, others + Header("Content-Type", "application/json"), graphQl(written))
        } else {
            FoundRequest(name, method, url, headers, (if (isForm) form(written) else written).ifEmpty { null })
        }
        collected.addFilled(found, statusOf(lines.joinToString("\n")))
    }

    private fun withoutVersion(line: String): String {
        val at = line.lastIndexOf("HTTP/")
        val isVersion = at > 0 && line[at - 1].isWhitespace() && VERSION.matches(line.substring(at))
        return if (isVersion) line.substring(0, at).trim() else line
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
            val path = variables.fill(named)
            if (!isBelow(path)) {
                collected.leaveOut("its body is a file outside the folder of the .http file", what)
                return null
            }
            val found = file(path)
            if (found == null) {
                collected.leaveOut("the file $named of its body is missing, or no text", what)
                return null
            }
            if (line.startsWith("<@")) variables.fill(found) else found
        }
        return parts.joinToString("\n").trim()
    }

    /** A form in one line, without the spaces around names and values, as IntelliJ IDEA and VS Code send it. */
    private fun form(written: String): String = written.split('&').joinToString("&") { pair ->
        pair.split('=', limit = 2).joinToString("=") { it.trim().replace(LINE_BREAK, "%0A").replace(" ", "%20") }
    }

    /** Comments and variables behind a body belong to the file, and so do the comments inside JSON, which has none. */
    private fun withoutComments(body: List<String>): List<String> {
        val lines = body.dropLastWhile { it.isBlank() || isLineComment(it) || ASSIGNED.matches(it.trim()) }
        val isJson = lines.find { it.isNotBlank() }?.trim()?.take(1) in setOf("{", "[")
        return if (isJson) lines.filterNot(::isLineComment) else lines
    }

    private fun isLineComment(line: String) = line.trimStart().let { it.startsWith("#") || it.startsWith("//") }

    private fun isComment(line: String) = isLineComment(line) || line.trimStart().startsWith("@")

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
