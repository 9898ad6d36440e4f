package bootdyno.engine

import bootdyno.model.ErrorCause
import bootdyno.model.Expectation
import bootdyno.model.LoadProfile
import io.kotest.matchers.collections.shouldBeStrictlyIncreasing
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.doubles.shouldBeGreaterThanOrEqual
import io.kotest.matchers.longs.shouldBeGreaterThan
import io.kotest.matchers.longs.shouldBeGreaterThanOrEqual
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
    fun `exactly 20 ms is 20 ms in closed load, and response is service`() {
        TruthServer.start(after(20.milliseconds)).use { server ->
            val measured = engine.drive(order(server.port, LoadProfile.Closed(10), window = 1.seconds, settle = 500.milliseconds))
            val response = measured.latencies.response
            response.millis(0.0) shouldBeGreaterThanOrEqual atLeast(20.0)
            response.millis(50.0) shouldBe (20.0 plusOrMinus 10.0)
            measured.latencies.service shouldBe response
            measured.found.errors shouldBe emptyMap()
            measured.found.windowSeconds shouldBe (1.0 plusOrMinus 0.5)
            // Little: 10 in flight, each for the mean response time.
            val inFlight = measured.found.answered / measured.found.windowSeconds * response.meanMillis / 1e3
            inFlight shouldBe (10.0 plusOrMinus 1.0)
            measured.found.due shouldBe null
            measured.found.generator.lagP99Ms shouldBe null
        }
    }

    @Test
    fun `one slow answer in a hundred moves the tail and not the middle in closed load`() {
        TruthServer.start(everyNth(100, slow = 500.milliseconds, usual = 5.milliseconds)).use { server ->
            val order = order(server.port, LoadProfile.Closed(20), window = 3.seconds, settle = 1.seconds)
            shouldHaveSeenTheHundredth(engine.drive(order))
        }
    }

    @Test
    fun `failures in closed load are in their classes, as many as the server made`() {
        shownUnless(startsCold && this is BurstKit)
        val faults = met(faults(apart = asksAgain))
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
    fun `a closed loop that is refused counts each attempt, and does not spin`() {
        val found = engine.drive(order(refusedPort(), LoadProfile.Closed(10), window = 1.seconds)).found
        found.answered shouldBe 0
        found.errors.keys shouldBe setOf(ErrorCause.REFUSED)
        val refused = found.errors.getValue(ErrorCause.REFUSED)
        // Back-off of 10 + 20 + 40 + 80 ms, then 100 ms: at most 14 attempts a connection in the first second.
        if (spins) refused shouldBeGreaterThan 0L else refused shouldBeInRange 10L..200L
    }

    @Test
    fun `a server that closes after ten requests loses none in closed load`() {
        shownUnless(startsCold && this is BurstKit)
        val asked = AtomicLong()
        TruthServer.start(closingAfterTen(asked)).use { server ->
            val found = engine.drive(order(server.port, LoadProfile.Closed(4), window = 1.seconds)).found
            found.errors shouldBe emptyMap()
            // An engine that cannot see what is under way at the end leaves up to four out.
            found.answered + found.inFlight shouldBeInRange mayTell(asked.get(), underWay = 4)
        }
    }

    @Test
    fun `seconds begin with the load, and only grow`() {
        TruthServer.start { it.answer(good) }.use { server ->
            val seconds = mutableListOf<LoadSecond>()
            val found = engine.drive(
                order(server.port, LoadProfile.Closed(5), window = 2.seconds, settle = 1.seconds),
                seconds::add,
            ).found
            seconds.shouldNotBeEmpty()
            seconds.map { it.at }.shouldBeStrictlyIncreasing()
            seconds.map { it.answered }.sorted() shouldBe seconds.map { it.answered }
            seconds.last().answered shouldBeGreaterThanOrEqual found.answered
        }
    }

    @Test
    fun `an interrupt stops the load, and the engine can drive again`() {
        val asked = AtomicLong()
        TruthServer.start {
            asked.incrementAndGet()
            it.answerAfter(50.milliseconds, good)
        }.use { server ->
            val running = CountDownLatch(1)
            val ending = CompletableFuture<Throwable?>()
            val driver = thread {
                try {
                    engine.drive(order(server.port, LoadProfile.Closed(20), window = 60.seconds)) { running.countDown() }
                    ending.complete(null)
                } catch (interrupted: InterruptedException) {
                    ending.complete(interrupted)
                }
            }
            running.await(20, TimeUnit.SECONDS) shouldBe true
            driver.interrupt()
            (ending.get(5, TimeUnit.SECONDS) is InterruptedException) shouldBe true
            // What is left of the twenty would ask 400 times in this second.
            val before = asked.get()
            val found = engine.drive(order(server.port, LoadProfile.Closed(1), window = 1.seconds)).found
            found.answered shouldBeGreaterThan 0L
            val after = if (asksOn) 2 * found.answered else 0
            asked.get() - before shouldBeInRange found.answered..found.answered + 1 + 20 + after
        }
    }

    @Test
    fun `method, headers and body arrive as ordered in closed load`() {
        shownUnless(startsCold && this is BurstKit)
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
