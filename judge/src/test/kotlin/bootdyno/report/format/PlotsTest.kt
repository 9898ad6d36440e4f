package bootdyno.report.format

import bootdyno.model.Stack
import bootdyno.model.significant
import bootdyno.report.Beside
import bootdyno.report.Chart
import bootdyno.report.ChartPoint
import bootdyno.report.Crossing
import bootdyno.report.Curve
import bootdyno.report.CurvesPlot
import bootdyno.report.FixtureSweep
import bootdyno.report.Mark
import bootdyno.report.Page
import bootdyno.report.Section
import bootdyno.report.SweepLine
import bootdyno.report.SweepPlot
import bootdyno.report.SweepPoint
import bootdyno.report.Timeline
import bootdyno.report.TimelineCurve
import bootdyno.report.logTicks
import bootdyno.report.sweepPoint
import bootdyno.stats.Estimate
import bootdyno.stats.Interval
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Test

class PlotsTest {
    private val line = SweepLine("a", Mark.nth(11, Stack.NETTY), listOf(SweepPoint(10.0, 2.0, 1.0, 3.0)))
    private val sweep = SweepPlot("limit", "×", listOf(line), listOf(10.0, 1000.0), 0.5, 4.0, 1.0)

    @Test
    fun `a line over time is left out if it is always zero, unless it is the first of its panel`() {
        val rates = listOf(ChartPoint(1.0, 12.0), ChartPoint(2.0, 0.0))
        val zeros = listOf(ChartPoint(2.0, 0.0))
        val lines = listOf(
            TimelineCurve(0, "answered", rates),
            TimelineCurve(0, "errors", zeros),
            TimelineCurve(0, "retries", rates),
            TimelineCurve(1, "subject", zeros),
        )
        val timeline = Timeline("a", 0.0, 1.0, lines, listOf(15.0, 1.0))
        timeline.drawn(0).map { (nth, line) -> nth to line.name } shouldBe listOf(0 to "answered", 2 to "retries")
        timeline.drawn(1).map { it.value.name } shouldBe listOf("subject")
    }

    /** Two decades: the air is 100^0.04 = 1.20226, so the axis runs from 8.31764 to 1202.26. */
    @Test
    fun `a sweep has air around its ticks`() {
        significant(sweep.leastX, 6) shouldBe "8.31764"
        significant(sweep.mostX, 6) shouldBe "1,202.26"
        sweep.ticksY shouldBe listOf(0.5, 1.0, 2.0)
    }

    @Test
    fun `what is zero has no place on a logarithmic axis`() {
        listOf(
            line.copy(points = listOf(SweepPoint(1000.0, 0.0, null, null))),
            line.copy(points = listOf(SweepPoint(1000.0, 1.0, 0.0, 2.0))),
            line.copy(published = listOf(ChartPoint(10.0, 0.0))),
        ).forEach { zero ->
            shouldThrow<IllegalArgumentException> { sweep.copy(lines = listOf(zero)) }.message shouldContain "cannot show"
        }
        sweepPoint(1.0, Estimate(0.0, null, 1), beyond = false).shouldBeNull()
        sweepPoint(1.0, Estimate(1.0, Interval(0.0, 2.0), 3), beyond = false) shouldBe SweepPoint(1.0, 1.0, null, 2.0)
        shouldThrow<IllegalArgumentException> { sweep.copy(leastY = 0.0) }.message shouldContain "0.0 to 4.0"
        shouldThrow<IllegalArgumentException> {
            sweep.copy(reference = null, lines = listOf(line.copy(crossing = Crossing(1.0, null, null))))
        }
    }

    @Test
    fun `a logarithmic axis is labelled neither too sparsely nor too densely`() {
        logTicks(0.4, 3.0) shouldBe listOf(0.5, 1.0, 2.0)
        logTicks(15.0, 22_000.0) shouldBe listOf(20.0, 50.0, 100.0, 200.0, 500.0, 1000.0, 2000.0, 5000.0, 10_000.0, 20_000.0)
        logTicks(0.5, 2e6) shouldBe listOf(1.0, 10.0, 100.0, 1000.0, 1e4, 1e5, 1e6)
        logTicks(3000.0, 9000.0) shouldBe listOf(4000.0, 6000.0, 8000.0)
        logTicks(0.9, 1.12).map { significant(it) } shouldBe listOf("0.900", "0.950", "1.00", "1.05", "1.10")
    }

    @Test
    fun `colours come back with another stroke`() {
        Mark.nth(3, Stack.TOMCAT) shouldBe Mark(3, "square", emptyList())
        Mark.nth(13, Stack.TOMCAT) shouldBe Mark(3, "square", listOf(2, 3))
        (0..29).map { Mark.nth(it, Stack.NETTY) }.distinct().size shouldBe 30
    }

    @Test
    fun `few curves are all shown, of many the first eight`() {
        curves(12).shown.size shouldBe 12
        curves(13).shown shouldBe (0..7).toSet()
    }

    @Test
    fun `one legend stands above the first chart of a group, and cells are listed by their variant`() {
        val html = renderHtml(FixtureSweep.page())
        Regex("data-group=\"sweep-limit\" data-line=\"([^\"]*)\"").findAll(html).map { it.groupValues[1] }.toList() shouldBe
            FixtureSweep.few
        html.indexOf("data-group=\"sweep-limit\"") shouldBe html.indexOf("data-group=")
        (html.indexOf("data-group=\"sweep-limit\"") < html.indexOf("<div class=\"pair\">")) shouldBe true
        Regex("<optgroup label=\"([^\"]*)\">").findAll(html).map { it.groupValues[1] }.toList() shouldBe
            listOf("tomcat-virtual", "webflux", "webflux-io", "tomcat")
        Regex("<option value=\"[0-9]+\">").findAll(html).count() shouldBe 40
    }

    @Test
    fun `without pictures, charts beside each other are left out`() {
        val charts = Beside(listOf(Chart("ratios", "Ratio", "", sweep)))
        val page = Page("Sweep", "", emptyList(), listOf(Section("sweep", "By limit", null, listOf(charts))))
        renderMarkdown(page) shouldNotContain "By limit"
        renderTerminal(page, 100, colour = false, unicode = true) shouldNotContain "By limit"
    }

    private fun curves(count: Int): CurvesPlot {
        val curves = (1..count).map { Curve("$it", Mark.nth(it, Stack.TOMCAT), listOf(ChartPoint(1.0, 1.0)), emptyList()) }
        return CurvesPlot(curves, 10.0, 0.5, 2.0)
    }
}
