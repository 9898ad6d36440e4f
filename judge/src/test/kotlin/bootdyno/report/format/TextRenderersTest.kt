package bootdyno.report.format

import bootdyno.report.Block
import bootdyno.report.Fact
import bootdyno.report.Facts
import bootdyno.report.Fixture
import bootdyno.report.Page
import bootdyno.report.Paragraph
import bootdyno.report.Section
import bootdyno.report.Verbatim
import bootdyno.report.page
import bootdyno.report.table
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Test

class TextRenderersTest {
    @Test
    fun `Markdown holds the ranking as a table with as many fields in each row`() {
        val markdown = renderMarkdown(page(Fixture.sixRounds))
        markdown shouldContain
            "| **a** | tomcat-virtual/blockingIO | **779** ±0.7 % | 1.99× \\[1.97, 2.01\\] | 800 | 506 | 607 | 0 |"
        val tables = markdown.split("\n\n").filter { it.startsWith("|") }
        tables.filter { table -> table.lines().map { line -> line.count { it == '|' } }.distinct().size != 1 }.shouldBeEmpty()
    }

    @Test
    fun `Markdown shows markup in names as it is written`() {
        val markdown = renderMarkdown(page(Fixture.small(title = "a|b <i> *c*")))
        markdown.lines().first() shouldBe "# a\\|b &lt;i&gt; \\*c\\*"
        markdown shouldNotContain "<i>"
    }

    @Test
    fun `a line of a log that has backticks or tildes ends no block of Markdown`() {
        val lines = listOf("```", "# not a heading", "a ````` b", "~~~")
        val block = renderMarkdown(pageOf(Verbatim(lines))).substringAfter("## Log\n\n").trimEnd().lines()
        block.first() shouldBe "``````text"
        block.last() shouldBe "``````"
        block.drop(1).dropLast(1) shouldBe lines
        renderMarkdown(pageOf(Paragraph("~~~"))) shouldContain "\\~\\~\\~"
    }

    @Test
    fun `control and direction characters are shown as codes in every format`() {
        val loud = "a\u001B[31mb\u0007c\u202Ed\u2066e\u200Ff\u009Bg\rh"
        val quiet = "a[U+001B][31mb[U+0007]c[U+202E]d[U+2066]e[U+200F]f[U+009B]g[U+000D]h"
        val page = pageOf(
            Verbatim(listOf(loud)),
            Paragraph(loud),
            Facts(listOf(Fact(loud, loud))),
        ).copy(title = loud, question = loud)
        val terminal = renderTerminal(page, width = 100, colour = false, unicode = true)
        terminal shouldContain quiet
        val html = renderHtml(page)
        html shouldContain quiet
        listOf(terminal, html, renderMarkdown(page)).forEach { text ->
            text.filter {
                it != '\n' && it != '\t' && (it.isISOControl() || Character.getType(it) == Character.FORMAT.toInt())
            } shouldBe ""
        }
    }

    private fun pageOf(vararg blocks: Block) =
        Page("Title", "Question", emptyList(), listOf(Section("log", "Log", null, blocks.toList())))

    @Test
    fun `CSV has one line for each figure of each trial`() {
        val lines = renderCsv(Fixture.small).trimEnd().lines()
        lines.first() shouldBe
            "experiment,cell,variant,workload,profile,trial,round,again,valid,measure,value,unit,censored,machine"
        lines.any { it.startsWith("blocking-io,webflux/monoIO1,webflux,monoIO1,saturate,1,1,false,true,p99,") } shouldBe true
        val trials = Fixture.small.analysis.cells.flatMap { it.trials }
        lines.size shouldBe 1 + trials.sumOf { 1 + it.latency.size + it.resources.size }
    }

    private infix fun List<String>.shouldContain(line: String) = (line in this) shouldBe true
}
