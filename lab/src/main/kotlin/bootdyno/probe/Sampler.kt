package bootdyno.probe

import bootdyno.model.SeriesRow
import bootdyno.system.nullOn
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource

/**
 * Reads a probe every [every] on a separate thread, and passes each row to [onRow] on that thread.
 *
 * A row's `at` is [secondsSinceBegin] at the start of its reading. A failed reading is left out. After a late one, missed times
 * are skipped; the others do not move.
 */
class Sampler(
    private val probe: Probe,
    private val secondsSinceBegin: () -> Double,
    private val every: Duration = 1.seconds,
    private val onRow: (SeriesRow) -> Unit,
) {
    private val stopping = CountDownLatch(1)
    private val thread = Thread.ofPlatform().daemon().name("sampler").unstarted { sampleUntilStopped() }

    /** The first reading is immediate. */
    fun start(): Sampler {
        thread.start()
        return this
    }

    /** Returns after the last row. */
    fun stop() {
        stopping.countDown()
        thread.join()
    }

    private fun sampleUntilStopped() {
        val begun = TimeSource.Monotonic.markNow()
        var beat = 0L
        do {
            sample()
            beat = maxOf(beat + 1, (begun.elapsedNow() / every).toLong() + 1)
            val pause = every * beat.toDouble() - begun.elapsedNow()
        } while (!stopping.await(pause.inWholeNanoseconds, TimeUnit.NANOSECONDS))
    }

    /** If it fails, its row is missing. */
    private fun sample() {
        nullOn(Exception::class) { onRow(SeriesRow(secondsSinceBegin(), probe.read())) }
    }
}
