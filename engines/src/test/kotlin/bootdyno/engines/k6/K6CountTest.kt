package bootdyno.engines.k6

import bootdyno.engine.SampleProgress
import bootdyno.engine.order
import bootdyno.model.ErrorCause
import bootdyno.model.LoadProfile
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

class K6CountTest {
    private val closed = order(81, LoadProfile.Closed(10), window = 1.seconds)

    private fun count(written: WrittenResults, own: Boolean = true): K6Count {
        val count = K6Count(from = 1_000_000, to = 2_000_000, closed, own)
        val bytes = written.text().toByteArray()
        K6Results(closed.base, count::add, count::add).read(bytes, bytes.size)
        return count
    }

    @Test
    fun `a request belongs to the window it ended in, and one that outlives the window is in flight`() {
        val count = count(
            WrittenResults()
                .request(500_000, 999_999) // before
                .request(900_000, 1_000_000) // ended in it
                .request(1_500_000, 1_999_999, status = 0, error = "EOF", code = "1000") // ended in it, badly
                .request(1_700_000, 2_000_000) // in flight for 300 ms
                .request(2_000_000, 2_100_000), // after
        )
        count.answered shouldBe 1
        count.errors shouldBe mapOf(ErrorCause.CLOSED to 1L)
        count.inFlight shouldBe 1
        count.due shouldBe 2
        count.left shouldBe 0
        count.latencies().response.maxValue / 1e6 shouldBe (100.0 plusOrMinus 0.1)
        count.latencies().unanswered.maxValue / 1e6 shouldBe (300.0 plusOrMinus 0.3)
        count.printed() shouldBe mapOf("requests of the whole run" to 5.0, "failed requests of the whole run" to 1.0)
    }

    @Test
    fun `times are known to the microsecond, and connecting apart`() {
        val written = WrittenResults().request(1_000_000, 1_000_123).request(1_100_000, 1_100_300, blocked = 200)
        val latencies = count(written).latencies()
        latencies.response.minNonZeroValue / 1e3 shouldBe (123.0 plusOrMinus 0.2)
        latencies.connect?.maxValue?.div(1e3) shouldBe (200.0 plusOrMinus 0.3)
        latencies.service.minNonZeroValue / 1e3 shouldBe (100.0 plusOrMinus 0.2)
    }

    @Test
    fun `a request that found no free user counts as not sent, but an iteration of a user's script is no request`() {
        val written = WrittenResults().request(1_000_000, 1_000_010).sample("dropped_iterations", 1_200_000)
            .sample("dropped_iterations", 1_200_000).sample("dropped_iterations", 2_000_000)
        val own = count(written)
        own.errors shouldBe mapOf(ErrorCause.CLIENT to 2L)
        own.due shouldBe 3
        own.latencies().unanswered.totalCount shouldBe 0
        count(written, own = false).errors shouldBe emptyMap()
        own.complaints() shouldBe emptyMap()
        count(written, own = false).complaints() shouldBe mapOf("iterations dropped" to 3L)
    }

    @Test
    fun `wrong bodies count in the window, and failed checks of the whole run`() {
        val written = WrittenResults().request(1_000_000, 1_000_010).sample("dyno_wrong_bodies", 1_000_011)
            .sample("dyno_wrong_bodies", 999_999).sample("checks", 5, 0).sample("checks", 6, 1)
        count(written).wrongBodies shouldBe 1
        count(written, own = false).complaints() shouldBe mapOf("checks failed" to 1L)
    }

    @Test
    fun `requests of setup and teardown are no load, those of a group of a scenario with such a name are`() {
        val written = WrittenResults().request(1_000_000, 1_900_000, group = "::setup", scenario = "")
            .request(1_100_000, 1_200_000, group = "::setup")
            .request(1_200_000, 1_300_000, group = "::teardownAll", scenario = "")
            .request(1_200_000, 1_990_000, status = 500, group = "::teardown::more", scenario = "")
        val count = count(written, own = false)
        count.answered shouldBe 2
        count.due shouldBe 2
        count.errors shouldBe emptyMap()
        count.complaints() shouldBe mapOf("failed requests of setup and teardown, which are not counted" to 1L)
        // As in k6's own summary.
        count.printed() shouldBe mapOf("requests of the whole run" to 4.0, "failed requests of the whole run" to 1.0)
        val progress = SampleProgress(Duration.ZERO, Duration.INFINITE)
        val bytes = written.text().toByteArray()
        K6Results(closed.base, progress::add) {}.read(bytes, bytes.size)
        listOf(progress.samples, progress.first, progress.last) shouldBe listOf(2L, 1_100L, 1_300L)
    }

    @Test
    fun `several kinds of request are operations`() {
        val written = WrittenResults().request(1_000_000, 1_000_010, name = "list").request(1_000_000, 1_000_010, name = "buy")
        count(written, own = false).operations.map { it.name } shouldContainExactly listOf("list", "buy")
    }
}
