package bootdyno.launch.http

import bootdyno.system.socket.DeadlinePassed
import java.io.IOException
import java.net.ConnectException

/**
 * There is no whole HTTP answer; [message] says why in a clause whose "it" is the server. Where it has not [begun], the connection ended
 * before anything came; where it [isForeign], what came is no HTTP/1.1.
 */
internal class NoAnswer(
    override val message: String,
    val begun: Boolean = true,
    val isForeign: Boolean = false,
    cause: Throwable? = null,
) : IOException(message, cause)

/** Why a connection could not be opened. */
internal fun notConnected(failure: IOException): NoAnswer = when {
    failure is DeadlinePassed -> NoAnswer("it did not accept the connection within ${failure.allowed}")
    failure is ConnectException && failure.message.orEmpty().contains("refused") -> NoAnswer("connection refused")
    else -> NoAnswer(failure.message ?: failure.javaClass.simpleName, cause = failure)
}

/** What [begins] with bytes that no HTTP/1.x answer begins with. */
internal fun foreignAnswer(begins: ByteArray): NoAnswer {
    val text = String(begins, Charsets.ISO_8859_1).lines().first()
    return NoAnswer(
        when {
            begins.isTls() -> "it speaks TLS, and Boot Dyno asks plain HTTP: switch server.ssl off for measuring"
            begins.isHttp2() -> "it speaks HTTP/2 only: let it speak HTTP/1.1 as well"
            else -> "it answers with something else than HTTP/1.1: '${printable(text)}'"
        },
        isForeign = true,
    )
}

/** An alert or a handshake of TLS 1.x. */
private fun ByteArray.isTls() = size >= 2 && (this[0].toInt() == 0x15 || this[0].toInt() == 0x16) && this[1].toInt() == 3

/** A frame of the connection itself, SETTINGS or GOAWAY (RFC 9113, section 4.1): a short length, its type, its flags, stream 0. */
private fun ByteArray.isHttp2() = size >= 9 && this[0].toInt() == 0 && (this[3].toInt() == 4 || this[3].toInt() == 7) &&
    (5..8).all { this[it].toInt() == 0 }

/** As much of [text] as tells what it is, in characters that any terminal shows. */
internal fun printable(text: String): String = text.take(LONGEST_SHOWN).map { if (it in ' '..'~') it else '.' }.joinToString("")

private const val LONGEST_SHOWN = 80
