package bootdyno.engine

import bootdyno.model.ErrorCause
import bootdyno.model.LoadProfile
import io.kotest.matchers.longs.shouldBeInRange
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import java.util.concurrent.atomic.AtomicLong
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/** What an engine must show that sees requests which are never answered. */
interface UnansweredKit : EngineKit {
    @Test
    fun `requests that hang time out, and their connections are replaced`() {
        val connections = AtomicLong()
        // An engine that starts cold may be late with its own connecting.
        val timeout = if (startsCold) 1.seconds else 200.milliseconds
        TruthServer.start { if (it.onConnection == 0L) connections.incrementAndGet() }.use { server ->
            val order =
                order(server.port, LoadProfile.Closed(5), window = timeout * 3.5, timeout = timeout, drain = 100.milliseconds)
            val measured = engine.drive(order)
            measured.found.errors.keys shouldBe setOf(ErrorCause.TIMEOUT)
            measured.latencies.response.totalCount shouldBe 0
            // One that waits a little before it asks again may do so as the window ends.
            measured.found.inFlight shouldBeInRange (if (startsCold) 0L else 5L)..5L
            val asked = measured.found.errors.getValue(ErrorCause.TIMEOUT) + measured.found.inFlight
            connections.get() shouldBeInRange asked - (if (startsCold) 5 else 0)..asked
            measured.latencies.unanswered.totalCount shouldBe asked
        }
    }
}
