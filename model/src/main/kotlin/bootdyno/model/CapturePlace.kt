package bootdyno.model

import org.jsoup.Jsoup

/** Headers and body of a response. Names of headers are in lower case. */
class ResponseText(private val headers: Map<String, List<String>>, val body: String) {
    internal val json by lazy { jsonOf(body) }
    internal val html by lazy { Jsoup.parse(body) }

    internal fun header(name: String): List<String> = headers[name.lowercase()].orEmpty()
}

/** A place in a response whose value can be captured: `$.id`, `header:Location`, `cookie:XSRF-TOKEN`, `input[name=_csrf]`. */
class CapturePlace private constructor(
    /** Whether it is a place in JSON, which other load engines find as well. */
    val isJson: Boolean,
    /** Whether it is outside the body. */
    val isHeader: Boolean,
    private val value: (ResponseText) -> String?,
) {
    /** Null without a value. */
    fun find(response: ResponseText): String? = value(response)

    companion object {
        private val INPUT = Regex("""(input|meta)\[name=(["']?)([^\]"']+)\2]""")
        private val TOKEN = Regex("[A-Za-z0-9!#$%&'*+.^_`|~-]+")

        /** Null if [text] names no such place. */
        fun parse(text: String): CapturePlace? {
            JsonPath.parse(text)?.let { path ->
                return CapturePlace(isJson = true, isHeader = false) { it.json?.let(path::find) }
            }
            val name = text.substringAfter(':', "").takeIf(TOKEN::matches)
            if (text.startsWith("header:") && name != null) return ofHeaders { it.header(name).firstOrNull() }
            if (text.startsWith("cookie:") && name != null) {
                return ofHeaders { response ->
                    response.header("set-cookie").lastOrNull { it.startsWith("$name=") }?.let(::cookieValue)
                }
            }
            val (tag, _, attribute) = INPUT.matchEntire(text)?.destructured ?: return null
            val value = if (tag == "input") "value" else "content"
            return CapturePlace(isJson = false, isHeader = false) { response ->
                response.html.getElementsByTag(tag).firstOrNull { it.attr("name") == attribute && it.hasAttr(value) }?.attr(value)
            }
        }

        private fun ofHeaders(value: (ResponseText) -> String?) = CapturePlace(isJson = false, isHeader = true, value)

        private fun cookieValue(line: String) = line.substringAfter('=').substringBefore(';').trim()
    }
}
