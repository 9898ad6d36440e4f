package bootdyno.report

import bootdyno.model.Stack
import bootdyno.model.significant
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import org.junit.jupiter.api.Test

class ChartFiguresTest {
    private val line = SweepLine("a", Mark.nth(11, Stack.NETTY), listOf(SweepPoint(10.0, 2.0, 0.0, 3.0)), emptyList(), null)
    private val sweep = SweepChart(
        "s", "Sweep", "A sweep.", null, "limit", "×", listOf(line), listOf(10.0, 1000.0), 0.5, 4.0, 1.0, "g",
    )

    @Test
    fun `a line over time is written with its times once, four digits, and left out if it is always zero`() {
        val rates = listOf(Point(1.012_345, 12.345_678), Point(2.012_345, 0.0))
        val zeros = listOf(Point(2.012_345, 0.0))
        val lines = listOf(
            TimelineCurve(0, "answered", rates),
            TimelineCurve(0, "errors", zeros),
            TimelineCurve(0, "retries", rates),
            TimelineCurve(1, "subject", zeros),
        )
        val chart =
            TimelineChart("t", "", "", null, listOf("r", "c"), listOf(Timeline("a", 0.0, 1.0, lines, listOf(15.0, 1.0))), 3.0)
        val timeline = figures(chart).getValue("timelines").jsonArray.single().jsonObject
        timeline.getValue("times").toString() shouldBe "[1.012,2.012]"
        timeline.getValue("lines").jsonArray.map { it.toString() } shouldBe listOf(
            """{"panel":0,"name":"answered","colour":0,"values":[12.35,0]}""",
            """{"panel":0,"name":"retries","colour":2,"values":[12.35,0]}""",
            """{"panel":1,"name":"subject","colour":0,"values":[null,0]}""",
        )
    }

    /** Two decades: the air is 100^0.04 = 1.20226, so the axis runs from 8.31764 to 1202.26. */
    @Test
    fun `a sweep carries the ends and labels of both axes, and open ends reach them`() {
        val crossed = sweep.copy(lines = listOf(line.copy(crossing = Crossing(40.0, null, 60.0))))
        val figures = figures(crossed)
        figures.getValue("leastX").toString() shouldBe "8.31764"
        figures.getValue("mostX").toString() shouldBe "1202.26"
        figures.getValue("ticksY").toString() shouldBe "[0.5,1,2]"
        val drawn = figures.getValue("lines").jsonArray.single().jsonObject
        drawn.getValue("crossing").toString() shouldBe """{"x":40,"from":8.31764,"to":60}"""
        drawn.getValue("stroke").toString() shouldBe "[2,3]"
    }

    @Test
    fun `what is zero has no place on a logarithmic axis`() {
        val zero = line.copy(points = line.points + SweepPoint(1000.0, 0.0, null, null), published = listOf(Point(10.0, 0.0)))
        val drawn = figures(sweep.copy(lines = listOf(zero))).getValue("lines").jsonArray.single().jsonObject
        drawn.getValue("points").jsonArray.map { it.toString() } shouldBe listOf(
            """{"x":10,"y":2,"low":0,"high":3,"whiskerLow":0.5,"whiskerHigh":3,"beyond":false}""",
            """{"x":1000,"y":null,"low":null,"high":null,"whiskerLow":null,"whiskerHigh":null,"beyond":false}""",
        )
        drawn.getValue("published").jsonArray.shouldBeEmpty()
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
        Mark.nth(3, Stack.TOMCAT) shouldBe Mark(3, Stack.TOMCAT, Stroke.SOLID)
        Mark.nth(13, Stack.TOMCAT) shouldBe Mark(3, Stack.TOMCAT, Stroke.DOTTED)
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
        Regex("data-group=\"few\" data-line=\"([^\"]*)\"").findAll(html).map { it.groupValues[1] }.toList() shouldBe
            FixtureSweep.few
        html.indexOf("data-group=\"few\"") shouldBe html.indexOf("data-group=")
        (html.indexOf("data-group=\"few\"") < html.indexOf("<div class=\"pair\">")) shouldBe true
        Regex("<optgroup label=\"([^\"]*)\">").findAll(html).map { it.groupValues[1] }.toList() shouldBe
            listOf("tomcat-virtual", "webflux", "webflux-io", "tomcat")
        Regex("<option value=\"[0-9]+\">").findAll(html).count() shouldBe 40
    }

    @Test
    fun `without pictures, charts beside each other are their tables with their titles`() {
        val page = FixtureSweep.page()
        val markdown = renderMarkdown(page)
        markdown shouldContain "**Requests a second**\n\n| limit | tomcat /s |"
        markdown shouldNotContain "Against tomcat"
        renderTerminal(page, 100, colour = false, unicode = true) shouldNotContain "Throughput by limit"
    }

    private fun curves(count: Int): CurvesChart {
        val curves = (1..count).map { Curve("$it", Mark.nth(it, Stack.TOMCAT), listOf(Point(1.0, 1.0)), emptyList()) }
        return CurvesChart("c", "", "", null, curves, 10.0, 0.5, 2.0)
    }

    private fun figures(chart: Chart): JsonObject =
        Json.parseToJsonElement(chartFigures(listOf(chart))).jsonObject.getValue(chart.id).jsonObject
}
