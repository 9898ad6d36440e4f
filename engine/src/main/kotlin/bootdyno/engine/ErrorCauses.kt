package bootdyno.engine

import bootdyno.model.ErrorCause
import java.net.ConnectException
import java.net.ProtocolException
import java.nio.channels.ClosedChannelException
import javax.net.ssl.SSLException

/**
 * The class of a failed connection attempt. Only the message has the kernel's reason: refused, timed out, or a limit of the client (no
 * descriptor, no port). A failed TLS handshake, also with a certificate that is not trusted, is [ErrorCause.PROTOCOL].
 */
internal fun causeOfConnectFailure(failure: Throwable): ErrorCause {
    val chain = generateSequence(failure) { it.cause }.take(5).toList()
    val message = chain.joinToString(" ") { it.message.orEmpty() }
    return causeOfMessage(message) ?: when {
        chain.any { it is SSLException || it is ProtocolException } -> ErrorCause.PROTOCOL
        chain.any { it is ClosedChannelException } -> ErrorCause.CLOSED
        failure is ConnectException -> ErrorCause.REFUSED
        else -> ErrorCause.OTHER
    }
}

/**
 * The class of a failure by the text of an exception: its class, its message, or both. Null if unknown.
 */
fun causeOfMessage(message: String): ErrorCause? {
    val text = message.lowercase()
    return MARKS.entries.firstOrNull { (_, marks) -> marks.any { it in text } }?.key
}

/** The first class with a mark in the message applies. */
private val MARKS = linkedMapOf(
    ErrorCause.REFUSED to "refused, unreachable, no route to host",
    ErrorCause.CONNECT_TIMEOUT to "connecttimeoutexception, connect timed out, connection timed out",
    ErrorCause.CLIENT to "too many open files, assign requested address",
    ErrorCause.TIMEOUT to "sockettimeoutexception, request timeout",
    ErrorCause.CLOSED to "nohttpresponseexception, connectionclosedexception, truncatedchunkexception, eofexception, " +
        "premature close, remotely closed",
    ErrorCause.RESET to "reset, broken pipe, connection aborted",
    ErrorCause.PROTOCOL to "protocolexception, parseexception, unsupportedhttpversionexception, malformedchunkcodingexception, " +
        "messageconstraintexception, httpexception, ssl.ssl, decode, invalid version format",
).mapValues { (_, marks) -> marks.split(", ") }

/** Why a request failed; [detail] see [bootdyno.model.LoadFound.failures]. */
data class Failure(val cause: ErrorCause, val detail: String? = null)

/** The failure that a server answered with another status than expected. */
fun statusFailure(status: Int) = Failure(ErrorCause.STATUS, statusDetail(status))

internal fun statusDetail(status: Int): String = "status $status"

/** The failure with the [text] of an exception, its class and message. */
fun failureOf(text: String): Failure =
    causeOfMessage(text)?.let(::Failure) ?: Failure(ErrorCause.OTHER, text.trim().take(LONGEST_DETAIL))

private const val LONGEST_DETAIL = 200
