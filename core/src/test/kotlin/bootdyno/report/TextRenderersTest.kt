package bootdyno.report

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Test

class TextRenderersTest {
    @Test
    fun `Markdown holds the ranking as a table with as many fields in each row`() {
        val markdown = renderMarkdown(page(Fixture.sixRounds()))
        markdown shouldContain
            "| 1= | tomcat-virtual/blockingIO | **779** ±1.0 % | 1.99× \\[1.97, 2.01\\] | 800 | 506 | 604 | 0 |"
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
    fun `CSV has one line for each figure of each trial`() {
        val lines = renderCsv(Fixture.small()).trimEnd().lines()
        lines.first() shouldBe "experiment,cell,variant,workload,profile,trial,round,again,valid,measure,value,unit,censored"
        lines shouldContain "blocking-io,webflux/monoIO1,webflux,monoIO1,saturate,6,1,false,true,p99,29100,ms,true"
        // Two measured cells with one trial each: throughput, two percentiles and four resources.
        lines.size shouldBe 1 + 2 * (1 + 2 + 4)
    }

    private infix fun List<String>.shouldContain(line: String) = (line in this) shouldBe true
}
