package bootdyno.engines.jmeter

import bootdyno.engine.SampleTally

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
internal class JtlCount(private val window: JtlWindow, private val expected: Expected) :
    SampleTally(expected.labels, connectKnown = true) {
    fun add(row: JtlRow) {
        when {
            row.end < window.from -> Unit

            row.end < window.to -> {
                val cause = if (row.good) null else causeOf(row, expected.status(row.label))
                ended(row.label, cause, row.elapsed, row.connect)
            }

            row.start < window.to -> underWay(row.label, window.to - row.start)
        }
    }

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
