package bootdyno.engines.jmeter

import bootdyno.engine.LoadSecond
import bootdyno.engine.SampleTally
import bootdyno.engine.causeOfMessage
import bootdyno.engine.nanoHistogram
import bootdyno.engine.p99Ms
import bootdyno.engine.recordNanos
import bootdyno.model.ErrorCause
import bootdyno.model.Step
import java.io.InputStream
import java.nio.file.Files
import java.nio.file.Path
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds

/** A sample is in the window when it ended in it, from [from] on and before [to], in ms since 1970. */
internal data class JtlWindow(val from: Long, val to: Long) {
    val seconds: Double get() = (to - from) / 1e3
}

/**
 * Counts the samples of a window. What started before the window's end and ended after it is in flight, with the age it had then.
 *
 * JMeter's elapsed time, the response time here, includes connecting; service time is without it. Times are whole milliseconds,
 * so that connecting is recorded where it took 1 ms or more.
 */
internal class JtlCount(private val window: JtlWindow, steps: List<Step>) :
    SampleTally(expected = steps.takeIf { it.size > 1 }.orEmpty().map { it.name }, connectKnown = true) {
    /** The status that counts as an answer, by label: that of a single step for all. The plan decides where there is none. */
    private val statuses = steps.associate { it.name to it.expect.status }
    private val single = statuses.values.singleOrNull()

    fun add(row: JtlRow) {
        when {
            row.end < window.from -> Unit
            row.end < window.to -> ended(row.label, cause(row), row.elapsed, row.connect)
            row.start < window.to -> underWay(row.label, window.to - row.start)
        }
    }

    private fun cause(row: JtlRow) = if (row.good) null else causeOf(row, statuses[row.label] ?: single)

    /** [requests] were under way when JMeter was killed: nothing is known of them, and 0 is an age that they surely had. */
    fun neverEnded(requests: Long) {
        repeat(requests.coerceAtLeast(0).toInt()) { underWay(name = null, age = 0) }
    }
}

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

/**
 * Tells the rows of JMeter's Transaction Controllers from those of requests. A controller usually writes a row of its own
 * beside those of its requests, which must not be counted again; one that is set to *generate parent sample* writes the only
 * row there is, and the transaction is what is counted then.
 */
internal class TransactionRows(private val parents: Set<String>, private val allAreParents: Boolean) {
    fun counts(row: JtlRow): Boolean =
        !row.message.startsWith(PREFIX) || (allAreParents && parents.isNotEmpty()) || row.label in parents

    companion object {
        /** The message of such a row, in every version 2.x to 5.x. */
        const val PREFIX = "Number of samples in transaction"

        val NONE = TransactionRows(emptySet(), allAreParents = false)
    }
}

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

/**
 * Reads JMeter's results while they are written, and reports what they come to each second. Times of the clock are ms since 1970.
 */
internal class JtlTail(private val results: Path, private val transactions: TransactionRows, private val length: RunLength) :
    AutoCloseable {
    val span = JtlSpan()
    private val reader = JtlReader(::take)
    private var file: InputStream? = null
    private var answered = 0L
    private var errors = 0L
    private var threads = 0L
    private val second = nanoHistogram()
    private var toldAt: Long? = null

    /** Reads what has been written since the last call. */
    fun readOn() {
        reader.readOn(file ?: open() ?: return)
    }

    /** The second that ends [now], where [least] has gone by since the last one; null before the first sample. */
    fun second(now: Long, least: Duration): LoadSecond? {
        if (span.samples == 0L) return null
        val from = toldAt ?: span.first
        if (now - from < least.inWholeMilliseconds) return null
        toldAt = now
        val middle = (from + now) / 2 - span.first
        return LoadSecond(
            at = (now - span.first).coerceAtLeast(0) / 1e3,
            inWindow = middle >= length.settle.inWholeMilliseconds &&
                middle < (length.settle + length.window).inWholeMilliseconds,
            answered = answered,
            errors = errors,
            inFlight = threads,
            p99Ms = second.p99Ms(),
        ).also { second.reset() }
    }

    override fun close() {
        file?.close()
    }

    /** JMeter makes the file when its plan begins. */
    private fun open(): InputStream? = if (Files.exists(results)) Files.newInputStream(results).also { file = it } else null

    private fun take(row: JtlRow) {
        if (!transactions.counts(row)) return
        span.add(row)
        threads = row.threads
        if (row.good) {
            answered++
            second.recordNanos(row.elapsed.milliseconds.inWholeNanoseconds)
        } else {
            errors++
        }
    }
}

/** Reads all of a results file. */
internal fun readResults(results: Path, onRow: (JtlRow) -> Unit) =
    Files.newInputStream(results).use { JtlReader(onRow).readOn(it) }
