package bootdyno.engine

import bootdyno.model.ErrorCause
import org.HdrHistogram.Histogram

/** Up to 10 minutes in nanoseconds, to 3 significant digits. */
fun nanoHistogram() = Histogram(LONGEST_NANOS, 3)

const val LONGEST_NANOS = 600_000_000_000L

fun Histogram.recordNanos(nanos: Long) = recordValue(nanos.coerceIn(0, LONGEST_NANOS))

/** What one event loop counted. Touched by that loop's thread only; others read it after the loop has handed it over. */
internal class Tally(responseIsService: Boolean) {
    var started = 0L
        private set
    var answered = 0L
        private set
    var failed = 0L
        private set
    private val errors = LongArray(ErrorCause.entries.size)
    private var window: OpenWindow? = null
    var closed: WindowCount? = null
        private set

    val response = nanoHistogram()
    private val ownService = if (responseIsService) null else nanoHistogram()
    val service: Histogram get() = ownService ?: response
    val unanswered = nanoHistogram()
    val connect = nanoHistogram()
    val lag = nanoHistogram()

    /** The responses of the current second and, between two seconds, of the last one. */
    private var second = nanoHistogram()
    private var spare = nanoHistogram()

    val inFlight: Long get() = started - answered - failed

    fun started() {
        started++
    }

    fun answered(intended: Long, sent: Long, now: Long) {
        answered++
        val nanos = now - intended
        second.recordNanos(nanos)
        if (window != null) {
            response.recordNanos(nanos)
            ownService?.recordNanos(now - sent)
        }
    }

    fun failed(cause: ErrorCause) {
        failed++
        errors[cause.ordinal]++
    }

    /** A request that got no answer for [nanos], though it may have come later: a censored observation. */
    fun unanswered(nanos: Long) {
        if (window != null) unanswered.recordNanos(nanos)
    }

    /** A connection that took [nanos] to open. */
    fun connected(nanos: Long) {
        if (window != null) connect.recordNanos(nanos)
    }

    fun sentAfter(lagNanos: Long) {
        if (window != null) lag.recordNanos(lagNanos)
    }

    fun openWindow(now: Long, cpu: Long) {
        window = OpenWindow(now, cpu, started, answered, errors.clone(), inFlight)
    }

    /** [ages] of the requests in flight. Asserts that every request is in exactly one class. */
    fun closeWindow(now: Long, cpu: Long, ages: LongArray) {
        val opened = window ?: return
        ages.forEach { unanswered.recordNanos(it) }
        window = null
        val count = WindowCount(
            from = opened.at,
            to = now,
            cpuNanos = cpu - opened.cpu,
            due = started - opened.started,
            answered = answered - opened.answered,
            errors = LongArray(errors.size) { errors[it] - opened.errors[it] },
            inFlight = inFlight,
        )
        check(ages.size.toLong() == inFlight) { "$inFlight requests are counted in flight, ${ages.size} are" }
        check(opened.inFlight + count.due == count.answered + count.errors.sum() + count.inFlight) {
            "${opened.inFlight} in flight and ${count.due} sent, but $count"
        }
        closed = count
    }

    /** The responses since the last call. The histogram belongs to the caller until the next call. */
    fun takeSecond(): Histogram {
        val taken = second
        second = spare.also { it.reset() }
        spare = taken
        return taken
    }

    private class OpenWindow(
        val at: Long,
        val cpu: Long,
        val started: Long,
        val answered: Long,
        val errors: LongArray,
        val inFlight: Long,
    )
}

/** The window of one event loop, from and to in nanoTime. [errors] by the ordinal of their cause. */
internal class WindowCount(
    val from: Long,
    val to: Long,
    /** Of the whole engine process, so the same CPU is in the count of every loop. */
    val cpuNanos: Long,
    val due: Long,
    val answered: Long,
    val errors: LongArray,
    val inFlight: Long,
) {
    override fun toString() = "$answered answered, ${errors.sum()} errors, $inFlight in flight"
}
