package bootdyno.imports

private const val METHOD = "GET|HEAD|POST|PUT|DELETE|PATCH|OPTIONS|TRACE|CONNECT|GRAPHQL|WEBSOCKET|GRPC"
private val REQUEST_LINE = Regex("""(?:($METHOD)\s+)?((?:https?://|/|\{\{|localhost|[\w.-]+:\d+)\S*(?:\s+(?!HTTP/)\S+)*?)(?:\s+HTTP/[\d.]+)?\s*""")
private val TYPED_LINE = Regex("""(?m)^(?:$METHOD)\s+\S+""")
private val ASSIGNED = Regex("""@([\w.-]+)\s*=\s*(.*)""")
private val NAMED = Regex("""(?:#|//)\s*@name[\s=]+(\S+)""")
private val HEADER = Regex("""([A-Za-z0-9!#$%&'*+.^_`|~-]+)\s*:\s*(.*)""")
private val OWN_FILE = Regex("""<@?(?:[a-z0-9-]+)?\s+(\S.*)""")

internal fun isHttpFile(text: String) = TYPED_LINE.containsMatchIn(text) ||
    text.lineSequence().any { it.startsWith("###") || it.startsWith("http://") || it.startsWith("https://") }

/** Reads the syntax of IntelliJ's HTTP client and VS Code's REST client. [file]: text of a file for `< file`. */
internal fun httpFile(text: String, file: (String) -> String?, collected: Collected) {
    val lines = text.lines()
    val variables = Variables(
        lines.mapNotNull { ASSIGNED.matchEntire(it.trim())?.destructured?.let { (name, value) -> name to value.trim() } }.toMap(),
    )
    blocks(lines).forEach { HttpBlock(it, variables, file, collected).read() }
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
        val script = lines.joinToString("\n")
        val content = withoutScripts(lines.drop(1))
        val begin = content.indexOfFirst { !isComment(it) && it.isNotBlank() }
        if (begin < 0) return
        val more = content.drop(begin + 1).takeWhile { it.startsWith(" ") || it.startsWith("\t") }.filter { it.isNotBlank() }
        val line = content[begin].trim() + more.joinToString("") { it.trim() }
        val match = REQUEST_LINE.matchEntire(line)
        if (match == null) {
            collected.leaveOut("this is no request line", line.take(60))
            return
        }
        val rest = content.drop(begin + 1 + more.size)
        val headerLines = rest.takeWhile { it.isNotBlank() }.filterNot(::isComment)
        val headers = headerLines.mapNotNull { HEADER.matchEntire(it.trim()) }
            .map { Header(it.groupValues[1], variables.fill(it.groupValues[2].trim())) }
        val method = match.groupValues[1].ifEmpty { "GET" }
        val name = content.take(begin).firstNotNullOfOrNull { NAMED.matchEntire(it.trim())?.groupValues?.get(1) }
            ?: lines.first().removePrefix("###").trim()
        val url = variables.fillUrl(match.groupValues[2])
        val body = bodyOf(rest.dropWhile { it.isNotBlank() }.drop(1), "$method $url") ?: return
        collected.addFilled(FoundRequest(name, method, url, headers, body.ifEmpty { null }, statusOf(script)))
    }

    /** Empty without a body; null if a file of it is missing. */
    private fun bodyOf(lines: List<String>, what: String): String? {
        val parts = lines.filterNot { it.startsWith(">>") || it.startsWith("<>") || it.startsWith("> ") }.map { line ->
            val named = OWN_FILE.matchEntire(line)?.groupValues?.get(1)?.trim() ?: return@map variables.fill(line)
            val found = file(variables.fill(named))
            if (found == null) {
                collected.leaveOut("the file $named of its body is missing", what)
                return null
            }
            if (line.startsWith("<@")) variables.fill(found) else found
        }
        return parts.joinToString("\n").trim()
    }

    private fun isComment(line: String) = line.trimStart().let { it.startsWith("#") || it.startsWith("//") || it.startsWith("@") }

    /** Without `> {% … %}` and `< {% … %}`, which may have several lines. */
    private fun withoutScripts(lines: List<String>): List<String> {
        var inside = false
        return lines.filter { line ->
            val begins = Regex("""[<>]\s*\{%.*""").matches(line.trim())
            val skipped = inside || begins
            inside = skipped && "%}" !in line
            !skipped
        }
    }
}
