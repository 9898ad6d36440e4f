package bootdyno.engines.gatling

import bootdyno.model.ErrorCause
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path

class LogTallyTest {
    @TempDir
    lateinit var folder: Path

    private val refused = "j.n.ConnectException: Connection refused"

    private fun tally(span: Span, log: WrittenLog, ours: OurRun? = null, drain: Long = 1_000) =
        LogTally(span, drain, ours).also { readSimulationLog(log.to(folder), it::take) }

    @Test
    fun `a request belongs to the window it ended in, and one that outlives the window is in flight`() {
        // The first user starts at 100; settled until 300, the window is 300 to 800.
        val log = WrittenLog().user(starts = true, at = 100)
            .request(100, 299) // before
            .request(200, 300) // ended in it
            .request(400, 799, refused) // ended in it, badly
            .request(500, 800) // in flight for 300
            .request(700, 1_000) // in flight for 100
            .request(800, 900) // after
            .user(starts = false, at = 1_000)
        val tally = tally(Span(200, limitMillis = 500, lasts = true), log)
        tally.to - tally.from shouldBe 500
        tally.answered shouldBe 1
        tally.errors shouldBe mapOf(ErrorCause.REFUSED to 1)
        tally.inFlight shouldBe 2
        tally.latencies().unanswered.totalCount shouldBe 2
        tally.latencies().unanswered.maxValue / 1e6 shouldBe (300.0 plusOrMinus 1.0)
        tally.latencies().entered?.totalCount shouldBe 1
        (tally.latencies().entered?.maxValue ?: 0) / 1e6 shouldBe (100.0 plusOrMinus 1.0)
        tally.due shouldBe 3
        (tally.good to tally.bad) shouldBe (5L to 1L)
        tally.drained shouldBe 200
        tally.left shouldBe 0
    }

    // The first user starts at 50; one request fails.
    @Test
    fun `answers of a burst count from its start`() {
        val log = WrittenLog().user(starts = true, at = 50).request(50, 60).request(60, 90).request(60, 95, refused)
            .user(starts = false, at = 95)
        val sinceStart = tally(Span(limitMillis = 10_000), log, OurRun("load", isBurst = true)).latencies()
            .sinceStart.shouldNotBeNull()
        sinceStart.recordedValues().map { it.valueIteratedTo / 1_000_000 } shouldContainExactly listOf(10, 40)
    }

    @Test
    fun `what has not ended when the drain is over is left`() {
        val log = WrittenLog().user(starts = true, at = 0).request(0, 1_400).request(0, 3_000)
        val tally = tally(Span(0, limitMillis = 500, lasts = true), log)
        tally.inFlight shouldBe 2
        tally.left shouldBe 1
        tally.drained shouldBe 1_000
    }

    @Test
    fun `a burst lasts until its last request, at its limit at the latest`() {
        val log = WrittenLog().user(starts = true, at = 50).request(50, 60).request(60, 90).user(starts = false, at = 90)
        tally(Span(limitMillis = 10_000), log).run {
            to - from shouldBe 40
            answered shouldBe 2
            inFlight shouldBe 0
        }
        tally(Span(limitMillis = 20), log).run {
            to - from shouldBe 20
            answered shouldBe 1
            inFlight shouldBe 1
        }
    }

    @Test
    fun `the users of other scenarios neither begin the window nor are counted`() {
        val log = WrittenLog(scenarios = listOf("gate", "load")).user(starts = true, at = 0).user(starts = false, at = 400)
            .user(starts = true, at = 500, scenario = 1).request(500, 520).user(starts = false, at = 520, scenario = 1)
        val tally = tally(Span(), log, ours = OurRun("load"))
        tally.to - tally.from shouldBe 20
        (tally.usersStarted to tally.usersEnded) shouldBe (1L to 1L)
    }

    @Test
    fun `several kinds of request are told apart by name and group, and sum up to all`() {
        val log = WrittenLog().user(
            starts = true,
            at = 0,
        ).request(0, 10, name = "list").request(10, 30, name = "buy", groups = listOf("cart"))
            .request(30, 40, refused, name = "list")
        val tally = tally(Span(), log)
        tally.operations.map { it.name } shouldContainExactly listOf("list", "cart / buy")
        tally.operations.sumOf { it.answered } shouldBe tally.answered
        tally.operations.first().errors shouldBe mapOf(ErrorCause.REFUSED to 1)
        tally.latencies().operations.getValue("cart / buy").maxValue / 1e6 shouldBe (20.0 plusOrMinus 0.1)
    }

    @Test
    fun `a timeout is an observation cut off at its limit`() {
        val log = WrittenLog().user(starts = true, at = 0)
            .request(0, 500, "i.g.h.c.i.RequestTimeoutException: Request timeout to 127.0.0.1/127.0.0.1:1 after 500 ms")
        val tally = tally(Span(), log)
        tally.errors shouldBe mapOf(ErrorCause.TIMEOUT to 1)
        tally.latencies().unanswered.maxValue / 1e6 shouldBe (500.0 plusOrMinus 1.0)
    }

    @Test
    fun `of our own run the window begins with its word, and what was decided on before the end is in flight, of its step`() {
        val log = WrittenLog(scenarios = listOf("load")).user(starts = true, at = 100)
            .request(160, 190, name = "read") // ended in it
            .request(640, 700, name = "read") // in flight for 10
            .request(651, 652, name = "read") // asked for at the last moment, and sent after it
        val ours = OurRun("load", sendingSince = WrittenLog.START + 150, steps = listOf("create", "read"))
        val tally = tally(Span(0, limitMillis = 500, lasts = true), log, ours)
        tally.answered shouldBe 1
        tally.inFlight shouldBe 2
        tally.due shouldBe 3
        tally.operations.map { it.name } shouldContainExactly listOf("create", "read")
        tally.operations.map { it.answered } shouldContainExactly listOf(0L, 1L)
        tally.operations.map { it.inFlight } shouldContainExactly listOf(0L, 2L)
        tally.latencies().unansweredOperations.mapValues { it.value.totalCount } shouldBe mapOf("create" to 0L, "read" to 2L)
    }
}
