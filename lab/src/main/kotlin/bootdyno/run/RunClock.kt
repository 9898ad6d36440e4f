package bootdyno.run

import java.time.OffsetDateTime
import java.time.temporal.ChronoUnit

/** The time as the conductor knows it; tests move it by hand. */
interface RunClock {
    /** Wall clock, for people. */
    fun wall(): OffsetDateTime

    /** Seconds on a clock that never jumps. */
    fun seconds(): Double

    fun sleep(seconds: Double)
}

/** The real time. */
object MachineClock : RunClock {
    override fun wall(): OffsetDateTime = OffsetDateTime.now().truncatedTo(ChronoUnit.MILLIS)

    override fun seconds(): Double = System.nanoTime() / 1e9

    override fun sleep(seconds: Double) = Thread.sleep((seconds * 1000).toLong())
}
