package bootdyno.probe

import bootdyno.model.SeriesRow
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicLong
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource

/**
 * Reads a probe once every [every] on its own thread and gives each row to [onRow], on that thread.
 *
 * A row's `at` is what [secondsSinceBegin] said when its reading began, never what was planned. A reading that fails is left out and
 * counted; a late one delays nobody: the beats it missed are skipped, the others stay where they were.
 */
class Sampler(
    private val probe: Probe,
    private val secondsSinceBegin: () -> Double,
    private val every: Duration = 1.seconds,
    private val onRow: (SeriesRow) -> Unit,
) : AutoCloseable {
    private val stopping = CountDownLatch(1)
    private val failures = AtomicLong()
    private val thread = Thread.ofPlatform().daemon().name("sampler").unstarted { sampleUntilStopped() }

    /** Readings that failed and are missing. */
    val failed: Long get() = failures.get()

    /** The first reading is taken at once. */
    fun start(): Sampler {
        thread.start()
        return this
    }

    /** Returns when the last row has been given away; none comes after it. */
    fun stop() {
        stopping.countDown()
        if (Thread.currentThread() != thread) thread.join()
    }

    override fun close() = stop()

    private fun sampleUntilStopped() {
        val begun = TimeSource.Monotonic.markNow()
        var beat = 0L
        do {
            sample()
            beat = maxOf(beat + 1, (begun.elapsedNow() / every).toLong() + 1)
            val pause = every * beat.toDouble() - begun.elapsedNow()
        } while (!stopping.await(pause.inWholeNanoseconds, TimeUnit.NANOSECONDS))
    }

    private fun sample() {
        try {
            val at = secondsSinceBegin()
            onRow(SeriesRow(at, probe.read()))
        } catch (_: Exception) {
            failures.incrementAndGet()
        }
    }
}
