package bootdyno.engine

import bootdyno.model.Arrivals
import bootdyno.model.ErrorCause
import bootdyno.model.LoadProfile
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldBeStrictlyIncreasing
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.doubles.shouldBeGreaterThanOrEqual
import io.kotest.matchers.longs.shouldBeGreaterThan
import io.kotest.matchers.longs.shouldBeInRange
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/** What an engine must show that makes open load. */
interface OpenKit : EngineKit {
    /** Whether it knows when each request was due and when it left, and tells latencies as they come. */
    val stampsEachSend: Boolean get() = true

    @Test
    fun `exactly 20 ms is 20 ms in open load, and the lag of the generator is told`() {
        TruthServer.start(after(20.milliseconds)).use { server ->
            val measured = engine.drive(
                order(server.port, LoadProfile.Open(300.0), window = 1.seconds, settle = 500.milliseconds),
            )
            measured.latencies.response.millis(0.0) shouldBeGreaterThanOrEqual atLeast(20.0)
            measured.latencies.response.millis(50.0) shouldBe (20.0 plusOrMinus 10.0)
            measured.found.due.shouldNotBeNull() / measured.found.windowSeconds shouldBe (300.0 plusOrMinus 30.0)
            val lag = measured.found.generator.lagP99Ms
            if (stampsEachSend) lag.shouldNotBeNull() shouldBeGreaterThanOrEqual 0.0 else lag shouldBe null
        }
    }

    @Test
    fun `one slow answer in a hundred moves the tail and not the middle in open load`() {
        shownUnless(startsCold && this is ClosedKit)
        TruthServer.start(everyNth(100, slow = 500.milliseconds, usual = 5.milliseconds)).use { server ->
            val order = order(server.port, LoadProfile.Open(1000.0), window = 2.seconds, settle = 1.seconds)
            shouldHaveSeenTheHundredth(engine.drive(order))
        }
    }

    @Test
    fun `a freeze of the server is in the response times of open load`() {
        // Under 500 a second from 1 to 2 s and from 3 to 4 s of 5 s: 1,000 of 2,500 requests wait, 0 to 1 s, 200 ms on
        // average over all.
        val freezes = Freezes(listOf(1.seconds, 3.seconds), 1.seconds)
        val truth = freezes.truth(500.0, Duration.ZERO, 5.seconds)
        truth.meanMillis shouldBe (200.0 plusOrMinus 1.0)
        truth.millis(80.0) shouldBe (500.0 plusOrMinus 5.0)
        TruthServer.start(freezes).use { server ->
            val measured = engine.drive(order(server.port, LoadProfile.Open(500.0), window = 5.seconds))
            val response = measured.latencies.response
            // What hides the waiting says less; an engine that begins cold adds some of its own.
            val own = if (startsCold) 150.0 else 0.0
            response.meanMillis shouldBeWithin truth.meanMillis - 30.0..truth.meanMillis + 30.0 + own
            response.millis(80.0) shouldBeWithin truth.millis(80.0) - 60.0..truth.millis(80.0) + 60.0 + own
            response.millis(95.0) shouldBeWithin truth.millis(95.0) - 60.0..truth.millis(95.0) + 60.0 + own
            response.millis(99.9) shouldBeWithin truth.millis(99.9) - 100.0..truth.millis(99.9) + 100.0 + own
            measured.found.due.shouldNotBeNull() shouldBeInRange 2495L..2500L
        }
    }

    @Test
    fun `poisson arrivals come at their rate`() {
        TruthServer.start { it.answer(good) }.use { server ->
            val found = engine.drive(order(server.port, LoadProfile.Open(1000.0, Arrivals.POISSON), window = 1.seconds)).found
            // 1,000 of them have a standard deviation of 32; an engine that starts cold begins late and catches up.
            found.due.shouldNotBeNull() shouldBeInRange if (startsCold) 500L..1500L else 850L..1150L
            found.answered + found.inFlight + found.errors.values.sum() shouldBe found.due
        }
    }

    @Test
    fun `an open profile that is refused fails once for each request due`() {
        val found = engine.drive(order(refusedPort(), LoadProfile.Open(200.0), window = 500.milliseconds)).found
        found.errors.keys shouldBe setOf(ErrorCause.REFUSED)
        found.errors.values.sum() + found.inFlight shouldBe found.due
    }

    @Test
    fun `seconds are totals as time goes by and say which are in the window`() {
        TruthServer.start { it.answer(good) }.use { server ->
            val seconds = mutableListOf<LoadSecond>()
            val found = engine.drive(
                order(server.port, LoadProfile.Open(200.0), window = 2.seconds, settle = 1.seconds),
                seconds::add,
            ).found
            seconds.map { it.at }.shouldBeStrictlyIncreasing()
            seconds.map { it.answered }.sorted() shouldBe seconds.map { it.answered }
            seconds.filter { it.at < 0.9 || it.at in 1.6..2.9 }.forEach { it.inWindow shouldBe (it.at > 1) }
            seconds.map { it.inWindow }.toSet() shouldBe setOf(false, true)
            seconds.last().answered shouldBeInRange found.answered..found.answered + 250
            if (stampsEachSend) seconds.first().p99Ms.shouldNotBeNull() shouldBeGreaterThan 0.0
        }
    }

    @Test
    fun `a rate below zero is the engine's failure, not the subject's`() {
        shouldThrow<EngineFailed> { engine.drive(order(1, LoadProfile.Open(-1.0), window = 1.seconds)) }
    }
}

private infix fun Double.shouldBeWithin(range: ClosedFloatingPointRange<Double>) {
    this shouldBe (((range.start + range.endInclusive) / 2) plusOrMinus ((range.endInclusive - range.start) / 2))
}
