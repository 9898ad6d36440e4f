package bootdyno.report

import bootdyno.analyse.Comparisons
import bootdyno.analyse.Measurements
import bootdyno.analyse.baseline
import bootdyno.analyse.limited
import bootdyno.analyse.other
import bootdyno.analyse.rounds
import bootdyno.analyse.testCell
import bootdyno.analyse.testRun
import bootdyno.analyse.third
import bootdyno.analyse.threeCells
import bootdyno.catalogue.ResourceKind
import bootdyno.explain.Ceiling
import bootdyno.explain.CellExplanation
import bootdyno.model.CellId
import bootdyno.model.Measure
import bootdyno.report.format.Browser
import bootdyno.report.format.renderHtml
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldNotContain
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test

class RankingSectionTest {
    private val whole = Fixture.oneRound
    private val last = whole.analysis.ranking.last().cell

    private fun rowOfLast(report: Report): List<String> {
        val tables = rankingSection(report).shouldNotBeNull().blocks.filterIsInstance<Table>()
        val words = tables.flatMap { it.rows }.map { row -> row.entries.filterIsInstance<Words>().map { it.text } }
        return words.single { last.text in it }
    }

    @Test
    fun `a cell with invalid trials only is labelled invalid, a cell without trials not run`() {
        val invalid = whole.remeasured(last) { limited() }
        rowOfLast(invalid) shouldContain "invalid"
        rowOfLast(invalid) shouldNotContain "not run"
        rowOfLast(whole.rerun { copy(trials = trials.filter { it.record.trial.cell != last }) }) shouldContain "not run"
    }

    private val threeRanked = reportOf(
        testRun(
            rounds(baseline, 400.0, 402.0, 398.0) + rounds(other, 800.0, 799.0, 801.0) + rounds(third, 1000.0, 1001.0, 999.0),
            threeCells,
        ),
    )

    @Test
    fun `each of three cells can be the baseline, with the ratio of its comparison`() {
        val table = rankingSection(threeRanked).shouldNotBeNull().blocks.filterIsInstance<Table>().single()
        table.baselines shouldBe listOf("third", "other", "base")
        val ratios = table.rows.map { row -> row.entries.filterIsInstance<Words>().single { it.against.isNotEmpty() } }
        ratios.map { row -> row.against.map { it.text } } shouldBe listOf(
            listOf("baseline", "1.25×", "2.50×"),
            listOf("0.800×", "baseline", "2.00×"),
            listOf("0.400×", "0.500×", "baseline"),
        )
        ratios.map { it.text } shouldBe ratios.map { it.against.last().text }
        val between = Comparisons(Measurements(threeRanked.analysis.run)).between(baseline, third, Measure.THROUGHPUT)
        ratios.last().against.first().beside shouldBe between?.ratio?.let(::range)
        val two = reportOf(testRun(rounds(baseline, 400.0, 402.0) + rounds(other, 800.0, 799.0)))
        rankingSection(two).shouldNotBeNull().blocks.filterIsInstance<Table>().single().baselines.shouldBeEmpty()
    }

    @Test
    fun `among many rows each can be the baseline, and where their ratios would make the page too large it says so`() {
        fun baselines(of: Section) = of.blocks.filterIsInstance<Table>().maxOf { it.baselines.size }
        val cells = List(14) { testCell(CellId("variant$it/orders")) }
        val run = testRun(cells.flatMapIndexed { nth, cell -> rounds(cell.id, 100.0 + nth, 101.0 + nth) }, cells)
        val fourteen = rankingSection(reportOf(run)).shouldNotBeNull()
        baselines(fourteen) shouldBe 14
        fourteen.lead shouldNotContain "baseline"

        val many = rankingSection(whole.withCopies(120)).shouldNotBeNull()
        baselines(many) shouldBe 0
        many.lead shouldContain "Up to 120 rows, the page offers each as the baseline"
    }

    @Test
    @Tag("full")
    fun `a reader of the page chooses another baseline, by which its column is sorted too`() {
        val seen = Browser.seen(
            renderHtml(page(threeRanked)),
            """
            const table = document.querySelector('#ranking table'), list = document.querySelector('[data-baselines]');
            function ratios() {
              return Array.from(table.querySelectorAll('[data-against]:not([hidden]) > span')).map(function (ratio) { return ratio.textContent; });
            }
            see(ratios());
            list.value = '1'; list.dispatchEvent(new Event('change'));
            see(ratios());
            see(table.querySelector('tr.baseline').textContent.includes('other/work'));
            const heading = Array.from(table.querySelectorAll('.sort')).find(function (sort) { return sort.textContent.includes('Ratio'); });
            heading.click(); heading.click();
            see(ratios());
            """,
        )
        seen shouldBe listOf("2.50×,2.00×,baseline", "1.25×,baseline,0.500×", "true", "0.500×,1.25×,baseline")
    }

    @Test
    fun `the limit of the CPU is known where at least half of the CPU was used`() {
        val rate = whole.rate(last).shouldNotBeNull()
        val connections = Ceiling("client connections", ResourceKind.LOAD_CONNECTIONS, 400.0, null, rate * 20, "profile x")
        fun shownLimit(cpuAllows: Double): Double? {
            val cpu = Ceiling("CPUs", ResourceKind.CPU, 1.0, null, cpuAllows, "measured")
            return whole.copy(
                explanations = listOf(CellExplanation(last, listOf(cpu, connections), null, "", null)),
            ).shownLimit(last)?.allows
        }
        shownLimit(rate * 1.1) shouldBe rate * 1.1
        shownLimit(rate * 3) shouldBe rate * 20
    }
}
