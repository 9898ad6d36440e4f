package bootdyno.engines.jmeter

import bootdyno.engine.LONGEST_NANOS
import bootdyno.engine.nanoHistogram
import bootdyno.engine.recordNanos
import bootdyno.model.ErrorCause
import bootdyno.model.LatencyHistograms
import bootdyno.model.OperationFound
import org.HdrHistogram.Histogram

/** A sample is in the window when it ended in it, from [from] on and before [to], in ms since 1970. */
internal data class JtlWindow(val from: Long, val to: Long) {
    val seconds: Double get() = (to - from) / 1e3
}

/**
 * Counts the samples of a window in bounded memory: histograms and one counter a class. What started before the window's end
 * and ended after it is in flight, with the age it had then.
 *
 * JMeter's elapsed time, the response time here, includes connecting; service time is without it. Times are whole milliseconds,
 * so that connecting is recorded where it took 1 ms or more.
 */
internal class JtlCount(private val window: JtlWindow, private val expected: Expected) {
    private val all = Kind()
    private val kinds = LinkedHashMap<String, Kind>().apply { expected.labels.forEach { put(it, Kind()) } }
    private val service = nanoHistogram()
    private val unanswered = nanoHistogram()
    private val connect = nanoHistogram()
    var inFlight = 0L
        private set

    val answered: Long get() = all.answered
    val errors: Map<ErrorCause, Long> get() = all.causes()

    /**
     * Those expected, whether they came or not, then others as they came; empty where none was expected and all are of one kind.
     */
    val operations: List<OperationFound>
        get() = several().map { (name, kind) -> OperationFound(name, kind.answered, kind.causes(), kind.inFlight) }

    fun add(row: JtlRow) {
        when {
            row.end < window.from -> Unit

            row.end < window.to -> addEnded(row)

            row.start < window.to -> (window.to - row.start).let { age ->
                addInFlight(age)
                kind(row.label).inFlight(age)
            }
        }
    }

    /** [requests] were under way when JMeter was killed: their ages are not known, and 0 is what they surely were. */
    fun neverEnded(requests: Long) {
        repeat(requests.coerceAtLeast(0).toInt()) { addInFlight(0) }
    }

    fun latencies() = LatencyHistograms(
        response = all.response,
        service = service,
        unanswered = unanswered,
        connect = connect,
        operations = several().mapValues { (_, kind) -> kind.response },
        unansweredOperations = several().mapValues { (_, kind) -> kind.unanswered },
    )

    private fun addInFlight(ageMillis: Long) {
        inFlight++
        unanswered.recordNanos(nanosOf(ageMillis))
    }

    private fun addEnded(row: JtlRow) {
        val kind = kind(row.label)
        if (row.connect > 0) connect.recordNanos(nanosOf(row.connect))
        if (row.good) {
            all.answered(row.elapsed)
            kind.answered(row.elapsed)
            service.recordNanos(nanosOf(row.elapsed - row.connect))
        } else {
            val cause = causeOf(row, expected.status(row.label))
            all.failed(cause)
            kind.failed(cause)
            if (cause == ErrorCause.TIMEOUT || cause == ErrorCause.CONNECT_TIMEOUT) {
                unanswered.recordNanos(nanosOf(row.elapsed))
                kind.unanswered.recordNanos(nanosOf(row.elapsed))
            }
        }
    }

    /** Labels may hold variables: beyond [MOST_KINDS] they share one. */
    private fun kind(label: String): Kind =
        kinds[label] ?: kinds.getOrPut(if (kinds.size < MOST_KINDS) label else OTHER_KINDS) { Kind() }

    private fun several(): Map<String, Kind> = if (kinds.size > 1 || expected.labels.isNotEmpty()) kinds else emptyMap()

    private class Kind {
        val response: Histogram = nanoHistogram()
        val unanswered: Histogram = nanoHistogram()
        private val errors = LongArray(ErrorCause.entries.size)
        var answered = 0L
            private set
        var inFlight = 0L
            private set

        fun inFlight(ageMillis: Long) {
            inFlight++
            unanswered.recordNanos(nanosOf(ageMillis))
        }

        fun answered(elapsedMillis: Long) {
            answered++
            response.recordNanos(nanosOf(elapsedMillis))
        }

        fun failed(cause: ErrorCause) {
            errors[cause.ordinal]++
        }

        fun causes(): Map<ErrorCause, Long> = ErrorCause.entries.associateWith { errors[it.ordinal] }.filterValues { it > 0 }
    }

    private companion object {
        const val MOST_KINDS = 100
        const val OTHER_KINDS = "(other labels)"
    }
}

/** No more than what is recorded. */
internal fun nanosOf(millis: Long): Long = if (millis > LONGEST_NANOS / 1_000_000) LONGEST_NANOS else millis * 1_000_000

/** From the first start to the last end of the samples, ms since 1970. */
internal class JtlSpan {
    var samples = 0L
        private set
    var first = Long.MAX_VALUE
        private set
    var last = Long.MIN_VALUE
        private set

    fun add(row: JtlRow) {
        samples++
        first = minOf(first, row.start)
        last = maxOf(last, row.end)
    }
}
