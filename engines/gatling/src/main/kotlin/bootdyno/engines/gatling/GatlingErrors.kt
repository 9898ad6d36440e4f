package bootdyno.engines.gatling

import bootdyno.engine.causeOfMessage
import bootdyno.model.ErrorCause

/**
 * The class of a failed request, by the message Gatling logged with it; null for a message nobody has met yet.
 *
 * It says why a connection or a request failed as `j.n.ConnectException: Connection refused`, and what a check found as
 * `status.find.is(200), but actually found 500`. A check of anything but the status has seen the status it wanted: Gatling stops at the
 * first check that fails, and the status comes first.
 */
internal fun causeOf(message: String): ErrorCause? = when {
    "status." in message -> ErrorCause.STATUS
    ".find" in message -> ErrorCause.BODY
    else -> causeOfMessage(message)
}
