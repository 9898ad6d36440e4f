package bootdyno.engine

import bootdyno.model.Expectation
import bootdyno.model.LoadProfile
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.longs.shouldBeInRange
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.atomic.AtomicLong
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/** What an engine must show that makes bursts. A burst leaves no request unfinished, so its counts are exact. */
interface BurstKit : EngineKit {
    @Test
    fun `faults are each counted once, in their own class, and the classes add up to the requests`() {
        val faults = met(faults(apart = asksAgain) + overlong + hanging + untilClose)
        TruthServer.start { faults[(it.number % faults.size).toInt()].reply(it) }.use { server ->
            // A burst leaves no request unfinished: 10 users, each as often as there are faults: every fault 10 times.
            val burst = LoadProfile.Burst(10, faults.size)
            val measured = engine.drive(
                order(server.port, burst, window = 20.seconds, timeout = 500.milliseconds),
            )
            val expected = faults.groupingBy { it.cause?.let(::told) }.eachCount().mapValues { it.value * 10L }
            measured.found.answered shouldBe expected.getValue(null)
            measured.found.errors shouldBe expected.filterKeys { it != null }
            measured.found.inFlight shouldBe 0
            measured.latencies.response.totalCount shouldBe expected.getValue(null)
            if (this is UnansweredKit) {
                // A timeout is an observation cut off at its limit.
                measured.latencies.unanswered.totalCount shouldBe 10
                measured.latencies.unanswered.millis(50.0) shouldBe
                    (500.0 plusOrMinus if (resolution < 1.milliseconds) 1.0 else 200.0)
            }
        }
    }

    @Test
    fun `a burst that does not end is cut off at the window`() {
        TruthServer.start(after(100.milliseconds)).use { server ->
            val found = engine.drive(order(server.port, LoadProfile.Burst(5, 1000), window = 1.seconds)).found
            found.windowSeconds shouldBe (1.0 plusOrMinus 0.5)
            found.answered shouldBeInRange 5L..50L
            // Where time is told in milliseconds, a user may be seen between an answer and its next request.
            found.inFlight shouldBeInRange if (resolution < 1.milliseconds) 5L..5L else 3L..5L
        }
    }

    @Test
    fun `a server that closes after ten requests loses none and gets none twice`() {
        val asked = AtomicLong()
        val connections = AtomicLong()
        val closing = closingAfterTen(asked)
        TruthServer.start {
            if (it.onConnection == 0L) connections.incrementAndGet()
            closing(it)
        }.use { server ->
            val burst = engine.drive(order(server.port, LoadProfile.Burst(4, 50), window = 20.seconds)).found
            burst.errors shouldBe emptyMap()
            burst.answered shouldBe 200
            asked.get() shouldBe 200
            connections.get() shouldBe 20
        }
    }

    @Test
    fun `many users at once are all served`() {
        TruthServer.start { it.answer(good) }.use { server ->
            val found = engine.drive(order(server.port, LoadProfile.Burst(1000, 3), window = 30.seconds)).found
            found.errors shouldBe emptyMap()
            found.answered shouldBe 3000
        }
    }

    @Test
    fun `method, headers and body arrive as ordered, and HEAD and 204 end without a body`() {
        val seen = ConcurrentHashMap<String, String>()
        echo(seen).use { server ->
            fun ask(method: String, status: Int, body: String?) = engine.drive(
                order(server.port, LoadProfile.Burst(2, 3), window = 10.seconds, expect = Expectation(status, body))
                    .asking { copy(method = method, headers = mapOf("X-Test" to "yes"), body = body) },
            ).found.answered
            ask("POST", 201, "{\"käse\":1}") shouldBe 6
            ask("HEAD", 200, null) shouldBe 6
            seen["POST"] shouldBe "/path?ms=5 yes {\"käse\":1}"
            if (startsCold) return
            ask("PUT", 204, null) shouldBe 6
            seen["PUT"] shouldBe "/path?ms=5 yes "
        }
    }
}
