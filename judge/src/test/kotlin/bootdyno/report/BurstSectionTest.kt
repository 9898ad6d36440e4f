package bootdyno.report

import bootdyno.analyse.seen
import bootdyno.model.CellId
import bootdyno.model.ErrorCause
import bootdyno.model.LoadProfile
import bootdyno.model.Metric
import bootdyno.model.Series
import bootdyno.model.TrialFacts
import bootdyno.report.format.renderHtml
import bootdyno.report.format.renderJson
import bootdyno.report.format.renderMarkdown
import bootdyno.report.format.renderTerminal
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test

class BurstSectionTest {
    private val whole = Fixture.oneRound

    /** Every cell asked as a burst; the first with failures of three kinds and requests never sent. */
    private val report = whole.planned { copy(profile = profile.copy(load = LoadProfile.Burst(1000, 10))) }
        .remeasured(CellId("tomcat/blockingIO")) { failing() }

    /** Of 1,000 connections, 20 open after the kernel's third attempt. */
    private fun TrialFacts.failing(): TrialFacts {
        val burst = record.load?.copy(
            answered = 9000,
            errors = mapOf(ErrorCause.REFUSED to 600L, ErrorCause.CONNECT_TIMEOUT to 150L, ErrorCause.RESET to 0L),
            inFlight = 50,
            unsent = 200,
        )
        val connect = seen(*LongArray(980) { 1 }, *LongArray(20) { 3010 })
        val rows = series.rows.map { row ->
            val (overflows, files) = if (row.at <= 15) 0.0 to 7.0 else 12_345.0 to 8200.0
            row.copy(values = row.values + mapOf(Metric.LISTEN_OVERFLOWS to overflows, Metric.OPEN_FILES to files))
        }
        return copy(record = record.copy(load = burst), latencies = latencies?.copy(connect = connect), series = Series(rows))
    }

    private fun rowOf(caption: String): Map<String, String> {
        val table = burstSection(report).shouldNotBeNull().blocks.filterIsInstance<Table>().single { it.caption == caption }
        return table.columns.map { it.head }.zip(table.rows.first().entries.map { (it as Words).text }).toMap()
    }

    // 9,000 + 600 + 150 + 50 + 200 = 10,000.
    @Test
    fun `each request of a burst is in one column, and empty columns are left out`() {
        rowOf("Requests by result").filterKeys { it !in listOf("connection reset", "response timeout") } shouldBe mapOf(
            "cell" to "tomcat/blockingIO",
            "requests" to "10,000",
            "answered" to "9,000",
            "failed" to "750",
            "connection refused" to "600",
            "connect timeout" to "150",
            "unanswered at the end" to "50",
            "never sent" to "200",
        )
        rowOf("Requests by result").keys.contains("connection closed") shouldBe false
    }

    @Test
    fun `connect times, response times and resources of a burst are shown separately`() {
        val times = rowOf("Times")
        times["connect time p99"] shouldBe "3,010"
        times["response time p99"] shouldBe "1,030"
        val took = rowOf("Resources")
        took["JVM threads, most"] shouldBe "219"
        took["accept-queue overflows"] shouldBe "12,345"
        took["connections, most"] shouldBe "8,193"
        took["heap committed"] shouldBe "128"
    }

    @Test
    fun `it appears in every format, and only for bursts`() {
        burstSection(whole) shouldBe null
        renderMarkdown(page(report)) shouldContain "## Burst"
        renderTerminal(page(report), 120, colour = false, unicode = true) shouldContain "Burst"
        renderHtml(page(report)) shouldContain "chart-connect"
        renderJson(report) shouldContain "\"unsent\": 200"
    }

    @Test
    fun `connections have a panel of their own in a burst`() {
        panels(whole) shouldContainExactly listOf("Requests per second", "CPUs used", "Memory, MiB", "Threads")
        panels(report) shouldContain "Connections"
    }

    private fun panels(report: Report): List<String> =
        timelineSection(report).shouldNotBeNull().blocks.filterIsInstance<Chart>().map { it.plot as TimelinePlot }.single().panels
}
