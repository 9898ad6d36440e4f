package bootdyno.engine

import bootdyno.engine.netty.sum
import bootdyno.model.ErrorCause
import bootdyno.model.Expectation
import bootdyno.model.LoadProfile
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.longs.shouldBeGreaterThan
import io.kotest.matchers.longs.shouldBeInRange
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import java.util.concurrent.CompletableFuture
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicLong
import kotlin.concurrent.thread
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/** What an engine must show that makes closed load. */
interface ClosedKit : EngineKit {
    /** A connection that is refused is tried again at once, so that nothing bounds how often. */
    val spins: Boolean get() = false

    @Test
    fun `an interrupt stops the load, and a loop that is refused afterwards counts each attempt, and does not spin`() {
        val asked = AtomicLong()
        TruthServer.start {
            asked.incrementAndGet()
            it.answerAfter(50.milliseconds, good)
        }.use { server ->
            val running = CountDownLatch(1)
            val ending = CompletableFuture<Throwable?>()
            val driver = thread {
                try {
                    engine.drive(order(server.port, LoadProfile.Closed(20), window = 60.seconds)) {
                        if (asked.get() > 0) running.countDown()
                    }
                    ending.complete(null)
                } catch (interrupted: InterruptedException) {
                    ending.complete(interrupted)
                }
            }
            running.await(60, TimeUnit.SECONDS) shouldBe true
            driver.interrupt()
            (ending.get(30, TimeUnit.SECONDS) is InterruptedException) shouldBe true
            if (engine is ForeignEngine) engine.pid shouldBe null
            val before = asked.get()

            val found = engine.drive(order(refusedPort(), LoadProfile.Closed(10), window = 1.seconds)).found
            found.answered shouldBe 0
            found.errors.keys shouldBe setOf(ErrorCause.REFUSED)
            val refused = found.errors.getValue(ErrorCause.REFUSED)
            // Back-off of 10 + 20 + 40 + 80 ms, then 100 ms: at most 14 attempts a connection in the first second.
            if (spins) refused shouldBeGreaterThan 0L else refused shouldBeInRange 10L..200L
            // What was left of the twenty would have asked 400 times in this second.
            asked.get() - before shouldBeInRange 0L..20L
        }
    }
}

/** The same counts as those of [BurstKit]: an engine that starts cold and makes bursts need not show them again. */
interface ClosedCountKit : ClosedKit {
    @Test
    fun `failures in closed load are in their classes, as many as the server made`() {
        val faults = met(faults(closing = asksAgain))
        val served = faults.map { AtomicLong() }
        TruthServer.start { asked ->
            val turn = (asked.number % faults.size).toInt()
            served[turn].incrementAndGet()
            faults[turn].reply(asked)
        }.use { server ->
            val found = engine.drive(order(server.port, LoadProfile.Closed(10), window = 1.seconds)).found
            val made = faults.zip(served).groupBy({ (fault, _) -> fault.cause?.let(::told) }, { (_, count) -> count.get() })
                .mapValues { (_, counts) -> counts.sum() }
            found.errors.keys shouldBe made.keys.filterNotNull().toSet()
            // Up to ten were under way when the window closed, or were asked for and not counted any more.
            made.forEach { (cause, count) ->
                val told = if (cause == null) found.answered else found.errors.getValue(cause)
                told shouldBeInRange mayTell(count, underWay = 10)
            }
        }
    }

    @Test
    fun `a server that closes after ten requests loses none in closed load`() {
        val asked = AtomicLong()
        TruthServer.start(closingAfter(10, asked)).use { server ->
            val found = engine.drive(order(server.port, LoadProfile.Closed(4), window = 1.seconds)).found
            found.errors shouldBe emptyMap()
            // The kernel tells CPU time in ticks of 10 ms: as many requests as this server answers take some.
            found.generator.cpuSeconds shouldBeGreaterThan 0.0
            // An engine that cannot see what is under way at the end leaves up to four out.
            found.answered + found.inFlight shouldBeInRange mayTell(asked.get(), underWay = 4)
        }
    }

    @Test
    fun `method, headers and body arrive as ordered in closed load`() {
        val seen = ConcurrentHashMap<String, String>()
        echo(seen).use { server ->
            fun ask(method: String, status: Int, body: String?) = engine.drive(
                order(server.port, LoadProfile.Closed(2), window = 1.seconds, expect = Expectation(status, body))
                    .asking { copy(method = method, headers = mapOf("X-Test" to "yes"), body = body) },
            ).found
            val posted = ask("POST", 201, "{\"käse\":\"\\\"1\\\"\"}")
            posted.answered shouldBeGreaterThan 0L
            posted.errors shouldBe emptyMap()
            val put = ask("PUT", 204, null)
            put.answered shouldBeGreaterThan 0L
            put.errors shouldBe emptyMap()
            seen["POST"] shouldBe "/path?ms=5 yes {\"käse\":\"\\\"1\\\"\"}"
            seen["PUT"] shouldBe "/path?ms=5 yes "
        }
    }
}
