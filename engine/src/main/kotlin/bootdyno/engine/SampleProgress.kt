package bootdyno.engine

import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds

/** The samples of a running load generator so far: their span, and their totals by the second. Times are ms since 1970. */
class SampleProgress(settle: Duration, window: Duration) {
    private val inWindow = settle.inWholeMilliseconds until (settle + window).inWholeMilliseconds
    private val second = nanoHistogram()
    private var answered = 0L
    private var errors = 0L
    private var toldAt: Long? = null

    val samples: Long get() = answered + errors

    /** First start and last end. */
    var first = Long.MAX_VALUE
        private set
    var last = Long.MIN_VALUE
        private set

    fun add(start: Long, end: Long, good: Boolean) {
        first = minOf(first, start)
        last = maxOf(last, end)
        if (good) {
            answered++
            second.recordNanos((end - start).milliseconds.inWholeNanoseconds)
        } else {
            errors++
        }
    }

    /** The second that ends at [now], if at least [least] has passed since the last one; null before the first sample. */
    fun second(now: Long, least: Duration, inFlight: Long): LoadSecond? {
        if (samples == 0L) return null
        val from = toldAt ?: first
        if (now - from < least.inWholeMilliseconds) return null
        toldAt = now
        return LoadSecond(
            at = (now - first).coerceAtLeast(0) / 1e3,
            inWindow = (from + now) / 2 - first in inWindow,
            answered = answered,
            errors = errors,
            inFlight = inFlight,
            p99Ms = second.p99Ms(),
            p50Ms = second.millisAt(50.0),
        ).also { second.reset() }
    }
}
