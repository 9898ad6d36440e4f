package bootdyno.report

import bootdyno.analyse.CellAnalysis
import bootdyno.analyse.TrialFigures
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldNotContain
import io.kotest.matchers.nulls.shouldNotBeNull
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
}
