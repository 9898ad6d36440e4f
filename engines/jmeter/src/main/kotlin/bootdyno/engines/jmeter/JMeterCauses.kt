package bootdyno.engines.jmeter

import bootdyno.engine.causeOfMessage
import bootdyno.model.ErrorCause

/**
 * The class of a sample that failed. JMeter writes the status, or for an exception its class and its message. With a status,
 * an assertion failed: of a plan that expects [expectedStatus] on the body if it is that one, otherwise JMeter's own rule holds
 * (up to 399 is a success, so that only an assertion can have failed).
 */
internal fun causeOf(row: JtlRow, expectedStatus: Int?): ErrorCause {
    val status = row.code.toIntOrNull()
    return when {
        status == null -> causeOfMessage("${row.code} ${row.message}") ?: ErrorCause.CLIENT
        status == expectedStatus -> ErrorCause.BODY
        expectedStatus == null && status in 100..399 -> ErrorCause.BODY
        else -> ErrorCause.STATUS
    }
}
