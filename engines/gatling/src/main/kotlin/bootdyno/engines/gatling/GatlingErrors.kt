package bootdyno.engines.gatling

import bootdyno.model.ErrorCause

/**
 * The class of a failed request, by the message Gatling logged with it; null for a message nobody has met yet.
 *
 * It says why a connection or a request failed as `j.n.ConnectException: Connection refused`, and what a check found as
 * `status.find.is(200), but actually found 500`. A check of anything but the status has seen the status it wanted: Gatling stops at the
 * first check that fails, and the status comes first.
 */
internal fun causeOf(message: String): ErrorCause? {
    val said = message.lowercase()
    return KNOWN.firstOrNull { (mark, _) -> mark in said }?.cause
}

private data class Mark(val text: String, val cause: ErrorCause)

/** In this order: the first that a message holds decides. */
private val KNOWN = listOf(
    Mark("status.", ErrorCause.STATUS),
    Mark(".find", ErrorCause.BODY),
    Mark("connecttimeoutexception", ErrorCause.CONNECT_TIMEOUT),
    Mark("connection timed out", ErrorCause.CONNECT_TIMEOUT),
    Mark("request timeout", ErrorCause.TIMEOUT),
    Mark("refused", ErrorCause.REFUSED),
    Mark("unreachable", ErrorCause.REFUSED),
    Mark("no route to host", ErrorCause.REFUSED),
    Mark("reset", ErrorCause.RESET),
    Mark("broken pipe", ErrorCause.RESET),
    Mark("premature close", ErrorCause.CLOSED),
    Mark("remotely closed", ErrorCause.CLOSED),
    Mark("too many open files", ErrorCause.CLIENT),
    Mark("assign requested address", ErrorCause.CLIENT),
    Mark("decode", ErrorCause.PROTOCOL),
    Mark("invalid version format", ErrorCause.PROTOCOL),
)
