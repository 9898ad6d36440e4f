package bootdyno.report

import bootdyno.analyse.TwoRuns
import bootdyno.analyse.baseline
import bootdyno.analyse.commonCells
import bootdyno.analyse.compareRuns
import bootdyno.analyse.other
import bootdyno.analyse.rounds
import bootdyno.analyse.testRun
import bootdyno.model.Gate
import bootdyno.model.Measure
import bootdyno.model.Operand
import bootdyno.model.RunFacts
import bootdyno.report.format.renderHtml
import bootdyno.report.format.renderMarkdown
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Test

class RunsSideBySideTest {
    private val first = run(1000.0, 1010.0, 990.0, 1000.0, 1005.0, 995.0)

    private fun run(vararg perSecond: Double?): RunFacts = testRun(rounds(baseline, *perSecond) + rounds(other, *perSecond))

    private fun against(vararg heads: RunFacts): List<TwoRuns> =
        heads.map { compareRuns(first, it, commonCells(first, it), emptyList(), heads.size) }

    private val slower = run(900.0, 905.0, 895.0, 900.0, 890.0, 910.0)
    private val same = run(1001.0, 1009.0, 991.0, 1000.0, 1004.0, 996.0)

    @Test
    fun `each shared cell is a row with the figure of each run and its ratio to the first, and the title says which is slower`() {
        val page = page(against(slower, same), listOf("runs/a", "runs/b", "runs/c"))
        page.title shouldBe "Compared with run 1: run 2 is slower and run 3 is as fast."
        val text = renderMarkdown(page)
        text shouldContain "| variant | measure | run 1 | run 2 | 2 ÷ 1 | run 3 | 3 ÷ 1 |"
        val row = text.lines().single { it.startsWith("| base/work | throughput |") }
        row shouldContain Regex("""\| 1,000/s \| 900/s \| 0\.900× \\\[0\.\d+, 0\.\d+\\] \| 1,000/s \| 1\.00\d?× \\\[""")
        text shouldContain "runs/b"
    }

    private fun screen(vararg heads: RunFacts): FirstScreen =
        checkNotNull(page(against(*heads), listOf("runs/a") + heads.indices.map { "runs/${'b' + it}" }).first)

    @Test
    fun `three runs have a first screen with the largest difference, the other run beside it, and the next step`() {
        val screen = screen(slower, same)
        screen.verdict shouldBe page(against(slower, same), listOf("a", "b", "c")).title
        screen.badge.words shouldBe "✓ Sure · 2 variants compared"
        screen.tiles.map { it.id } shouldBe listOf("how-much", "response", "why", "next")
        screen.tiles[0].figure shouldBe "0.900×"
        screen.tiles[0].text shouldContain
            Regex("""^base/work in run 2, \d\d\.\d+ % interval 0\.8\d+ to 0\.9\d+\. Run 3: 1\.00\d?×\.$""")
        screen.tiles[3].command shouldBe "./dyno compare base.jar head.jar"
        renderHtml(page(against(slower, same), listOf("a", "b", "c"))) shouldContain "id=\"tile-how-much\""
    }

    @Test
    fun `a certain difference stands before a larger one that is not decided`() {
        val noisy = run(300.0, 3000.0, 500.0, 1200.0, 400.0, 2000.0)
        val screen = screen(noisy, slower)
        screen.badge.sign.word shouldContain "Not decided"
        screen.tiles[0].text shouldContain "in run 3"
        screen(run(900.0), run(1000.0)).badge.words shouldBe "? One round only · 2 variants compared"
    }

    @Test
    fun `conditions that are not those of the first run are named`() {
        val newer = same.copy(environment = same.environment.copy(kernel = "7", jdk = "26"))
        screen(slower, newer).tiles[2].run { "$figure $text" } shouldBe "2 Not as in run 1: kernel and JDK."
        screen(slower, same).tiles[2].run { "$figure $text" } shouldBe "none All recorded conditions are those of run 1."
    }

    @Test
    fun `more runs widen the intervals, because all of them hold together`() {
        fun width(of: TwoRuns) = of.ratios.first().comparison.ratio.interval.let { checkNotNull(it).high - it.low }
        width(against(slower, same).first()) shouldBeGreaterThan width(against(slower).single())
    }

    @Test
    fun `of two runs it is the page of compare`() {
        page(against(slower), listOf("runs/a", "runs/b")) shouldBe page(against(slower).single(), RunNames("runs/a", "runs/b"))
    }

    @Test
    fun `the rule of two runs is one sentence`() {
        val rules = gatesOf(first)
        val page = page(compareRuns(first, slower, commonCells(first, slower), rules), RunNames("runs/a", "runs/b"))
        page.first?.cause shouldBe
            "Worse means: throughput more than 3 % lower or p99 more than 10 % higher, in any of 2 variants."
        renderMarkdown(page) shouldContain "| base/work: throughput more than 3 % lower |"
    }

    private fun gatesOf(run: RunFacts): List<Gate> = run.plan.cells.flatMap { cell ->
        listOf(Measure.THROUGHPUT to 0.97, Measure.P99 to 1.1).map { (measure, factor) ->
            val side = Operand(cell.id, measure)
            Gate("$side", side, atLeast = factor < 1, factor, side)
        }
    }

    @Test
    fun `single rounds give ratios without intervals and no verdict`() {
        val page = page(against(run(900.0), run(1000.0)), listOf("a", "b", "c"))
        page.title shouldBe "Compared with run 1: run 2 is not decided and run 3 is not decided."
        renderMarkdown(page) shouldContain "| base/work | throughput | 1,000/s | 900/s | 0.900× | 1,000/s | 1.00× |"
    }

    @Test
    fun `a folder's name is text on the page`() {
        val html = renderHtml(page(against(slower, same), listOf("<script>alert(1)</script>", "b", "c")))
        html shouldNotContain "<script>alert"
        html shouldContain "&lt;script&gt;alert(1)"
    }
}
