package bootdyno.probe

/**
 * Sums the counters of threads that come and go, so that the sum never falls.
 *
 * The kernel forgets an ended thread's counters; here it keeps the last count that was seen. What it did between that moment and its
 * end is lost, so the total is a little low where threads are short-lived.
 */
internal class GrowingTotal {
    private var last: Map<Long, Long> = emptyMap()
    private var ended = 0L

    /** The total, given the counters [now] by thread id. A count below the last one means that the id is a new thread's. */
    fun of(now: Map<Long, Long>): Long {
        ended += last.entries.sumOf { (thread, count) -> if (count > (now[thread] ?: -1)) count else 0 }
        last = now
        return ended + now.values.sum()
    }
}
