package bootdyno.report.format

import bootdyno.report.FixtureSweep
import bootdyno.report.cells
import bootdyno.report.interval
import bootdyno.report.measured
import bootdyno.report.page
import bootdyno.report.published
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainAll
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestInstance
import kotlin.math.ln

/** Sweeps, and charts of more cells than fit, as Chromium draws them. */
@Tag("full")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ChartsInBrowserTest {
    private val shown: Browser.Shown by lazy { shownAfter("") }

    @Test
    fun `a sweep shows its lines with whiskers, every swept value, and where each line crosses the reference`() {
        val ratio = Drawing(shown.drawing("ratio"))
        ratio.texts.shouldContainAll(listOf("100", "400", "1,000", "4,000", "20,000", "300,000", "0.5×", "1×", "2×", "limit"))
        ratio.texts.shouldContainAll(FixtureSweep.few)
        for (colour in colours) {
            ratio.lines(colour).size shouldBe 1
            ratio.whiskers(colour).size shouldBe FixtureSweep.limits.size
        }
        colours.map { ratio.bands(it).size } shouldBe listOf(0, 1, 1, 1)
        Drawing(shown.drawing("rate")).published shouldBe 1
    }

    /** From x/√2 to x·√2 is ln 2 wide, where the ticks at 100 and at 300,000 are ln 3000 apart. */
    @Test
    fun `the band of a crossing is as wide as its interval, and reaches the end where it is open`() {
        val ratio = Drawing(shown.drawing("ratio"))
        val across = ratio.x("300,000") - ratio.x("100")
        ratio.bands(colours[1]).single().width / across shouldBe (ln(2.0) / ln(3000.0) plusOrMinus 0.001)
        val open = ratio.bands(colours[3]).single()
        (open.from + open.width > ratio.x("300,000")) shouldBe true
    }

    @Test
    fun `a percentile known only to lie above has an arrow and no whisker`() {
        val tail = Drawing(shown.drawing("tail"))
        colours.map { tail.arrows(it).size } shouldBe listOf(0, 0, 1, 0)
        colours.flatMap { tail.whiskers(it) }.shouldBeEmpty()
    }

    @Test
    fun `a button hides its line in every chart of the group and in no other`() {
        val shown = shownAfter("document.querySelector('[data-group=few][data-line=\"tomcat-virtual\"]').click()")
        for (chart in listOf("rate", "ratio", "tail")) {
            val drawing = Drawing(shown.drawing(chart))
            colours.map { drawing.lines(it).size } shouldBe listOf(1, 0, 1, 1)
            drawing.whiskers(colours[1]).shouldBeEmpty()
            drawing.bands(colours[1]).shouldBeEmpty()
        }
        Drawing(shown.drawing("rate")).published shouldBe 0
        Drawing(shown.drawing("ratios")).whiskers(colours[1]).size shouldBe 3 * FixtureSweep.limits.size
    }

    @Test
    fun `more lines than colours differ by their strokes and are named by the buttons alone`() {
        val rates = Drawing(shown.drawing("rates"))
        FixtureSweep.many.filter { it in rates.texts }.shouldBeEmpty()
        // variant2 is solid, variant12 dotted, variant22 dashed and dotted: one colour.
        val strokes = rates.measured(colours[1]).map { it.substringAfter("stroke-dasharray=\"", "solid").substringBefore('"') }
        strokes.sorted() shouldBe listOf("2,3", "9,3,2,3", "solid")
    }

    @Test
    fun `of forty curves eight are drawn and named at first, and all of them without names when asked`() {
        val few = Drawing(shown.drawing("percentiles"))
        few.texts.count { "workload" in it } shouldBe 8
        few.curves shouldBe 8
        val press = "document.querySelector('[data-group=percentiles][data-all=true]').click()"
        val all = Drawing(shownAfter(press).drawing("percentiles"))
        all.texts.count { "workload" in it } shouldBe 0
        all.curves shouldBe 40
    }

    @Test
    fun `the list of cells draws the one that is chosen`() {
        ("errors" in Drawing(shown.drawing("timeline")).texts) shouldBe false
        val choose =
            "var list = document.querySelector('select'); list.value = 7; list.dispatchEvent(new Event('change', {bubbles: true}))"
        ("errors" in Drawing(shownAfter(choose).drawing("timeline")).texts) shouldBe true
    }

    /** In `report.css`, the light theme. */
    private val colours = listOf("#2563eb", "#bd560a", "#0c7d72", "#7c3aed")

    private fun shownAfter(then: String): Browser.Shown =
        Browser.shown(renderHtml(FixtureSweep.page()), then).also { it.complaints.shouldBeEmpty() }
}
