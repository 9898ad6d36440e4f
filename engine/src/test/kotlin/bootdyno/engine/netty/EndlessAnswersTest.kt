package bootdyno.engine.netty

import bootdyno.engine.Hostile
import bootdyno.engine.HostileServer
import bootdyno.engine.LoadMeasured
import bootdyno.engine.Transport
import bootdyno.engine.asking
import bootdyno.engine.order
import bootdyno.model.ErrorCause
import bootdyno.model.Expectation
import bootdyno.model.LoadProfile
import io.kotest.assertions.withClue
import io.kotest.matchers.comparables.shouldBeLessThan
import io.kotest.matchers.longs.shouldBeGreaterThan
import io.kotest.matchers.longs.shouldBeLessThanOrEqual
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import java.util.concurrent.TimeUnit
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlin.time.measureTimedValue

/** The drive itself, in this process, against servers that go on and on: it ends by the request's timeout in all its parts. */
@Tag("live")
class EndlessAnswersTest {
    private fun drive(
        way: Hostile,
        window: Duration,
        settle: Duration = Duration.ZERO,
        body: String? = null,
        timeout: Duration = 200.milliseconds,
        drain: Duration = 60.seconds,
    ): LoadMeasured {
        val loops = Transport.best.loops(1, "endless")
        try {
            return HostileServer(way).use { server ->
                val order = order(
                    server.port,
                    LoadProfile.Closed(3),
                    window,
                    settle,
                    Expectation(200),
                    timeout = timeout,
                    drain = drain,
                ).asking { copy(body = body) }
                val (measured, took) = measureTimedValue { Drive(order, loops) {}.run() }
                withClue(way) { took shouldBeLessThan 20.seconds }
                measured
            }
        } finally {
            loops.shutdownGracefully(0, 1, TimeUnit.SECONDS)
        }
    }

    @Test
    fun `an answer without an end is a timeout in the window`() {
        listOf(Hostile.EVENTS, Hostile.ENDLESS_BODY, Hostile.SILENT).forEach {
            val found = drive(it, window = 300.milliseconds).found
            withClue(it) {
                found.errors.keys shouldBe setOf(ErrorCause.TIMEOUT)
                found.errors.getValue(ErrorCause.TIMEOUT) shouldBeGreaterThan 0L
                found.answered shouldBe 0
            }
        }
    }

    @Test
    fun `headers without an end are an error of the protocol at 64 KiB`() {
        listOf(Hostile.ENDLESS_HEADERS, Hostile.ENDLESS_INTERIM).forEach {
            val found = drive(it, window = 1.seconds, timeout = 15.seconds).found
            withClue(it) { found.errors.keys shouldBe setOf(ErrorCause.PROTOCOL) }
        }
    }

    @Test
    fun `a warm-up waits no longer for answers than a request may take`() {
        // Its last requests have timed out then, or time out just later.
        drive(Hostile.EVENTS, window = Duration.ZERO, settle = 400.milliseconds).found.leftAfter shouldBeLessThanOrEqual 3
    }

    @Test
    fun `a warm-up says how many requests it left without an answer`() {
        val found =
            drive(Hostile.EVENTS, Duration.ZERO, settle = 400.milliseconds, timeout = 15.seconds, drain = 100.milliseconds)
        found.found.leftAfter shouldBe 3
    }

    @Test
    fun `a request that nobody reads is a timeout, however long it is`() {
        val found = drive(Hostile.READS_NOTHING, window = 300.milliseconds, body = "x".repeat(8_000_000)).found
        found.errors.keys shouldBe setOf(ErrorCause.TIMEOUT)
    }

    @Test
    fun `an answer of 100 MB is read to its end`() {
        val found = drive(Hostile.HUNDRED_MEGABYTES, window = 1.seconds, timeout = 15.seconds).found
        found.errors shouldBe emptyMap()
        found.answered + found.inFlight shouldBeGreaterThan 0L
    }

    @Test
    fun `what comes before an answer is passed over`() {
        listOf(Hostile.CONTINUE_FIRST, Hostile.EARLY_HINTS).forEach {
            val found = drive(it, window = 300.milliseconds).found
            withClue(it) { found.answered shouldBeGreaterThan 0L }
        }
    }
}
