package bootdyno.imports

import bootdyno.model.HIDDEN
import bootdyno.model.asciiTarget
import bootdyno.model.looksSecret
import java.nio.charset.CharacterCodingException

private val SCHEME = Regex("^[A-Za-z][A-Za-z0-9+.-]*://")
private val NOT_IN_PATHS = " {}|\\^`\"<>".toSet()
private val ENCODED_BYTES = Regex("(?:%[0-9A-Fa-f]{2})+")

/** Values of OAuth that end a login together. */
private val OF_LOGIN = setOf("code", "state")

/** A value of letters and digits of this length is no secret inside another text. */
private const val SHORT_VALUE = 16

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
    val pairs = if ('?' in target) target.substringAfter('?').split('&') else emptyList()
    val isLogin = pairs.map { it.substringBefore('=') }.containsAll(OF_LOGIN)
    val (hidden, open) = pairs.partition { isSecretPair(it) || (isLogin && it.substringBefore('=') in OF_LOGIN) }
    val hasUser = SCHEME.containsMatchIn(url) && '@' in withoutScheme(url).takeWhile { it !in "/?#" }
    val safePath = if (';' in path) path.split('/').joinToString("/", transform = ::withoutSecretParameters) else path
    return SafeTarget(
        encoded(safePath + if (open.isEmpty()) "" else open.joinToString("&", "?")),
        hidden.map { "query parameter ${it.substringBefore('=')}" } +
            listOfNotNull("user of the address".takeIf { hasUser }, "session in the path".takeIf { safePath != path }),
    )
}

/** `orders;sid=x;page=2` as `orders;page=2`. */
private fun withoutSecretParameters(segment: String): String {
    val parts = segment.split(';')
    return (parts.take(1) + parts.drop(1).filterNot(::isSecretPair)).joinToString(";")
}

private fun isSecretPair(pair: String): Boolean {
    val value = pair.substringAfter('=', "")
    return isSecretName(pair.substringBefore('=')) ||
        ((value.length >= SHORT_VALUE || !value.all(Char::isLetterOrDigit)) && (hasSecret(value) || isKey(pair)))
}

/** `key=AIzaSyD…`: a key by its value. */
private fun isKey(pair: String) = pair.substringBefore('=').equals("key", ignoreCase = true) && pair.any(Char::isDigit)

/** Whether [path] has a value below a segment with a secret-looking name, as `/password/reset/8a7f3c`. */
internal fun hasSecretSegment(path: String) = path.substringBefore('?').let { withoutSecretSegments(it) != it }

/** [text], a request to show, without secrets between slashes. */
internal fun withoutSecretSegments(text: String): String {
    var isBelow = false
    return text.split('/').joinToString("/") { segment ->
        val decoded = if ('%' in segment) percentDecoded(segment) ?: segment else segment
        val isHidden =
            (isBelow && !isWord(segment)) || JSON_WEB_TOKEN.containsMatchIn(decoded) || KNOWN_KEYS.containsMatchIn(decoded)
        isBelow = isBelow || looksSecret(decoded)
        if (isHidden) HIDDEN else withoutSecretParameters(segment)
    }
}

/** Whether [segment] is no value, as in `/password/reset`. */
private fun isWord(segment: String) = segment.all { it in 'a'..'z' || it in "-_." }

/** [target] as a request line has it: signs that a path cannot have, and characters beyond ASCII, are percent-encoded. */
internal fun encoded(target: String): String = buildString {
    asciiTarget(target).forEach { if (it in NOT_IN_PATHS) append('%').append("%02X".format(it.code)) else append(it) }
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
