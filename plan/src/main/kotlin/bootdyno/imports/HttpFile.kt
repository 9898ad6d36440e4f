package bootdyno.imports

import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive

private const val METHOD = "GET|HEAD|POST|PUT|DELETE|PATCH|OPTIONS|TRACE|CONNECT|GRAPHQL|WEBSOCKET|GRPC"

/** Files with environments, in the same folder or the nearest above, and their key in it; null for the whole file. */
private val ENVIRONMENTS = mapOf("http-client.env.json" to null, ".vscode/settings.json" to "rest-client.environmentVariables")

/** Its values that all environments have. */
private const val SHARED = "\$shared"

/** Beginnings of addresses, before which a method may have small letters, too. */
private const val ADDRESS = """https?://|/|\{\{|localhost[:/]"""

/** A method and an address, or what looks like an address, perhaps behind a method in small letters. The version of HTTP is removed before. */
private val REQUEST_LINE = Regex("""^(?:($METHOD)\s+(\S.*)|(?:((?i)$METHOD)\s+)?((?:$ADDRESS).*))""")
private val VERSION = Regex("""HTTP/[\d.]+(?:\s+\(.*\))?""")
private val REQUEST_OR_URL = Regex("""(?m)^(?:(?:$METHOD)\s+\S|(?:(?i:$METHOD)\s+)?https?://|(?i:$METHOD)\s+(?:$ADDRESS))""")

/** A request line inside a body: its `###` is missing. */
private val NEXT_REQUEST = Regex("""(?m)^(?:$METHOD)\s+(?:$ADDRESS)""")
private val ASSIGNED = Regex("""^@([\w.-]+)\s*=\s*(.*)""")
private val NAMED = Regex("""^(?:#|//)\s*@name[\s=]+(\S.*)""")
private val HEADER = Regex("""^([A-Za-z0-9!#$%&'*+.^_`|~-]+)\s*:\s*(.*)""")
private val OWN_FILE = Regex("""^<(?:@[a-zA-Z0-9-]*)?\s+(\S.*)""")
private val MULTIPART_TYPE = Regex("""(?i)^multipart/form-data\s*;.{0,100}boundary=""")
private val EMPTY_LINE = Regex("""\r\n[ \t]*\r\n""")
private val SCRIPT = Regex("""^[<>]\s*\{%.*""")

/** Of httpyac: `?? status == 200`. */
private const val ASSERTION = "?? "

internal fun isHttpFile(text: String) = REQUEST_OR_URL.containsMatchIn(text)

/**
 * Reads the syntax of IntelliJ's HTTP client and VS Code's REST client. [file] gives the text of a file beside, for bodies
 * `< file`, and [above] of one in the same folder or the nearest above; null if there is none.
 */
internal fun httpFile(text: String, file: (String) -> String?, above: (String) -> String?, collected: Collected) {
    val lines = text.lines()
    val shared = if ("{{" in text) environment(above, collected) else emptyMap()
    // `@host = {{host}}` names the environment's.
    val own = lines.mapNotNull { ASSIGNED.matchEntire(it.trim())?.destructured }
        .map { (name, value) -> name to value.trim().replace("{{$name}}", shared[name] ?: "{{$name}}") }
    val variables = Variables(shared + own) { text }
    blocks(lines).forEach { block ->
        try {
            HttpBlock(block, variables, file, collected).read()
        } catch (e: TooLong) {
            collected.leaveOut(e.message.orEmpty(), block.first().trimStart('#').trim())
        }
    }
    variables.notes.forEach(collected::note)
}

/** The values of an environment of the first file that has any: see [Collected.ownOrFirst]. */
private fun environment(above: (String) -> String?, collected: Collected): Map<String, String> {
    ENVIRONMENTS.forEach { (file, key) ->
        val all = above(file)?.let(::commentedJson)
        val values = (if (key == null) all else all[key] as? JsonObject).orEmpty().mapValues { (_, of) ->
            (of as? JsonObject).orEmpty().mapNotNull { (name, value) -> value.text?.let { name to it } }.toMap()
        }
        val (name, chosen) = collected.ownOrFirst((values - SHARED).ifEmpty { values }) { it.values } ?: return@forEach
        collected.note("Variables are those of the environment `$name` in $file.")
        return values[SHARED].orEmpty() + chosen
    }
    return emptyMap()
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

private fun isMarkOfGraphQl(header: Header) =
    header.name.equals("x-request-type", ignoreCase = true) && header.value.equals("graphql", ignoreCase = true)

/** The fields of a form of this [type]; IntelliJ IDEA finds them also behind an end too early. */
private fun partsOf(written: String, type: String): List<String> =
    (if (MULTIPART_TYPE.containsMatchIn(type)) fieldsIn(written) else emptyList()).map { part ->
        part.trim().split(EMPTY_LINE, limit = 2).plus("").take(2).joinToString("\r\n\r\n")
    }

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
        val content = withoutScripts(lines.drop(1).filterNot { it.startsWith(ASSERTION) })
        val begin = content.indexOfFirst { !isComment(it) && it.isNotBlank() && !OWN_FILE.matches(it) }
        if (begin < 0) return
        val rest = content.drop(begin + 1)
        val head = rest.takeWhile { it.isNotBlank() }.filterNot(::isComment)
        val more = head.takeWhile(::continuesUrl)
        val line = content[begin].trim() + more.joinToString("") { it.trim() }
        val (typed, address, inAnyCase, bare) = REQUEST_LINE.matchEntire(withoutVersion(line))?.destructured
            ?: return collected.leaveOut("this is no request line", line.take(60))
        val method = (typed + inAnyCase).uppercase().ifEmpty { "GET" }
        val fields = head.drop(more.size).map { it.trim() }
        val headers = fields.mapNotNull(HEADER::matchEntire)
            .map { Header(it.groupValues[1], variables.fill(it.groupValues[2].trim())) }
        val url = withHost(variables.fillUrl(address + bare), headers)
        val isOther = fields.any { !HEADER.matches(it) && !it.startsWith(">") && !it.startsWith("<>") }
        if (isOther) return collected.leaveOut("no empty line is before its body, or a header has no colon", "$method $url")
        val isForm = headers.any { it.isType && FORM in it.value.lowercase() }
        val written = bodyOf(withoutComments(rest.dropWhile { it.isNotBlank() }.drop(1), isForm), "$method $url") ?: return
        val isJoined = NEXT_REQUEST.containsMatchIn(written)
        if (isJoined) return collected.leaveOut("another request follows without ### between them", "$method $url")
        val name = content.take(begin).firstNotNullOfOrNull { NAMED.matchEntire(it.trim())?.groupValues?.get(1) }
            ?: lines.first().trimStart('#').trim()
        val others = headers.filterNot { isMarkOfGraphQl(it) || it.isType }
        val parts = headers.find { it.isType }?.let { partsOf(written, it.value) }.orEmpty()
        val found = when {
            method == "GRAPHQL" || headers.any(::isMarkOfGraphQl) ->
                FoundRequest(name, "POST", url, others + Header("Content-Type", "application/json"), graphQl(written))

            parts.isNotEmpty() -> FoundRequest(name, method, url, others + Header("Content-Type", MULTIPART), multipart(parts))

            else -> FoundRequest(name, method, url, headers, (if (isForm) form(written) else written).ifEmpty { null })
        }
        collected.addFilled(found, statusOf(lines.joinToString("\n")))
    }

    private fun withoutVersion(line: String): String {
        val at = line.lastIndexOf("HTTP/")
        val isVersion = at > 0 && line[at - 1].isWhitespace() && VERSION.matches(line.substring(at))
        return if (isVersion) line.substring(0, at).trim() else line
    }

    /** Further lines of a URL are indented, or begin with `?` or `&`. VS Code takes indented headers, too. */
    private fun continuesUrl(line: String) = line.first() in "?&" || (line.first().isWhitespace() && !HEADER.matches(line.trim()))

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
            val isOutside = !isBelow(path)
            val found = if (isOutside) null else file(path)
            if (found == null) {
                val missing = "the file $named of its body is missing, or no text"
                collected.leaveOut(if (isOutside) "its body is a file outside the folder of the .http file" else missing, what)
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

    /** Comments and variables behind a body belong to the file, and so do the comments inside JSON and forms, which have none. */
    private fun withoutComments(body: List<String>, isForm: Boolean): List<String> {
        val lines = body.dropLastWhile { it.isBlank() || isLineComment(it) || ASSIGNED.matches(it.trim()) }
        val isWithout = isForm || lines.find { it.isNotBlank() }?.trim()?.take(1) in setOf("{", "[")
        return if (isWithout) lines.filterNot(::isLineComment) else lines
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
