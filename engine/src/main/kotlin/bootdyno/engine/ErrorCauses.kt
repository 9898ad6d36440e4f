package bootdyno.engine

import bootdyno.model.ErrorCause
import java.net.ConnectException

/**
 * The class of a connection attempt that failed. The kernel's reason is only in the message: refused, timed out, or one of the client's
 * own limits (no descriptor, no port).
 */
internal fun causeOfConnectFailure(failure: Throwable): ErrorCause {
    val message = generateSequence(failure) { it.cause }.take(5).joinToString(" ") { it.message.orEmpty() }
    return causeOfMessage(message) ?: if (failure is ConnectException) ErrorCause.REFUSED else ErrorCause.CLIENT
}

/**
 * The class of a failure, by what a client on the JVM or the kernel wrote about it: the name of an exception, a message, or both. Null
 * where none of it is known.
 */
fun causeOfMessage(message: String): ErrorCause? {
    val text = message.lowercase()
    return MARKS.entries.firstOrNull { (_, marks) -> marks.any { it in text } }?.key
}

/** In this order: the first class whose mark a message holds. */
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

/** Whether the connection itself failed, so that sending again at once would spin. */
internal val ErrorCause.isOfConnection: Boolean
    get() = when (this) {
        ErrorCause.REFUSED, ErrorCause.CONNECT_TIMEOUT, ErrorCause.RESET,
        ErrorCause.CLOSED, ErrorCause.PROTOCOL, ErrorCause.CLIENT,
        -> true

        ErrorCause.TIMEOUT, ErrorCause.STATUS, ErrorCause.BODY -> false
    }
