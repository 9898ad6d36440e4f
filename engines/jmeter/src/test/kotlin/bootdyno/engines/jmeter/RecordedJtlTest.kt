package bootdyno.engines.jmeter

import bootdyno.model.ErrorCause
import bootdyno.model.Step
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import java.nio.file.Path

/** What a real JMeter wrote; `recorded/README.md` says how it was recorded. */
class RecordedJtlTest {
    private val results = Path.of(checkNotNull(javaClass.getResource("/recorded/faults.jtl")).toURI())

    @Test
    fun `every fault of the server is counted once, in its own class`() {
        val span = JtlSpan().also { readResults(results, it::add) }
        span.samples shouldBe 100
        val count = JtlCount(JtlWindow(span.first, span.last + 1), listOf(Step("x", path = "/"))).also {
            readResults(results, it::add)
        }
        count.answered shouldBe 20
        count.errors shouldBe mapOf(
            ErrorCause.RESET to 10L,
            ErrorCause.CLOSED to 20L,
            ErrorCause.TIMEOUT to 10L,
            ErrorCause.STATUS to 20L,
            ErrorCause.BODY to 20L,
        )
        count.inFlight shouldBe 0
        val latencies = count.latencies()
        latencies.response.totalCount shouldBe 20
        // The ten that timed out after 500 ms.
        latencies.unanswered.totalCount shouldBe 10
        latencies.unanswered.getValueAtPercentile(50.0) / 1e6 shouldBe (500.0 plusOrMinus 200.0)
    }
}
