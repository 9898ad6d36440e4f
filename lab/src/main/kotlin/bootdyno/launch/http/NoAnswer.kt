package bootdyno.launch.http

import bootdyno.model.printable
import bootdyno.system.socket.DeadlinePassed
import java.io.IOException
import java.net.ConnectException

/**
 * There is no complete HTTP response. [message] is a clause in which "it" is the server. [begun]: whether any bytes came. [isForeign]: the
 * response is not HTTP/1.1.
 */
internal class NoAnswer(
    override val message: String,
    val begun: Boolean = true,
    val isForeign: Boolean = false,
    cause: Throwable? = null,
) : IOException(message, cause)

/** Why a connection did not open. */
internal fun notConnected(failure: IOException): NoAnswer = when {
    failure is DeadlinePassed -> NoAnswer("it did not accept the connection within ${failure.allowed}")
    failure is ConnectException && failure.message.orEmpty().contains("refused") -> NoAnswer("connection refused")
    else -> NoAnswer(failure.message ?: failure.javaClass.simpleName, cause = failure)
}

/** A connection that [broken] ended before the request. A server that serves several names needs one in the handshake (RFC 6066, section 3). */
internal fun brokenHandshake(broken: IOException): NoAnswer = when {
    "unrecognized_name" in broken.message.orEmpty() -> NoAnswer(NEEDS_NAME, isForeign = true, cause = broken)
    else -> NoAnswer("it broke the connection before the request (${broken.message})", cause = broken)
}

/** The failure for a response with first bytes that are not HTTP/1.x. */
internal fun foreignAnswer(begins: ByteArray): NoAnswer {
    val text = String(begins, Charsets.ISO_8859_1).lines().first()
    return NoAnswer(
        when {
            begins.isTls() -> SPEAKS_TLS
            begins.isHttp2() -> ONLY_HTTP_2
            else -> "it answers with something else than HTTP/1.1: '${printable(text)}'"
        },
        isForeign = true,
    )
}

internal const val NEEDS_NAME = "its TLS wants another host name (SNI), and an address has none"
internal const val NEEDS_CERTIFICATE = "its TLS wants a certificate of the client"
internal const val ONLY_HTTP_2 = "it speaks HTTP/2 only: set `http: 2` of the subject"
internal const val SPEAKS_TLS = "it speaks TLS: set `https: true` of the subject, or write https:// in its `url`"

/** A TLS 1.x alert or handshake. */
private fun ByteArray.isTls() = size >= 2 && (this[0].toInt() == 0x15 || this[0].toInt() == 0x16) && this[1].toInt() == 3

/** An HTTP/2 connection frame, SETTINGS or GOAWAY (RFC 9113, section 4.1): short length, type, flags, stream 0. */
private fun ByteArray.isHttp2() = size >= 9 && this[0].toInt() == 0 && (this[3].toInt() == 4 || this[3].toInt() == 7) &&
    (5..8).all { this[it].toInt() == 0 }
