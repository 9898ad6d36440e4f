package bootdyno.engine

import bootdyno.model.ErrorCause
import bootdyno.model.LoadProfile
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.longs.shouldBeGreaterThan
import io.kotest.matchers.longs.shouldBeInRange
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import java.util.concurrent.atomic.AtomicLong
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/** What an engine must show that sees requests which are never answered, and waits for those under way. */
interface UnansweredKit : EngineKit {
    @Test
    fun `requests that hang time out, and their connections are replaced`() {
        val connections = AtomicLong()
        TruthServer.start { if (it.onConnection == 0L) connections.incrementAndGet() }.use { server ->
            val measured = engine.drive(
                order(
                    server.port,
                    LoadProfile.Closed(5),
                    window = 1.seconds,
                    timeout = 200.milliseconds,
                    drain = 100.milliseconds,
                ),
            )
            measured.found.errors.keys shouldBe setOf(ErrorCause.TIMEOUT)
            measured.latencies.response.totalCount shouldBe 0
            // One that waits a little before it asks again may do so as the window ends.
            measured.found.inFlight shouldBeInRange (if (startsCold) 0L else 5L)..5L
            val asked = measured.found.errors.getValue(ErrorCause.TIMEOUT) + measured.found.inFlight
            connections.get() shouldBeInRange asked - (if (startsCold) 5 else 0)..asked
            measured.latencies.unanswered.totalCount shouldBe asked
        }
    }

    @Test
    fun `what is unanswered at the end is in flight with its age, and what does not drain is left`() {
        TruthServer.start { }.use { server ->
            val measured = engine.drive(
                order(
                    server.port,
                    LoadProfile.Closed(7),
                    window = 500.milliseconds,
                    timeout = 3.seconds,
                    drain = 200.milliseconds,
                ),
            )
            measured.found.inFlight shouldBe 7
            measured.found.leftAfter shouldBe 7
            measured.found.answered shouldBe 0
            measured.found.drainSeconds shouldBe (0.2 plusOrMinus 0.15)
            measured.latencies.unanswered.totalCount shouldBe 7
            measured.latencies.unanswered.millis(100.0) shouldBe (500.0 plusOrMinus 200.0)
        }
    }

    @Test
    fun `the drain waits for the answers, which do not count any more`() {
        TruthServer.start(after(800.milliseconds)).use { server ->
            val measured = engine.drive(order(server.port, LoadProfile.Closed(7), window = 500.milliseconds))
            measured.found.inFlight shouldBe 7
            measured.found.leftAfter shouldBe 0
            measured.found.drainSeconds shouldBeGreaterThan 0.1
            measured.found.drainSeconds shouldBeLessThan 5.0
            measured.latencies.response.totalCount shouldBe 0
        }
    }
}
