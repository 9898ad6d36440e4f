package bootdyno.imports

import bootdyno.model.HIDDEN
import bootdyno.model.asciiTarget
import bootdyno.model.looksSecret
import bootdyno.model.redactText
import java.nio.charset.CharacterCodingException

private val SCHEME = Regex("^[A-Za-z][A-Za-z0-9+.-]*://")
private val NOT_IN_PATHS = " {}|\\^`\"<>".toSet()
private val ENCODED_BYTES = Regex("(?:%[0-9A-Fa-f]{2})+")

/** A JSON Web Token, which begins with `{"` in Base64. */
private val JSON_WEB_TOKEN = Regex("eyJ[A-Za-z0-9_-]{8,}[A-Za-z0-9._-]*")

private const val SESSION_IN_PATH = ";jsessionid="

/** [text] without its scheme, `http://`. */
internal fun withoutScheme(text: String) = text.replaceFirst(SCHEME, "")

/** `host:port` of an absolute URL; null for a path. */
internal fun authorityOf(url: String): String? =
    if (SCHEME.containsMatchIn(url)) withoutScheme(url).takeWhile { it !in "/?#" }.substringAfterLast('@') else null

/** Path and query of [url], as written. */
internal fun targetOf(url: String): String {
    val target = if (SCHEME.containsMatchIn(url)) withoutScheme(url).dropWhile { it !in "/?#" } else url
    return if (target.startsWith("/")) target else "/$target"
}

/** Path and query of a request to send; [secrets] names what was removed from them. */
internal class SafeTarget(val text: String, val secrets: List<String>)

/** Path and query of [url], encoded, without fragment and secret parameters. [hasSecretSegment] finds secrets between slashes. */
internal fun safeTarget(url: String): SafeTarget {
    val target = targetOf(url).substringBefore('#')
    val path = target.substringBefore('?')
    val (hidden, open) = target.substringAfter('?', "").split('&').filter { it.isNotEmpty() }.partition(::isSecretPair)
    val user = if ('@' in withoutScheme(url).takeWhile { it !in "/?#" } &&
        authorityOf(url) != null
    ) {
        "user of the address"
    } else {
        null
    }
    val session = "session in the path".takeIf { SESSION_IN_PATH in path.lowercase() }
    val safePath = path.split('/').joinToString("/") { segment ->
        val at = segment.lowercase().indexOf(SESSION_IN_PATH)
        if (at < 0) segment else segment.take(at)
    }
    return SafeTarget(
        encoded(safePath + if (open.isEmpty()) "" else open.joinToString("&", "?")),
        hidden.map { "query parameter ${it.substringBefore('=')}" } + listOfNotNull(user, session),
    )
}

private fun isSecretPair(pair: String) =
    isSecretQuery(pair.substringBefore('=')) || JSON_WEB_TOKEN.containsMatchIn(pair.substringAfter('=', ""))

/** Whether a query parameter called [name] has a secret value. */
internal fun isSecretQuery(name: String) = HIDDEN in redactText("/?$name=x1")

/** Whether a header or body contains a secret. */
internal fun hasSecret(text: String) = redactText(text) != text || JSON_WEB_TOKEN.containsMatchIn(text)

/** Whether [path] has a value below a segment with a secret-looking name, as `/password/reset/8a7f3c`. */
internal fun hasSecretSegment(path: String) = path.substringBefore('?').let { withoutSecretSegments(it) != it }

/** [text], a request to show, without secrets between slashes. */
internal fun withoutSecretSegments(text: String): String {
    var isBelow = false
    return text.split('/').joinToString("/") { segment ->
        val isHidden = isBelow && !isWord(segment)
        isBelow = isBelow || looksSecret(segment)
        if (isHidden) HIDDEN else segment.replace(JSON_WEB_TOKEN, HIDDEN)
    }
}

/** Whether [segment] is no value, as in `/password/reset`. */
private fun isWord(segment: String) = segment.all { it in 'a'..'z' || it in "-_." }

/** [target] as a request line has it: signs that a path cannot have, and characters beyond ASCII, are percent-encoded. */
internal fun encoded(target: String): String = asciiTarget(target).let { ascii ->
    if (ascii.none { it in NOT_IN_PATHS }) {
        ascii
    } else {
        ascii.asSequence().joinToString("") {
            if (it in
                NOT_IN_PATHS
            ) {
                "%%%02X".format(it.code)
            } else {
                "$it"
            }
        }
    }
}

/** [text] without percent-encoding; null if that is invalid, or not UTF-8. */
internal fun percentDecoded(text: String): String? = try {
    ENCODED_BYTES.replace(text) { run ->
        val bytes = run.value.split('%').drop(1).map { it.toInt(radix = 16).toByte() }
        bytes.toByteArray().decodeToString(throwOnInvalidSequence = true)
    }.takeIf { '%' !in ENCODED_BYTES.replace(text, "") }
} catch (_: CharacterCodingException) {
    null
}
