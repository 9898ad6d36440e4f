package bootdyno.run

import java.time.OffsetDateTime

/** A clock moved by hand; sleeping moves it. */
internal class ManualClock : RunClock {
    private var now = 0.0

    override fun wall(): OffsetDateTime = OffsetDateTime.parse("2026-11-20T10:15:00Z").plusNanos((now * 1e9).toLong())

    override fun seconds() = now

    override fun sleep(seconds: Double) = move(seconds)

    fun move(seconds: Double) {
        now += seconds
    }
}
