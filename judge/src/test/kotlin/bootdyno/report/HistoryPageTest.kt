package bootdyno.report

import bootdyno.analyse.FixtureHistory
import bootdyno.analyse.readHistory
import bootdyno.analyse.seriesOf
import bootdyno.report.format.Drawing
import bootdyno.report.format.renderHtml
import bootdyno.report.format.renderMarkdown
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Test

class HistoryPageTest {
    private fun page(text: String) = page(seriesOf(readHistory(text)), listOf("history.csv"))

    @Test
    fun `the title says what fell, by how much, when and with which commit, and the page how to be sure`() {
        val page = page(FixtureHistory.text(runs = 30, drop = 0.9, at = 20))
        page.title shouldBe "Throughput of shop/GET orders fell by 10 % on 2026-10-21, with commit abc0014."
        val text = renderMarkdown(page)
        text shouldContain "./dyno compare abc0013 abc0014"
        text shouldContain "| shop/GET orders | throughput | 2026-10-21 abc0014 | 1,010/s | 908/s | −10 % \\[−11 %, −9.5 %\\] |"
        val drawing = Drawing.of(renderHtml(page), "history-0")
        drawing.texts shouldContain "−10 % · abc0014"
        drawing.titles.first() shouldBe "run0-a CPU, 2 CPUs, abc0000, 1,010/s [990/s, 1,030/s]"
        drawing.titles.size shouldBe 30
    }

    @Test
    fun `a commit that a shell would run is in no command, and several machines are told apart`() {
        val text = FixtureHistory.text(runs = 30, drop = 0.9, at = 20)
        renderMarkdown(page(text.replace("abc0014", "x;rm"))) shouldNotContain "compare"
        renderMarkdown(page(text)) shouldNotContain "a CPU, 2 CPUs"
        val other = FixtureHistory.text(runs = 30, machine = "another, 8 CPUs").substringAfter("\n")
        renderMarkdown(page(text + other)) shouldContain "| shop/GET orders another, 8 CPUs | throughput | 30 |"
    }

    @Test
    fun `a level that rose from nothing has no percentage`() {
        val text = FixtureHistory.text(runs = 30, drop = 0.0, at = 20).replace(",-20,20,", ",0,20,")
        val fell = seriesOf(readHistory(text))
        page(fell, listOf("a")).title shouldContain "fell by 100 %"
        val risen = fell.map { one -> one.copy(shifts = one.shifts.map { it.copy(older = 0.0, newer = 900.0, ratio = null) }) }
        page(risen, listOf("a")).run {
            title shouldContain "rose from 0 on"
            renderMarkdown(this) shouldContain "| from 0 |"
        }
    }

    @Test
    fun `without a shift nothing is proposed, and few runs are said to be few`() {
        page(FixtureHistory.text(runs = 30)).title shouldBe "No shift of a level in 30 runs."
        val few = page(FixtureHistory.text(runs = 4))
        few.title shouldBe "No shift found: a series of 4 runs can hardly show one."
        // Six runs on each of two machines.
        val other = FixtureHistory.text(runs = 6, machine = "another, 8 CPUs").substringAfter("\n").replace("run", "other")
        page(FixtureHistory.text(runs = 6) + other).title shouldBe "No shift found: a series of 6 runs can hardly show one."
        renderMarkdown(few) shouldNotContain "compare"
        renderHtml(few) shouldContain "id=\"chart-history-0\""
    }
}
