package bootdyno.engine

import bootdyno.model.LoadProfile
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeGreaterThanOrEqual
import io.kotest.matchers.longs.shouldBeGreaterThan
import io.kotest.matchers.longs.shouldBeInRange
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestInstance
import java.util.concurrent.atomic.AtomicLong
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/** One run of the real engine, short enough for every build. The other kits, which take minutes, are in `./build -Pfull`. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
interface LiveRunKit {
    val engine: LoadEngine

    @Test
    fun `a closed run counts the requests that the server answered, with the response time of the server`() {
        val served = AtomicLong()
        val reply = after(20.milliseconds)
        TruthServer.start { served.incrementAndGet().let { _ -> reply(it) } }.use { server ->
            val seconds = mutableListOf<LoadSecond>()
            val order = order(server.port, LoadProfile.Closed(10), window = 1.seconds)
            val measured = engine.drive(order, seconds::add)
            measured.found.errors shouldBe emptyMap()
            measured.found.answered shouldBeInRange 1..served.get()
            measured.found.windowSeconds shouldBe (1.0 plusOrMinus 0.5)
            measured.latencies.response.totalCount shouldBe measured.found.answered
            // Some engines record whole milliseconds.
            measured.latencies.response.millis(0.0) shouldBeGreaterThanOrEqual 18.9
            seconds.last().answered shouldBeGreaterThan 0L
        }
    }

    @Test
    fun `somebody else's program measures a window or nothing`() {
        if (engine !is ForeignEngine) return
        shouldThrow<EngineFailed> { engine.drive(order(1, LoadProfile.Closed(1), window = Duration.ZERO)) }.message shouldContain
            "windows only"
    }
}
