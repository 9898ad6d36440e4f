package bootdyno.engines.jmeter

import bootdyno.engine.Failure
import bootdyno.engine.LoadSecond
import bootdyno.engine.SampleProgress
import bootdyno.engine.SampleTally
import bootdyno.engine.failureOf
import bootdyno.engine.statusFailure
import bootdyno.model.ErrorCause
import bootdyno.model.Step
import java.io.InputStream
import java.nio.file.Files
import java.nio.file.Path
import kotlin.time.Duration

/** A sample is in the window if it ended from [from] on and before [to], in ms since 1970. */
internal data class JtlWindow(val from: Long, val to: Long) {
    val seconds: Double get() = (to - from) / 1e3
}

/**
 * Counts the samples of a window. Samples that started before the window's end and ended after it are in flight, with their age at that time.
 *
 * JMeter's elapsed time, here the response time, includes connecting; service time excludes it. Times are whole milliseconds, so connecting
 * is recorded from 1 ms on.
 */
internal class JtlCount(private val window: JtlWindow, steps: List<Step>, isBurst: Boolean = false) :
    SampleTally(steps.takeIf { it.size > 1 }.orEmpty().map { it.name }, connectKnown = true, isBurst) {
    /** Expected status by label; a single step's status applies to all labels. Without an entry, the plan decides. */
    private val statuses = steps.associate { it.name to it.expect.status }
    private val single = statuses.values.singleOrNull()

    fun add(row: JtlRow) {
        when {
            row.end < window.from -> Unit
            row.end < window.to -> ended(row.label, failure(row), row.elapsed, at = row.end - window.from, row.connect)
            row.start < window.to -> underWay(row.label, window.to - row.start, at = window.to - window.from)
        }
    }

    private fun failure(row: JtlRow) = if (row.good) null else failureOf(row, statuses[row.label] ?: single)

    /** [requests] in flight when JMeter was killed. Their age is unknown, so they count with age 0, a lower bound. */
    fun neverEnded(requests: Long) {
        repeat(requests.coerceAtLeast(0).toInt()) { underWay(name = null, age = 0, at = window.to - window.from) }
    }
}

/**
 * Distinguishes the rows of JMeter's Transaction Controllers from those of requests. A controller usually writes a row in addition to those of
 * its requests, which must not be counted. With *generate parent sample* its row is the only one and is counted. JMeter's own summary has none of
 * them (`summariser.ignore_transaction_controller_sample_result`). [helpers]: samplers without HTTP, as of scripts, in a plan
 * with HTTP [requests]; where variables make a label ambiguous, it is that of a request. [outside]: thread groups before and after the
 * load, which is that of the other [groups].
 */
internal class TransactionRows(
    private val parents: Labels,
    private val allAreParents: Boolean,
    private val helpers: Labels = Labels(emptySet()),
    private val requests: Labels = Labels(emptySet()),
    private val outside: Labels = Labels(emptySet()),
    private val groups: Labels = Labels(emptySet()),
) {
    fun counts(row: JtlRow): Boolean =
        !isOutside(row) && !isOfHelper(row) && (!isOfController(row) || allAreParents || row.label in parents)

    fun isOutside(row: JtlRow): Boolean = isOf(row.group, outside, groups)

    fun isOfHelper(row: JtlRow): Boolean = isOf(row.label, helpers, requests)

    private fun isOf(name: String, some: Labels, others: Labels) = name in some.fixed || (name in some && name !in others)

    fun isOfController(row: JtlRow): Boolean = row.message.startsWith(PREFIX)

    companion object {
        /** The message of such a row in versions 2.x to 5.x. */
        const val PREFIX = "Number of samples in transaction"

        val NONE = TransactionRows(Labels(emptySet()), allAreParents = false)
    }
}

/** The labels of elements called [names], whose variables may have any value. */
internal class Labels(names: Set<String>) {
    val fixed: Set<String> = names.filterNot { "\${" in it }.toSet()
    private val patterns = (names - fixed).map { Regex(it.split(VARIABLES).joinToString(".*") { text -> Regex.escape(text) }) }

    operator fun contains(label: String): Boolean = label in fixed || patterns.any { it.matches(label) }
}

/** Also with functions of variables: `${__V(id_${n})}`. */
private val VARIABLES = Regex("""(?:\$\{(?:[^{}]|\{[^{}]*})*})+""")

/**
 * The class of a failed sample. JMeter writes the status, or class and message of an exception. With a status, an assertion failed: on the
 * body if the status is [expectedStatus]; without an expectation, statuses up to 399 are a success in JMeter, so only an assertion can fail.
 */
internal fun failureOf(row: JtlRow, expectedStatus: Int?): Failure {
    val status = row.code.toIntOrNull()
    return when {
        status == null -> failureOf("${row.code.removePrefix(NO_CODE)} ${row.message.removePrefix(NO_MESSAGE)}")
        status == expectedStatus -> Failure(ErrorCause.BODY)
        expectedStatus == null && status in 100..399 -> Failure(ErrorCause.BODY, row.failure.ifBlank { null }?.take(SHOWN))
        else -> statusFailure(status)
    }
}

private const val NO_CODE = "Non HTTP response code: "
private const val NO_MESSAGE = "Non HTTP response message: "
private const val SHOWN = 200

/**
 * Reads JMeter's results during the run, and reports them every second. Times are ms since 1970.
 */
internal class JtlTail(private val results: Path, private val transactions: TransactionRows, length: RunLength) : AutoCloseable {
    val span = SampleProgress(length.settle, length.window)
    private val reader = JtlReader(::take)
    private var file: InputStream? = null
    private var threads = 0L

    /** Reads the rows written since the last call. */
    fun readOn() {
        reader.readOn(file ?: open() ?: return)
    }

    /** See [SampleProgress.second]. */
    fun second(now: Long, least: Duration): LoadSecond? = span.second(now, least, inFlight = threads)

    override fun close() {
        file?.close()
    }

    /** Null until JMeter has created the file. */
    private fun open(): InputStream? = if (Files.exists(results)) Files.newInputStream(results).also { file = it } else null

    private fun take(row: JtlRow) {
        if (!transactions.counts(row)) return
        span.add(row.start, row.end, row.good)
        threads = row.threads
    }
}

internal fun readResults(results: Path, onRow: (JtlRow) -> Unit) =
    Files.newInputStream(results).use { JtlReader(onRow).readOn(it) }
