package bootdyno.engines.jmeter

import bootdyno.engine.LoadSecond
import bootdyno.engine.nanoHistogram
import bootdyno.engine.recordNanos
import java.io.InputStream
import java.nio.file.Files
import java.nio.file.Path
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds

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
            p99Ms = if (second.totalCount == 0L) null else second.getValueAtPercentile(99.0) / 1e6,
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
