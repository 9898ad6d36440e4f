package bootdyno.engines.k6

import bootdyno.engine.CsvResults
import bootdyno.engine.Failure
import bootdyno.engine.failureOf
import bootdyno.engine.statusFailure
import bootdyno.model.ErrorCause
import kotlin.math.roundToLong

private const val NUMBERS = 3
private const val LAST = 3
private val FIELDS = listOf("metric_name", "timestamp", "metric_value") +
    listOf("name", "method", "group", "status", "error", "error_code", "expected_response")
private const val SCENARIO = "scenario"

/** The groups that k6 itself makes, which belong to no scenario (`runPart` in js/runner.go). */
private val OUTSIDE = Regex("^::(?:setup|teardown)(?:::|$)")

private val LOCAL = Regex("""^https?://(?:$LOCAL_HOST)(?::\d{1,5})?(?=[/?]|$)""")

/** Some 30,000 years, and a value of which sums fit. */
private const val LATEST = 1_000_000_000_000_000_000L
private const val LARGEST = 1e13

/** A request as k6 wrote it. Times are µs; [end] since 1970. */
internal class K6Request(
    val end: Long,
    /** From the wait for a connection to the last byte. */
    val lasted: Long,
    /** For TCP and TLS. */
    val connecting: Long,
    /** `GET /orders`, or the script's own name, below its groups. */
    val operation: String,
    /** Null after success. */
    val failure: Failure?,
    /** Whether it is of the load, not of `setup` or `teardown`. */
    val isOfLoad: Boolean,
) {
    val start: Long get() = end - lasted
}

/** A sample of another metric than those of requests, [at] µs since 1970. */
internal class K6Sample(val metric: String, val at: Long, val value: Double)

/**
 * Reads the samples of k6's CSV output, one line each. Those of a request stand together, in the order of `Trail.SaveSamples`
 * (lib/netext/httpext/tracer.go): `http_reqs`, `http_req_duration`, `_blocked`, `_connecting`, `_tls_handshaking`, `_sending`, `_waiting`,
 * `_receiving`. [base] is cut off the names of requests, and so is any local address, which leads to the subject.
 */
internal class K6Results(
    private val base: String,
    private val onRequest: (K6Request) -> Unit,
    private val onSample: (K6Sample) -> Unit,
) : CsvResults("k6", FIELDS + SCENARIO, setOf(SCENARIO)) {
    /** The values of `http_req_duration` and of what followed it; null between two requests. */
    private var tags: List<String>? = null
    private var lasted = 0L
    private var connecting = 0L

    override fun take(values: List<String>) {
        val (metric, time, number) = values
        val at = time.toLongOrNull()?.takeIf { it in 0..LATEST } ?: throw noSample()
        val value = number.toDoubleOrNull()?.takeIf { it in 0.0..LARGEST } ?: throw noSample()
        val micros = (value * MICROS_PER_MILLI).roundToLong()
        when (metric) {
            "http_req_duration" -> {
                tags = values
                lasted = micros
                connecting = 0
            }

            // It contains the next two.
            "http_req_blocked" -> lasted += micros

            "http_req_connecting", "http_req_tls_handshaking" -> connecting += micros

            "http_req_receiving" -> {
                onRequest(request(tags ?: throw noSample(), at))
                tags = null
            }

            else -> onSample(K6Sample(metric, at, value))
        }
    }

    private fun request(values: List<String>, end: Long): K6Request {
        val (name, method, group, status, error) = values.drop(NUMBERS)
        val (code, expected, scenario) = values.takeLast(LAST)
        val rest = if (name.startsWith(base)) name.removePrefix(base) else name.replaceFirst(LOCAL, "")
        val path = if (rest.length < name.length) "$method ${rest.ifEmpty { "/" }}" else name
        val operation = (group.split("::").filter { it.isNotEmpty() } + path).joinToString(" / ")
        val isOfLoad = scenario.isNotEmpty() || !OUTSIDE.containsMatchIn(group)
        return K6Request(end, lasted, minOf(connecting, lasted), operation, failureOf(status, error, code, expected), isOfLoad)
    }
}

/**
 * The class of a request with these tags; null for a success. By default k6 expects statuses from 200 to 399; `http.setResponseCallback` of a script
 * changes that. Codes: lib/netext/httpext/error_codes.go, where 1400 to 1599 are statuses plus 1000.
 */
internal fun failureOf(status: String, error: String, code: String, expected: String): Failure? {
    val number = code.toIntOrNull()
    return when {
        expected == "true" || (expected.isEmpty() && number == null) -> null
        status != "0" -> statusFailure(status.toIntOrNull() ?: 0)
        else -> (number?.let(CODES::get) ?: causeOfGo(error))?.let(::Failure) ?: failureOf(error)
    }
}

private val CODES: Map<Int, ErrorCause> = mapOf(
    1050 to ErrorCause.TIMEOUT,
    1201 to ErrorCause.RESET,
    1211 to ErrorCause.CONNECT_TIMEOUT,
    1212 to ErrorCause.REFUSED,
    1220 to ErrorCause.RESET,
) + ((1300..1399) + (1600..1699) + 1701).associateWith { ErrorCause.PROTOCOL }

/** Errors of Go's client without a code of their own. */
private fun causeOfGo(error: String): ErrorCause? = when {
    "EOF" in error || "server closed idle connection" in error -> ErrorCause.CLOSED
    "malformed" in error || "net/http: HTTP/1.x transport" in error -> ErrorCause.PROTOCOL
    else -> null
}
