package bootdyno.report

import bootdyno.analyse.SweptRun
import bootdyno.analyse.testTrial
import bootdyno.model.CellId
import bootdyno.report.format.renderMarkdown
import bootdyno.report.format.renderTerminal
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Test

class SweepSectionTest {
    private val one = reportOf(SweptRun.run())
    private val both = reportOf(SweptRun.inBothProtocols())

    private fun charts(report: Report) = sweepSection(report).shouldNotBeNull().blocks.filterIsInstance<Beside>().map { row ->
        row.charts.map { it.title }
    }

    private fun text(report: Report) = renderTerminal(page(report), 120, colour = false, unicode = true)

    @Test
    fun `a single protocol has its ratio beside it, two stand beside each other`() {
        charts(one) shouldBe listOf(listOf("Requests a second", "Requests a second, ratio to the plain handler"))
        charts(both) shouldBe listOf(
            listOf("Requests a second, article", "Requests a second, steady"),
            listOf(
                "Requests a second, ratio to the plain handler, article",
                "Requests a second, ratio to the plain handler, steady",
            ),
        )
    }

    @Test
    fun `lines have their points, their intervals, the published figures and the crossing`() {
        val rows = sweepSection(both).shouldNotBeNull().blocks.filterIsInstance<Beside>()
        val served = (rows.first().charts.last().plot as SweepPlot).lines.first()
        served.name shouldBe "tomcat/plain"
        served.points.map { it.x }.shouldContainExactly(100.0, 10_000.0)
        served.published.map { it.y }.shouldContainExactly(800.0)
        served.points.first().low.shouldNotBeNull()
        val ratios = rows.last().charts.last().plot as SweepPlot
        val pool = ratios.lines.first { it.name == "tomcat/pool" }
        pool.crossing.shouldNotBeNull().x shouldBe (1000.0 plusOrMinus 30.0)
        // 800 published for both.
        pool.published.single().y shouldBe 1.0
        ratios.lines.none { it.name == "tomcat/plain" } shouldBe true
    }

    @Test
    fun `the answer says what the offloading one gains, and from where on`() {
        answerLines(one).first() shouldContain
            Regex(
                "tomcat/pool serves 2\\.00× \\[1\\.9\\d, 2\\.0\\d] the requests of tomcat/plain at limit 10,000; " +
                    "it pays from 1,000 \\[9\\d\\d, 1,0\\d0]\\.",
            )
        answerLines(both).count { it.startsWith("Article: tomcat/pool") } shouldBe 1
    }

    @Test
    fun `where the plain handler answers nothing in a round, the gain of the other is a lower bound`() {
        val run = SweptRun.run()
        val plain = CellId("tomcat/plain+limit=10000")
        val trials = run.trials.map { if (it.record.trial.run { cell == plain && round == 3 }) testTrial(plain, 3, 0.0) else it }
        val report = reportOf(run.copy(trials = trials))
        answerLines(report).first() shouldContain Regex("tomcat/pool serves ≥2\\.0\\d?× the requests of tomcat/plain at limit")
        renderMarkdown(page(report)) shouldContain Regex("tomcat/pool \\| tomcat/plain \\|.* ≥2\\.0\\d?× ")
    }

    @Test
    fun `on the terminal the curves are a table by value, and rankings stay on the page`() {
        val text = text(one)
        text shouldContain Regex("tomcat/plain +1,000 +10\\.0\\n")
        text shouldContain Regex("tomcat/pool +tomcat/plain .*from 1,000 \\[")
        text shouldNotContain "Ranking"
        renderMarkdown(page(one)) shouldContain "## Ranking"
    }

    @Test
    fun `what no curve shows is ranked before the curves, and answers first`() {
        val run = SweptRun.run()
        val cells = run.plan.cells.map { cell ->
            if (!cell.id.text.startsWith("tomcat/")) return@map cell
            cell.copy(profile = cell.profile.copy(name = "article"), workload = cell.workload.copy(point = null))
        }
        val report = reportOf(run.copy(plan = run.plan.copy(cells = cells)))
        page(report).sections.map { it.id }.filter { "ranking" in it || it == "sweep" }
            .shouldContainExactly("ranking", "sweep", "ranking-by-value")
        answerLines(report).first() shouldContain "tomcat/plain+limit=100 serves the most"
        text(report) shouldContain Regex("a +tomcat/plain\\+limit=100")
    }

    @Test
    fun `cold and warm stand side by side with the ratio`() {
        val text = text(both)
        text shouldContain "Cold throughput is 0.497 to 0.500 times the warm throughput."
        text shouldContain Regex("tomcat/plain\\+limit=100 +500 ±")
    }

    @Test
    fun `what was published of one operation is not taken for what was published of the cell`() {
        val run = SweptRun.inBothProtocols()
        val published = run.plan.experiment.published
        val ofOne = published.first {
            it.cell == CellId("tomcat/plain+limit=100@article")
        }.copy(value = 200.0, operation = "create")
        val experiment = run.plan.experiment.copy(published = listOf(ofOne) + published)
        val markdown = renderMarkdown(page(reportOf(run.copy(plan = run.plan.copy(experiment = experiment)))))
        markdown shouldContain "| tomcat/plain+limit=100 | 800 |"
    }

    @Test
    fun `latency below the capacity is a table of its own, only where it was measured`() {
        text(both) shouldContain Regex("tomcat/plain\\+limit=100@steady +80 % ")
        openLoadSection(one).shouldBeNull()
    }

    @Test
    fun `a run without an axis or a second protocol has neither section`() {
        sweepSection(Fixture.sixRounds).shouldBeNull()
        protocolsSection(Fixture.sixRounds).shouldBeNull()
    }
}
