package bootdyno.engine.netty

import bootdyno.engine.DriveSecond

/**
 * Tells when the drain of a warm-up waits for answers that do not come. At most 1 % of the requests are left, and none ended for 10 s, or
 * twice the slowest time if that is longer. Tomcat 11.0.22 now and then loses the answer of an asynchronous handler in a cold JVM.
 */
internal class LostAnswers {
    private var slowest = 0L
    private var most = 0L
    private var ended = 0L
    private var since = 0L

    /** Sees each [second] of a drive, reported at [now] (nanoTime); whether only lost answers are left. */
    fun areLeft(second: DriveSecond, now: Long): Boolean {
        val counts = second.second
        slowest = maxOf(slowest, second.responses.maxValue)
        most = maxOf(most, counts.inFlight)
        if (since == 0L || counts.answered + counts.errors != ended) since = now
        ended = counts.answered + counts.errors
        return ended > 0 && counts.inFlight <= maxOf(1, most / SHARE) && now - since > maxOf(PATIENCE, 2 * slowest)
    }
}

private const val SHARE = 100
private const val PATIENCE = 10_000_000_000L
