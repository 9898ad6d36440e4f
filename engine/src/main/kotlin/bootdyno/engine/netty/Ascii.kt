package bootdyno.engine.netty

import java.util.Arrays

// Byte comparisons for the response reader, without creating strings.

internal const val LF = '\n'.code.toByte()
internal const val CR = '\r'.code.toByte()
internal const val SPACE = ' '.code.toByte()
internal const val TAB = '\t'.code.toByte()
internal const val COLON = ':'.code.toByte()
internal const val COMMA = ','.code.toByte()
internal const val SEMICOLON = ';'.code.toByte()
internal const val ZERO = '0'.code.toByte()

internal val VERSION = "HTTP/1.".toByteArray()
internal val CONNECTION = "connection".toByteArray()
internal val CONTENT_TYPE = "content-type".toByteArray()
internal val CONTENT_LENGTH = "content-length".toByteArray()
internal val TRANSFER_ENCODING = "transfer-encoding".toByteArray()
internal val SET_COOKIE = "set-cookie".toByteArray()
internal val LOCATION = "location".toByteArray()
internal val CLOSE = "close".toByteArray()
internal val KEEP_ALIVE = "keep-alive".toByteArray()
internal val CHUNKED = "chunked".toByteArray()

internal fun Byte.isDigit() = this in '0'.code..'9'.code

internal fun Byte.isBlank() = this == SPACE || this == TAB

/** Whether the first [count] bytes of [prefix] are at [from], case-sensitive. */
internal fun ByteArray.startsWith(prefix: ByteArray, from: Int, count: Int): Boolean =
    Arrays.equals(this, from, from + count, prefix, 0, count)

/** Whether [lowerCase] is at [from], ignoring case. The array is long enough. */
internal fun ByteArray.matchesAt(from: Int, lowerCase: ByteArray): Boolean {
    for (i in lowerCase.indices) {
        val byte = this[from + i].toInt()
        val lower = if (byte in 'A'.code..'Z'.code) byte + 32 else byte
        if (lower != lowerCase[i].toInt()) return false
    }
    return true
}

internal fun ByteArray.skipBlanks(from: Int, to: Int): Int {
    var at = from
    while (at < to && this[at].isBlank()) at++
    return at
}

internal fun ByteArray.trimBlanks(from: Int, to: Int): Int {
    var end = to
    while (end > from && this[end - 1].isBlank()) end--
    return end
}

/** Whether the comma-separated list between [from] and [to] contains [token]. */
internal fun ByteArray.listsToken(from: Int, to: Int, token: ByteArray): Boolean {
    var at = from
    while (at < to) {
        var comma = at
        while (comma < to && this[comma] != COMMA) comma++
        val start = skipBlanks(at, comma)
        if (trimBlanks(start, comma) - start == token.size && matchesAt(start, token)) return true
        at = comma + 1
    }
    return false
}
