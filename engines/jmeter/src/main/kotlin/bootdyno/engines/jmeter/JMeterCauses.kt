package bootdyno.engines.jmeter

import bootdyno.model.ErrorCause

/**
 * The class of a sample that failed. JMeter writes the status, or for an exception its class and its message. With a status,
 * an assertion failed: of a plan that expects [expectedStatus] on the body if it is that one, otherwise JMeter's own rule holds
 * (up to 399 is a success, so that only an assertion can have failed).
 */
internal fun causeOf(row: JtlRow, expectedStatus: Int?): ErrorCause {
    val status = row.code.toIntOrNull()
    return when {
        status == null -> causeOfException(row.code.removePrefix(NO_STATUS).substringAfterLast('.'), row.message.lowercase())
        status == expectedStatus -> ErrorCause.BODY
        expectedStatus == null && status in 100..399 -> ErrorCause.BODY
        else -> ErrorCause.STATUS
    }
}

/** [exception] is the class without its package, of HttpClient 4 or of the JDK. */
private fun causeOfException(exception: String, message: String): ErrorCause = when {
    listOf("refused", "unreachable", "no route to host").any { it in message } -> ErrorCause.REFUSED

    exception == "ConnectTimeoutException" || "connect timed out" in message || "connection timed out" in message ->
        ErrorCause.CONNECT_TIMEOUT

    listOf("too many open files", "assign requested address").any { it in message } -> ErrorCause.CLIENT

    exception == "SocketTimeoutException" -> ErrorCause.TIMEOUT

    exception in CLOSED -> ErrorCause.CLOSED

    listOf("reset", "broken pipe", "connection aborted").any { it in message } -> ErrorCause.RESET

    exception in NO_HTTP || exception.startsWith("SSL") -> ErrorCause.PROTOCOL

    else -> ErrorCause.CLIENT
}

private const val NO_STATUS = "Non HTTP response code: "

private val CLOSED = setOf("NoHttpResponseException", "ConnectionClosedException", "TruncatedChunkException", "EOFException")

private val NO_HTTP = setOf(
    "ClientProtocolException",
    "ProtocolException",
    "ParseException",
    "UnsupportedHttpVersionException",
    "MalformedChunkCodingException",
    "MessageConstraintException",
    "HttpException",
)
