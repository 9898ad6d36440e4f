package bootdyno.report

import bootdyno.analyse.CellAnalysis
import bootdyno.analyse.TrialFigures
import bootdyno.catalogue.ResourceKind
import bootdyno.explain.Ceiling
import bootdyno.explain.CellExplanation
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldNotContain
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class RankingSectionTest {
    private val whole = Fixture.oneRound()
    private val last = whole.analysis.ranking.last().cell

    /** What the row of the last cell says when nothing of it counts, and [trials] are left of it. */
    private fun rowOfLast(trials: (CellAnalysis) -> List<TrialFigures>): List<String> {
        val analysis = whole.analysis
        val cells = analysis.cells.map { if (it.cell.id == last) it.copy(throughput = null, trials = trials(it)) else it }
        val report = whole.copy(analysis = analysis.copy(cells = cells, ranking = analysis.ranking.dropLast(1)))
        val tables = rankingSection(report).shouldNotBeNull().blocks.filterIsInstance<Table>()
        val words = tables.flatMap { it.rows }.map { row -> row.entries.filterIsInstance<Words>().map { it.text } }
        return words.single { last.text in it }
    }

    @Test
    fun `a cell with invalid trials only is labelled invalid, a cell without trials not run`() {
        rowOfLast { cell -> cell.trials.map { it.copy(valid = false) } }.let {
            it shouldContain "invalid"
            it shouldNotContain "not run"
        }
        rowOfLast { emptyList() } shouldContain "not run"
    }

    @Test
    fun `the limit of the CPU is known where at least half of the CPU was used`() {
        val rate = whole.rate(last).shouldNotBeNull()
        val connections = Ceiling("400 client connections", ResourceKind.LOAD_CONNECTIONS, 400.0, null, rate * 20, "profile x")
        fun tightest(cpuAllows: Double): Double? {
            val cpu = Ceiling("1 CPU", ResourceKind.CPU, 1.0, null, cpuAllows, "measured")
            return whole.copy(
                explanations = listOf(CellExplanation(last, listOf(cpu, connections), null, "", null)),
            ).tightest(last)?.allows
        }
        tightest(rate * 1.1) shouldBe rate * 1.1
        tightest(rate * 3) shouldBe rate * 20
    }
}
