package bootdyno.run

import java.time.OffsetDateTime
import java.time.temporal.ChronoUnit

/** The clock of a run; tests replace it. */
interface RunClock {
    /** Wall clock. */
    fun wall(): OffsetDateTime

    /** Seconds of a monotonic clock. */
    fun seconds(): Double

    fun sleep(seconds: Double)
}

object MachineClock : RunClock {
    override fun wall(): OffsetDateTime = OffsetDateTime.now().truncatedTo(ChronoUnit.MILLIS)

    override fun seconds(): Double = System.nanoTime() / 1e9

    override fun sleep(seconds: Double) = Thread.sleep((seconds * 1000).toLong())
}
