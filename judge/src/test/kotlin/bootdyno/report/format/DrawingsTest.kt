package bootdyno.report.format

import bootdyno.report.Beside
import bootdyno.report.FixtureSweep
import bootdyno.report.SweepPlot
import bootdyno.report.format.Drawing.Companion.attribute
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainAll
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import kotlin.math.ln
import kotlin.math.pow

private const val RATES = "sweep-limit-0-throughput"
private const val RATIOS = "sweep-limit-0-throughput-ratio"
private const val TAILS = "sweep-limit-0-p99"

/** Sweeps, and charts of more cells than fit. */
class DrawingsTest {
    private val page = FixtureSweep.page()
    private val html = renderHtml(page)
    private val few = FixtureSweep.few

    private fun drawing(chart: String) = Drawing.of(html, chart)

    @Test
    fun `a sweep shows its lines with whiskers, every swept value, and where each line crosses the reference`() {
        val ratio = drawing(RATIOS)
        ratio.texts.shouldContainAll(listOf("100", "400", "1,000", "4,000", "20,000", "300,000", "0.5×", "1×", "2×", "limit"))
        ratio.texts.shouldContainAll(few.drop(1))
        few.map { ratio.of(it, "line").size } shouldBe listOf(0, 1, 1, 1)
        few.drop(1).map { ratio.of(it, "whisker").size }.distinct() shouldBe listOf(FixtureSweep.limits.size)
        few.map { ratio.of(it, "crossing").size } shouldBe listOf(0, 1, 1, 1)
        few.map { drawing(RATES).of(it, "published").size } shouldBe listOf(0, 1, 0, 0)
    }

    /** The ticks at 100 and at 300,000 are ln 3000 apart. */
    @Test
    fun `the band of a crossing is as wide as its interval, and reaches the end where it is open`() {
        val charts = page.sections.first().blocks.filterIsInstance<Beside>().flatMap { it.charts }
        val lines = (charts.single { it.id == RATIOS }.plot as SweepPlot).lines.associateBy { it.name }
        val ratio = drawing(RATIOS)
        val across = ratio.x("300,000") - ratio.x("100")
        val (_, low, high) = lines.getValue(few[1]).crossing.shouldNotBeNull()
        val width = ln(high.shouldNotBeNull() / low.shouldNotBeNull()) / ln(3000.0)
        attribute(ratio.of(few[1], "band").single(), "width") / across shouldBe (width plusOrMinus 0.001)
        lines.getValue(few[3]).crossing.shouldNotBeNull().low.shouldBeNull()
        (attribute(ratio.of(few[3], "band").single(), "x") < ratio.x("100")) shouldBe true
    }

    @Test
    fun `a percentile known only to lie above has an arrow and no whisker`() {
        val tail = drawing(TAILS)
        few.map { tail.of(it, "arrow").size } shouldBe listOf(0, 0, 1, 0)
        few.map { tail.of(it, "whisker").size } shouldBe listOf(6, 6, 5, 6)
    }

    @Test
    fun `who points at a swept value reads all lines there, the highest first`() {
        val lines = drawing(RATIOS).titles.first().lines()
        lines.map { it.substringBefore(':') } shouldBe listOf("limit 100", few[3], few[1], few[2])
        lines[2] shouldContain Regex("^virtual/work: 0\\.64\\d*× \\[0\\.\\d+×, 0\\.\\d+×]$")
        drawing(TAILS).titles.last() shouldContain "webflux/work: ≥ "
    }

    @Test
    fun `more lines than colours differ by their strokes and are named by the buttons alone`() {
        val rates = drawing("sweep-threads-0-throughput")
        FixtureSweep.many.filter { it in rates.texts }.shouldBeEmpty()
        // One colour.
        listOf("variant2/work", "variant12/work", "variant22/work").map { name ->
            rates.of(name, "line").single().substringAfter("stroke-dasharray=\"", "solid").substringBefore('"')
        } shouldBe listOf("solid", "2 3", "9 3 2 3")
    }

    @Test
    fun `of forty curves eight are shown and named at first, each as it was measured`() {
        val curves = drawing("percentiles")
        curves.texts.count { "workload" in it } shouldBe 8
        curves.hidden shouldBe 32
        // The first at 10^(20/20): 90 %. Its bucket is from 143.917 to 144.048 ms.
        val (x, y) = curves.points("tomcat-virtual/workload1")[20]
        10.0.pow(x) shouldBe (10.0 plusOrMinus 0.01)
        10.0.pow(y) shouldBe (143.983 plusOrMinus 0.01)
    }

    @Test
    @Tag("full")
    fun `buttons and lists choose what is shown in every chart of their group, and pointing and arrow keys tell figures`() {
        val seen = Browser.seen(
            html,
            """
            function shown(chart, name) {
              return Array.from(document.querySelectorAll('#chart-' + chart + ' [data-name]')).filter(function (line) {
                return (!name || line.dataset.name === name) && getComputedStyle(line).display !== 'none';
              }).length;
            }
            function tip() { return document.querySelector('.tip').hidden ? '' : document.querySelector('.tip').innerText; }
            const rates = 'sweep-limit-0-throughput', charts = [rates, rates + '-ratio', 'sweep-limit-0-p99'];
            function virtual() { return charts.map(function (chart) { return shown(chart, 'virtual/work'); }); }
            const button = document.querySelector('[data-group=sweep-limit][data-line="virtual/work"]');
            see(virtual());
            button.click();
            see(virtual().concat(shown(rates, 'tomcat/work')));
            document.querySelector('#chart-' + rates + '-ratio .hit').dispatchEvent(new PointerEvent('pointermove', {bubbles: true, clientX: 5, clientY: 5}));
            see(tip());
            document.querySelector('[data-group=percentiles][data-all=true]').click();
            see(document.querySelectorAll('#chart-percentiles .units g:not([hidden])').length);
            document.querySelector('[data-group=percentiles][data-all=false]').click();
            document.querySelector('[data-group=percentiles][data-line="tomcat-virtual/workload1"]').click();
            document.querySelector('[data-group=percentiles][data-line="tomcat/workload4"]').click();
            const curves = document.querySelector('#chart-percentiles svg'), box = curves.getBoundingClientRect();
            curves.dispatchEvent(new PointerEvent('pointermove', {bubbles: true, clientX: box.right, clientY: box.top + 50}));
            see(tip());
            curves.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowLeft', bubbles: true}));
            see(tip());
            const list = document.querySelector('select');
            list.value = 7; list.dispatchEvent(new Event('change', {bubbles: true}));
            see(Array.from(document.querySelectorAll('#chart-timeline svg:not([hidden]) .end')).map(function (end) { return end.textContent; }));
            """,
        )
        seen shouldBe listOf(
            "2,2,2",
            "0,0,0,2",
            drawing(RATIOS).titles.first().lines().filterNot { "virtual" in it }.joinToString("\n"),
            "40",
            "99.99 %\ntomcat/workload4: ≥ 200 ms\ntomcat-virtual/workload1: 149 ms",
            "99.9888 %\ntomcat/workload4: ≥ 200 ms\ntomcat-virtual/workload1: 149 ms",
            "answered,errors,subject",
        )
    }

    @Test
    @Tag("full")
    fun `a chart is saved as a picture of its own and as its figures`() {
        val seen = Browser.seen(
            html,
            """
            const saved = [];
            window.Blob = function (parts, type) { saved.push([type.type, parts[0]]); };
            URL.createObjectURL = function () { return '#'; };
            function press(chart) { document.querySelectorAll('#chart-' + chart + ' + .save button').forEach(function (button) { button.click(); }); }
            press('percentiles'); press('sweep-limit-0-throughput-ratio');
            see(saved.map(function (file) { return file[0]; }));
            const picture = new DOMParser().parseFromString(saved[0][1], 'image/svg+xml');
            see(picture.querySelector('parsererror') === null && picture.querySelector('.units path').style.stroke);
            see(saved[0][1].includes('var('));
            see(saved[1][1].split('\r\n')[15]);
            see(saved[3][1].split('\r\n')[1]);
            """,
        )
        seen shouldBe listOf(
            "image/svg+xml,text/csv,image/svg+xml,text/csv",
            "rgb(37, 99, 235)",
            "false",
            "\"tomcat-virtual/workload1\",\"82.2172\",\"140\",\"measured\"",
            "\"limit 100\",\"${drawing(RATIOS).titles.first().lines()[2]}\"",
        )
    }
}
