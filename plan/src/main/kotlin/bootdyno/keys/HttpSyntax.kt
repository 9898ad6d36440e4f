package bootdyno.keys

import bootdyno.model.filled
import bootdyno.model.placeholders

/** Signs that a path or query may contain unencoded besides letters and digits (RFC 3986, section 3.3 and 3.4). */
private const val PATH_SIGNS = "-._~!$&'()*+,;=:@/?"

/** A header name (RFC 9110, section 5.6.2). */
private val HEADER_NAME = Regex("[A-Za-z0-9!#$%&'*+.^_`|~-]+")

private const val HOST_NAME = "(?:[A-Za-z0-9](?:[A-Za-z0-9_-]*[A-Za-z0-9])?[.])*[A-Za-z](?:[A-Za-z0-9_-]*[A-Za-z0-9])?[.]?"
private const val IPV4 = "(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])[.]){3}(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
private val SERVER =
    Regex(
        """https?://(?:[A-Za-z0-9._~!$&'()*+,;=:%-]*@)?($IPV4|$HOST_NAME|\[[0-9A-Fa-f:.]+])(?::([0-9]{1,5}))?(?:/[A-Za-z0-9._~!$&'()*+,;=:@%/-]*)?""",
    )
private val PORTS = 1..65_535

/** The host of [url], without user, port, brackets and path; null for an invalid URL, or one with a query or a fragment. */
fun hostOf(url: String): String? {
    val (host, port) = SERVER.matchEntire(url)?.destructured ?: return null
    return host.removeSurrounding("[", "]").takeIf { port.isEmpty() || port.toInt() in PORTS }
}

/** Why [path] is invalid, as the end of a sentence; null if valid. Values of `{name}` are encoded later. */
fun pathFault(path: String): String? {
    val text = filled(path, placeholders(path).associateWith { "x" })
    if (!text.startsWith("/")) return "is not a path: it begins with /"
    val bad = text.indices.firstOrNull { !mayStand(text, it) }?.let(text::get) ?: return null
    return when {
        bad == '#' -> "has a fragment, which no request sends: leave out # and what follows, or write %23"
        bad == '%' -> "has a % without two hexadecimal digits: write %25 for the sign itself"
        bad == ' ' -> "has a space: write %20"
        bad.isISOControl() -> "has the control character ${codeOf(bad)}"
        else -> "has `$bad`, which a path writes as " + "$bad".encodeToByteArray().joinToString("") { "%%%02X".format(it) }
    }
}

/** Why a header [name] with [value] is invalid; null if valid. */
internal fun headerFault(name: String, value: String): String? {
    val bad = value.firstOrNull { it.isISOControl() && it != '\t' }
    return when {
        !HEADER_NAME.matches(name) -> "`$name` cannot be the name of a header: letters, digits and - only"
        bad == '\n' || bad == '\r' -> "the value of $name has a line break: it would begin another header"
        bad != null -> "the value of $name has the control character ${codeOf(bad)}"
        else -> null
    }
}

private fun mayStand(text: String, at: Int): Boolean {
    val c = text[at]
    return when {
        c == '%' -> at + 2 < text.length && text[at + 1].isHex() && text[at + 2].isHex()
        c == '[' || c == ']' -> '?' in text.substring(0, at)
        c.code < ASCII_END -> c in 'a'..'z' || c in 'A'..'Z' || c in '0'..'9' || c in PATH_SIGNS
        else -> !c.isISOControl() && !c.isWhitespace() && Character.getType(c) != Character.FORMAT.toInt()
    }
}

private const val ASCII_END = 128

private fun Char.isHex() = this in '0'..'9' || this in 'a'..'f' || this in 'A'..'F'

private fun codeOf(c: Char) = "U+%04X".format(c.code)

/** [text] in lower case without port and brackets, for comparison. */
fun hostName(text: String): String {
    val host = text.trim().removeSuffix(".").lowercase()
    return when {
        host.startsWith("[") -> host.substringAfter('[').substringBefore(']')
        host.count { it == ':' } == 1 -> host.substringBefore(':')
        else -> host
    }
}
