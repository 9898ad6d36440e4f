package bootdyno.report.format

import bootdyno.report.FixtureSweep
import bootdyno.report.format.Drawing.Companion.attribute
import bootdyno.report.page
import bootdyno.report.published
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainAll
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import kotlin.math.ln
import kotlin.math.pow

/** Sweeps, and charts of more cells than fit. */
class DrawingsTest {
    private val html = renderHtml(FixtureSweep.page())
    private val few = FixtureSweep.few

    private fun drawing(chart: String) = Drawing.of(html, chart)

    @Test
    fun `a sweep shows its lines with whiskers, every swept value, and where each line crosses the reference`() {
        val ratio = drawing("ratio")
        ratio.texts.shouldContainAll(listOf("100", "400", "1,000", "4,000", "20,000", "300,000", "0.5×", "1×", "2×", "limit"))
        ratio.texts.shouldContainAll(few)
        few.map { ratio.of(it, "line").size } shouldBe listOf(1, 1, 1, 1)
        few.map { ratio.of(it, "whisker").size }.distinct() shouldBe listOf(FixtureSweep.limits.size)
        few.map { ratio.of(it, "crossing").size } shouldBe listOf(0, 1, 1, 1)
        few.map { drawing("rate").of(it, "published").size } shouldBe listOf(0, 1, 0, 0)
    }

    /** From x/√2 to x·√2 is ln 2 wide, where the ticks at 100 and at 300,000 are ln 3000 apart. */
    @Test
    fun `the band of a crossing is as wide as its interval, and reaches the end where it is open`() {
        val ratio = drawing("ratio")
        val across = ratio.x("300,000") - ratio.x("100")
        attribute(ratio.of(few[1], "band").single(), "width") / across shouldBe (ln(2.0) / ln(3000.0) plusOrMinus 0.001)
        val open = ratio.of(few[3], "band").single()
        (attribute(open, "x") + attribute(open, "width") > ratio.x("300,000")) shouldBe true
    }

    @Test
    fun `a percentile known only to lie above has an arrow and no whisker`() {
        val tail = drawing("tail")
        few.map { tail.of(it, "arrow").size } shouldBe listOf(0, 0, 1, 0)
        few.flatMap { tail.of(it, "whisker") }.shouldBeEmpty()
    }

    @Test
    fun `who points at a swept value reads all lines there, the highest first`() {
        drawing("ratio").titles.first().lines() shouldBe listOf(
            "limit 100",
            "tomcat: 1× [0.95×, 1.05×]",
            "tomcat-virtual: 0.641× [0.609×, 0.673×]",
            "webflux: 0.471× [0.447×, 0.495×]",
            "webflux-coroutines: 0.372× [0.353×, 0.39×]",
        )
        drawing("tail").titles.last() shouldContain "webflux: ≥ "
    }

    @Test
    fun `more lines than colours differ by their strokes and are named by the buttons alone`() {
        val rates = drawing("rates")
        FixtureSweep.many.filter { it in rates.texts }.shouldBeEmpty()
        // One colour.
        listOf("variant2", "variant12", "variant22").map { name ->
            rates.of(name, "line").single().substringAfter("stroke-dasharray=\"", "solid").substringBefore('"')
        } shouldBe listOf("solid", "2 3", "9 3 2 3")
    }

    @Test
    fun `of forty curves eight are shown and named at first, each as it was measured`() {
        val curves = drawing("percentiles")
        curves.texts.count { "workload" in it } shouldBe 8
        curves.hidden shouldBe 32
        // The first at 10^(15/15): 90 %.
        val (x, y) = curves.points("tomcat-virtual/workload1")[15]
        10.0.pow(x) shouldBe (10.0 plusOrMinus 0.01)
        10.0.pow(y) shouldBe (40 * (1 + 0.2 * ln(10.0)) plusOrMinus 0.01)
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
            const button = document.querySelector('[data-group=few][data-line="tomcat-virtual"]');
            see([shown('rate', 'tomcat-virtual'), shown('ratio', 'tomcat-virtual'), shown('tail', 'tomcat-virtual')]);
            button.click();
            see([shown('rate', 'tomcat-virtual'), shown('ratio', 'tomcat-virtual'), shown('tail', 'tomcat-virtual'), shown('rate', 'tomcat')]);
            document.querySelector('#chart-ratio .hit').dispatchEvent(new PointerEvent('pointermove', {bubbles: true, clientX: 5, clientY: 5}));
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
            "limit 100\ntomcat: 1× [0.95×, 1.05×]\nwebflux: 0.471× [0.447×, 0.495×]\n" +
                "webflux-coroutines: 0.372× [0.353×, 0.39×]",
            "40",
            "99.99 %\ntomcat/workload4: ≥ 139 ms\ntomcat-virtual/workload1: 114 ms",
            "99.9883 %\ntomcat/workload4: ≥ 138 ms\ntomcat-virtual/workload1: 112 ms",
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
            press('percentiles'); press('ratio');
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
            "\"tomcat-virtual/workload1\",\"90\",\"58.42\",\"measured\"",
            "\"limit 100\",\"tomcat-virtual: 0.641× [0.609×, 0.673×]\"",
        )
    }
}
