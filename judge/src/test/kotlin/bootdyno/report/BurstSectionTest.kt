package bootdyno.report

import bootdyno.analyse.CellAnalysis
import bootdyno.analyse.CurvePoint
import bootdyno.analyse.LatencyEstimate
import bootdyno.model.Bytes
import bootdyno.model.ErrorCause
import bootdyno.model.LoadProfile
import bootdyno.model.Measure
import bootdyno.model.Metric
import bootdyno.model.SeriesRow
import bootdyno.report.format.renderHtml
import bootdyno.report.format.renderJson
import bootdyno.report.format.renderMarkdown
import bootdyno.report.format.renderTerminal
import bootdyno.stats.Estimate
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test

class BurstSectionTest {
    private val whole = Fixture.oneRound()

    /** Every cell asked as a burst; the first with failures of three kinds and requests never sent. */
    private val report = whole.copy(
        analysis = whole.analysis.copy(
            cells = whole.analysis.cells.mapIndexed { index, cell -> if (index == 0) failing(burst(cell)) else burst(cell) },
        ),
    )

    private fun burst(cell: CellAnalysis) =
        cell.copy(cell = cell.cell.copy(profile = cell.cell.profile.copy(load = LoadProfile.Burst(1000, 10))))

    private fun failing(cell: CellAnalysis) = cell.copy(
        answered = 9000,
        errors = mapOf(ErrorCause.REFUSED to 600L, ErrorCause.CONNECT_TIMEOUT to 150L, ErrorCause.RESET to 0L),
        inFlight = 50,
        unsent = 200,
        connect = mapOf(Measure.P50 to one(0.2), Measure.P99 to one(3010.0), Measure.MAX to one(7020.0)),
        connectCurve = listOf(CurvePoint(50.0, 0.2, false), CurvePoint(99.0, 3010.0, false)),
        resources = cell.resources + mapOf(
            Measure.LISTEN_OVERFLOWS to Estimate(12_345.0, null, 1),
            Measure.LIVE_THREADS to Estimate(219.0, null, 1),
            Measure.HEAP_COMMITTED to Estimate(128.0 * Bytes.MIB, null, 1),
            Measure.CONNECTIONS to Estimate(8193.0, null, 1),
        ),
    )

    private fun one(ms: Double) = LatencyEstimate(Estimate(ms, null, 1), false)

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
        val watched = report.analysis.run.trials.map { trial ->
            val rows = trial.series.rows.map { SeriesRow(it.at, it.values + (Metric.OPEN_FILES to 8200.0)) }
            trial.copy(series = trial.series.copy(rows = rows))
        }
        panels(report.copy(analysis = report.analysis.copy(run = report.analysis.run.copy(trials = watched)))) shouldContain
            "Connections"
    }

    private fun panels(report: Report): List<String> =
        timelineSection(report).shouldNotBeNull().blocks.filterIsInstance<Chart>().map { it.plot as TimelinePlot }.single().panels
}
