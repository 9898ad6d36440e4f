package bootdyno.engines.jmeter

import bootdyno.model.ErrorCause
import bootdyno.model.Expectation
import bootdyno.model.Step
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.longs.shouldBeLessThan
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.HdrHistogram.Histogram
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.io.path.bufferedWriter

class JtlCountTest {
    private fun row(
        start: Long,
        elapsed: Long,
        label: String = "x",
        code: String = "200",
        good: Boolean = true,
        connect: Long = 0,
        message: String = "",
    ) = JtlRow(start, elapsed, connect, label, code, message, good, "", 1)

    private fun count(window: JtlWindow, vararg rows: JtlRow, expected: Int? = 200) = JtlCount(
        window,
        listOfNotNull(
            expected?.let {
                Step("x", path = "/", expect = Expectation(it))
            },
        ),
    ).also { count -> rows.forEach(count::add) }

    private fun Histogram.millis(percentile: Double) = getValueAtPercentile(percentile) / 1e6

    @Test
    fun `a sample belongs to the window it ended in`() {
        val count = count(
            JtlWindow(1000, 2000),
            row(900, 99), // ended before
            row(900, 100), // ended as the window opened
            row(1500, 499), // ended in its last millisecond
            row(1500, 500), // ended when it was over: in flight, 500 ms old
            row(1999, 9000), // in flight, 1 ms old
            row(2000, 1), // began after it
        )
        count.answered shouldBe 2
        count.inFlight shouldBe 2
        val latencies = count.latencies()
        latencies.response.totalCount shouldBe 2
        latencies.response.millis(0.0) shouldBe (100.0 plusOrMinus 0.1)
        // The one that ended as the window opened was under way before.
        latencies.entered?.totalCount shouldBe 1
        latencies.entered?.millis(0.0) shouldBe (100.0 plusOrMinus 0.1)
        latencies.unanswered.totalCount shouldBe 2
        latencies.unanswered.millis(100.0) shouldBe (500.0 plusOrMinus 0.5)
        latencies.unanswered.millis(0.0) shouldBe (1.0 plusOrMinus 0.01)
    }

    @Test
    fun `answers of a burst count from its start`() {
        val burst = JtlCount(JtlWindow(1000, 2000), listOf(Step("x", path = "/")), isBurst = true)
        listOf(row(1000, 100), row(1100, 300), row(1000, 200, code = "500", good = false)).forEach(burst::add)
        val sinceStart = burst.latencies().sinceStart.shouldNotBeNull()
        sinceStart.totalCount shouldBe 2
        sinceStart.millis(0.0) shouldBe (100.0 plusOrMinus 0.1)
        sinceStart.millis(100.0) shouldBe (400.0 plusOrMinus 0.4)
        count(JtlWindow(1000, 2000), row(1000, 100)).latencies().sinceStart shouldBe null
    }

    @Test
    fun `response time includes connecting, service time does not, and connecting stands apart`() {
        val latencies = count(JtlWindow(0, 1000), row(0, 30, connect = 10), row(0, 20)).latencies()
        latencies.response.millis(100.0) shouldBe (30.0 plusOrMinus 0.1)
        latencies.service.millis(100.0) shouldBe (20.0 plusOrMinus 0.1)
        latencies.connect?.totalCount shouldBe 1
        latencies.connect?.millis(50.0) shouldBe (10.0 plusOrMinus 0.1)
    }

    @Test
    fun `failures are counted by cause, stay out of the latencies, and a timeout is an age cut off`() {
        val count = count(
            JtlWindow(0, 10_000),
            row(0, 10),
            row(0, 11, code = "500", good = false),
            row(0, 12, good = false),
            row(0, 500, code = "Non HTTP response code: java.net.SocketTimeoutException", good = false),
        )
        count.answered shouldBe 1
        count.errors shouldBe mapOf(ErrorCause.TIMEOUT to 1L, ErrorCause.STATUS to 1L, ErrorCause.BODY to 1L)
        count.latencies().response.totalCount shouldBe 1
        count.latencies().unanswered.totalCount shouldBe 1
    }

    @Test
    fun `several labels are several operations, one label is none, and a thousand labels share`() {
        val window = JtlWindow(0, 10_000)
        val two = count(window, row(0, 1, "a"), row(0, 2, "b"), row(0, 3, "b", "500", good = false))
        two.operations.map { Triple(it.name, it.answered, it.errors) } shouldBe
            listOf(Triple("a", 1L, emptyMap()), Triple("b", 1L, mapOf(ErrorCause.STATUS to 1L)))
        two.latencies().operations.mapValues { it.value.totalCount } shouldBe mapOf("a" to 1L, "b" to 1L)

        val one = count(window, row(0, 1, "a"), row(0, 2, "a"))
        one.operations.shouldBeEmpty()
        one.latencies().operations shouldBe emptyMap()

        val many = JtlCount(window, listOf(Step("x", path = "/"))).also { count ->
            repeat(1000) { count.add(row(0, 1, "user $it")) }
        }
        many.operations.size shouldBe 101
        many.operations.last().answered shouldBe 900
        many.operations.sumOf { it.answered } shouldBe many.answered
    }

    @Test
    fun `three hundred thousand samples are read in bounded memory, tail and all`(@TempDir folder: Path) {
        val results = folder.resolve("results.jtl")
        results.bufferedWriter().use { out ->
            out.appendLine(JTL_HEADER)
            repeat(MANY) { out.appendLine("${it / 50},${it % 100},GET /p${it % 3},200,OK,true,,10,10,1,${it % 2}") }
        }
        val length = RunLength(kotlin.time.Duration.ZERO, kotlin.time.Duration.INFINITE, false, kotlin.time.Duration.INFINITE)
        val span = JtlTail(results, TransactionRows.NONE, length).use { tail ->
            tail.readOn()
            tail.span
        }
        span.samples shouldBe MANY
        val before = usedBytes()
        val count = JtlCount(JtlWindow(span.first, span.last + 1), listOf(Step("x", path = "/")))
        readResults(results, count::add)
        count.answered shouldBe MANY
        count.operations.sumOf { it.answered } shouldBe MANY
        usedBytes() - before shouldBeLessThan 20_000_000L
    }

    private fun usedBytes(): Long {
        System.gc()
        return Runtime.getRuntime().run { totalMemory() - freeMemory() }
    }

    private companion object {
        const val MANY = 300_000
    }
}
