package bootdyno.launch

import bootdyno.engine.Hostile
import bootdyno.engine.HostileServer
import bootdyno.launch.http.VerificationClient
import bootdyno.model.Expectation
import bootdyno.model.Step
import bootdyno.model.Workload
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.matchers.comparables.shouldBeLessThan
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import java.net.URI
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

@Timeout(120)
class HostileAnswersTest {
    private val asked = Workload("w", listOf(Step("w", path = "/w", expect = Expectation(200, "ok"))), holds = 1.milliseconds)

    private fun asked(way: Hostile, workload: Workload = asked, timeout: Duration = 1.seconds): Double =
        HostileServer(way).use { server ->
            Answers(CheckedSubject(client(server), { emptyList() }, { "" })).use { it.verify(workload, timeout).min() }
        }

    private fun client(server: HostileServer) = VerificationClient(URI.create("http://127.0.0.1:${server.port}"))

    /** Of an answer that ends by itself, long before the deadline. */
    private fun ended(way: Hostile) = refusal(way, timeout = 30.seconds)

    private fun refusal(way: Hostile, workload: Workload = asked, timeout: Duration = 1.seconds): String = withClue(way) {
        shouldThrow<LaunchFailed> { asked(way, workload, timeout) }.reason
    }

    @Test
    fun `what is passed over before an answer, and an answer without a length, are understood`() {
        listOf(Hostile.GOOD, Hostile.CONTINUE_FIRST, Hostile.EARLY_HINTS, Hostile.NO_LENGTH).forEach {
            withClue(it) { asked(it, timeout = 10.seconds) shouldBeGreaterThan 0.0 }
        }
    }

    @Test
    fun `an answer that goes on and on ends at the deadline, and the reason says how far it came`() {
        refusal(Hostile.DRIPPED_BODY) shouldContain
            Regex("no whole answer: only \\d+ of 100000 bytes of its body came within 1s")
        refusal(Hostile.DRIPPED_HEAD) shouldContain Regex("only \\d+ bytes of its head came within 1s")
        refusal(Hostile.EVENTS) shouldContain "its stream of events did not end within 1s: leave this request out"
        refusal(Hostile.SILENT) shouldContain "no whole answer: none came within 1s"
    }

    @Test
    fun `an answer that floods is given up at its limit or the deadline`() {
        listOf(Hostile.ENDLESS_HEADERS, Hostile.ENDLESS_LINE, Hostile.ENDLESS_INTERIM, Hostile.ENDLESS_TRAILERS).forEach {
            refusal(it, timeout = 5.seconds) shouldContain "more than 64 KiB of headers"
        }
        listOf(Hostile.ENDLESS_BODY, Hostile.ENDLESS_CHUNKS).forEach {
            refusal(it) shouldContain Regex("longer than 256 MiB|came within 1s")
        }
    }

    @Test
    fun `a long answer is read to its end, and of what is compared only the beginning is shown`() {
        asked(
            Hostile.HUNDRED_MEGABYTES,
            Workload("w", listOf(Step("w", path = "/w")), holds = 1.milliseconds),
            30.seconds,
        ) shouldBeGreaterThan 0.0
        val failure = shouldThrow<LaunchFailed> { asked(Hostile.HUNDRED_MEGABYTES, timeout = 30.seconds) }
        failure.reason.length shouldBeLessThan 400
    }

    @Test
    fun `an answer cut short is called that, and not a timeout`() {
        ended(Hostile.CUT_HEAD) shouldBe
            "GET /w got no whole answer: it closed the connection after 27 bytes of its head."
        ended(Hostile.CUT_BODY) shouldContain "it closed the connection after 9 of 100 bytes of its body."
        ended(Hostile.CUT_CHUNK) shouldContain "it closed the connection after 9 bytes of its body, within a chunk."
        ended(Hostile.CUT_BETWEEN_CHUNKS) shouldContain "it closed the connection after 9 bytes of its body, between chunks."
        ended(Hostile.CLOSES) shouldContain "it closed the connection without an answer."
        ended(Hostile.RESETS) shouldContain "it broke the connection without an answer"
    }

    @Test
    fun `what is no HTTP is called by its name`() {
        ended(Hostile.TLS) shouldContain "it speaks TLS"
        ended(Hostile.HTTP_2) shouldContain "it speaks HTTP/2 only"
        ended(Hostile.JUNK) shouldContain "something else than HTTP/1.1: 'SSH-2.0-OpenSSH_9.2'"
        ended(Hostile.OVERLONG) shouldContain "its answer is longer than it says"
        ended(Hostile.TWO_LENGTHS) shouldContain "the head of its answer is damaged: 'Content-Length: 2, 3'"
        ended(Hostile.BAD_CHUNK) shouldContain "a chunk of its body has no size: 'zz'"
    }

    @Test
    fun `a request that nobody reads ends at the deadline`() {
        val long = Workload("w", listOf(Step("w", "POST", "/w", body = "x".repeat(20_000_000))), holds = 1.milliseconds)
        refusal(Hostile.READS_NOTHING, long) shouldContain "none came within 1s"
    }

    @Test
    fun `a kept connection carries the next question, and a new one is opened where it was closed`() {
        HostileServer(Hostile.CONTINUE_FIRST).use { server ->
            client(server).use { client ->
                repeat(3) { client.ask(asked.requests().single(), 10.seconds).body shouldBe "ok" }
            }
        }
    }
}
