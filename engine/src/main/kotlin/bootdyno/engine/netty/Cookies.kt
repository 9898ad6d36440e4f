package bootdyno.engine.netty

import java.net.HttpCookie

/**
 * The cookies of one user of one application, by name (RFC 6265). Domain, path and `Secure` are not compared, because all requests go to the
 * same application. Used by one thread.
 */
class Cookies {
    private val values = LinkedHashMap<String, String>()

    /** The value of the `Cookie` header; null without cookies. */
    var header: String? = null
        private set

    /** Takes the values of `Set-Cookie` headers. Expired cookies are removed; invalid ones are ignored. */
    fun take(lines: List<String>) {
        if (lines.isEmpty()) return
        lines.forEach { line ->
            parsed(line).forEach { if (it.maxAge == 0L) values.remove(it.name) else values[it.name] = valueIn(line) }
        }
        header = values.entries.joinToString("; ") { (name, value) -> "$name=$value" }.ifEmpty { null }
    }

    fun clear() {
        values.clear()
        header = null
    }

    /** As it stands there: quotes are part of it (RFC 6265, section 5.2), which [HttpCookie] removes. */
    private fun valueIn(line: String): String = line.substringBefore(';').substringAfter('=', "").trim()

    private fun parsed(line: String): List<HttpCookie> = try {
        HttpCookie.parse("Set-Cookie: $line")
    } catch (_: IllegalArgumentException) {
        emptyList()
    }
}
