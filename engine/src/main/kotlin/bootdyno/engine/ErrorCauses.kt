package bootdyno.engine

import bootdyno.model.ErrorCause
import java.net.ConnectException

/**
 * The class of a connection attempt that failed. The kernel's reason is only in the message: refused, timed out, or one of the client's
 * own limits (no descriptor, no port).
 */
internal fun causeOfConnectFailure(failure: Throwable): ErrorCause {
    val message = failure.chain()
    return when {
        "refused" in message || "unreachable" in message || "no route" in message -> ErrorCause.REFUSED
        "timed out" in message || "timeout" in message -> ErrorCause.CONNECT_TIMEOUT
        "reset" in message -> ErrorCause.RESET
        "too many open files" in message || "assign requested address" in message -> ErrorCause.CLIENT
        failure is ConnectException -> ErrorCause.REFUSED
        else -> ErrorCause.CLIENT
    }
}

/** Whether the connection itself failed, so that asking again at once would spin. */
internal val ErrorCause.isOfConnection: Boolean
    get() = when (this) {
        ErrorCause.REFUSED, ErrorCause.CONNECT_TIMEOUT, ErrorCause.RESET,
        ErrorCause.CLOSED, ErrorCause.PROTOCOL, ErrorCause.CLIENT,
        -> true

        ErrorCause.TIMEOUT, ErrorCause.STATUS, ErrorCause.BODY -> false
    }

private fun Throwable.chain(): String =
    generateSequence(this) { it.cause }.take(5).joinToString(" ") { it.message.orEmpty() }.lowercase()
