package bootdyno.engines.gatling

import bootdyno.model.ErrorCause
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import java.nio.file.Path

/** What a real Gatling wrote; `recorded/README.md` says how it was recorded. */
class RecordedLogTest {
    private val log = Path.of(checkNotNull(javaClass.getResource("/recorded/faults.log")).toURI())

    @Test
    fun `every fault of the server is counted once, in its own class`() {
        val tally = LogTally(Span(limitMillis = 20_000), drainMillis = 10_000, OurRun(LOAD_SCENARIO)).also {
            readSimulationLog(log, it::take)
        }
        (tally.good to tally.bad) shouldBe (20L to 90L)
        (tally.usersStarted to tally.usersEnded) shouldBe (10L to 10L)
        tally.answered shouldBe 20
        tally.errors shouldBe mapOf(
            ErrorCause.CLOSED to 30L,
            ErrorCause.TIMEOUT to 10L,
            ErrorCause.STATUS to 20L,
            ErrorCause.BODY to 20L,
            ErrorCause.PROTOCOL to 10L,
        )
        tally.inFlight shouldBe 0
        tally.latencies().response.totalCount shouldBe 20
        // The ten that timed out after 500 ms.
        tally.latencies().unanswered.totalCount shouldBe 10
        tally.latencies().unanswered.getValueAtPercentile(50.0) / 1e6 shouldBe (500.0 plusOrMinus 200.0)
    }
}
