package bootdyno.engines.k6

import bootdyno.engine.EngineFailed
import bootdyno.engine.SampleProgress
import bootdyno.engine.order
import bootdyno.engine.readDamaged
import bootdyno.model.LoadProfile
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.longs.shouldBeGreaterThanOrEqual
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

class HostileK6Test {
    private val order = order(81, LoadProfile.Closed(10), window = 1.seconds)

    private fun count(bytes: ByteArray): K6Count {
        val count = K6Count(from = 0, to = 10_000_000, order, own = true)
        val progress = SampleProgress(Duration.ZERO, Duration.INFINITE)
        val results = K6Results(order.base, {
            progress.add(it)
            count.add(it)
        }, count::add)
        results.read(bytes, bytes.size)
        count.latencies()
        count.printed()
        return count
    }

    @Test
    fun `damaged results are refused or read, and fail in no other way`() {
        val written = WrittenResults()
        (1L..20L).forEach { written.request(it * 1_000, it * 2_000, status = if (it % 3 == 0L) 500 else 200, error = "\"a, b\"") }
        written.sample("dropped_iterations", 5_000, 2).sample("vus", 6_000, 10)
        readDamaged(written.text().toByteArray()) { bytes ->
            val count = count(bytes)
            count.answered shouldBeGreaterThanOrEqual 0
            count.inFlight shouldBeGreaterThanOrEqual 0
            count.printed().values.all { it.isFinite() } shouldBe true
        }
    }

    @Test
    fun `a time or a value that is negative, no number or beyond all clocks is no sample`() {
        val header = WrittenResults().text()
        fun refusal(line: String) = shouldThrow<EngineFailed> { count((header + line + "\n").toByteArray()) }.message.orEmpty()
        listOf("vus,-1,1", "vus,1.5,1", "vus,9223372036854775807,1", "vus,1,-1", "vus,1,NaN", "vus,1,1e999", "vus,1,x").forEach {
            refusal("$it,,,,,,,,,") shouldContain "Record 2 of k6's results is no sample"
        }
        refusal("http_req_receiving,1,1,,,,,,,,,") shouldContain "is no sample"
    }
}
