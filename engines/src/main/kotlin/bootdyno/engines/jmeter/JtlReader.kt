package bootdyno.engines.jmeter

import bootdyno.engine.CsvResults

private val FIELDS = listOf("timeStamp", "elapsed", "Connect", "allThreads") +
    listOf("label", "responseCode", "responseMessage", "success", "failureMessage")
private const val THREAD = "threadName"

/** Number of numeric fields, which are the first ones. */
private const val NUMBERS = 4
private const val LARGEST = 1_000_000_000_000_000L

/**
 * A sample as written by JMeter. Times are ms; [start] since 1970. [elapsed] is the time from connecting, if needed, to the last byte; [connect]
 * is the part for connecting (0 also below 1 ms).
 */
internal class JtlRow(
    val start: Long,
    val elapsed: Long,
    val connect: Long,
    val label: String,
    /** The status, or an exception's class after `Non HTTP response code: `. */
    val code: String,
    val message: String,
    val good: Boolean,
    /** The message of a failed assertion; empty without one. */
    val failure: String,
    /** Running JMeter threads at the end of the sample. */
    val threads: Long,
    /** `Thread Group 1-2`; empty in results without it. */
    private val thread: String = "",
) {
    val end: Long get() = start + elapsed

    /** The name of the thread group, below a host of remote engines. */
    val group: String get() = thread.substringBeforeLast(' ')
}

/** Reads JMeter's results, see [CsvResults]. */
internal class JtlReader(private val onRow: (JtlRow) -> Unit) : CsvResults("JMeter", FIELDS + THREAD, setOf(THREAD)) {
    override fun take(values: List<String>) {
        // Times and counts are not negative, and small enough for sums of two.
        val (start, elapsed, connect, threads) =
            values.take(NUMBERS).map { text -> text.toLongOrNull()?.takeIf { it in 0..LARGEST } ?: throw noSample() }
        val (label, code, message, success, failure) = values.drop(NUMBERS)
        onRow(JtlRow(start, elapsed, connect, label, code, message, success == "true", failure, threads, values.last()))
    }
}
