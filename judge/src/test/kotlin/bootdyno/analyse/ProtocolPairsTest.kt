package bootdyno.analyse

import bootdyno.model.Cell
import bootdyno.model.CellId
import bootdyno.model.Measure
import bootdyno.model.MeasuringProtocol
import bootdyno.model.TrialFacts
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class ProtocolPairsTest {
    private fun inProtocol(id: CellId, protocol: MeasuringProtocol): Cell {
        val cell = testCell(CellId("$id@${protocol.word}"), profile = protocol.word)
        return cell.copy(profile = cell.profile.copy(protocol = protocol, declared = "load"))
    }

    private val cells = listOf(baseline, other).flatMap { id ->
        listOf(MeasuringProtocol.ARTICLE, MeasuringProtocol.STEADY).map { inProtocol(id, it) }
    }

    private fun run(vararg trials: List<TrialFacts>) =
        analyse(testRun(trials.toList().flatten(), cells, experiment(cells).copy(baseline = cells[1].id)))

    @Test
    fun `a cell in two protocols is a pair, cold by warm`() {
        val pairs = run(*cells.map { rounds(it.id, 100.0, 100.0, 100.0) }.toTypedArray()).protocolPairs
        pairs.map { it.name }.shouldContainExactly("base/work", "other/work")
        pairs.map { it.cold.text }.shouldContainExactly("base/work@article", "other/work@article")
        pairs.first().ratio.shouldNotBeNull().value shouldBe 1.0
    }

    // Cold starts differ between processes by a factor of two; that must not blind the verdicts of the warm cells.
    @Test
    fun `noise of one protocol does not change verdicts of another`() {
        val comparisons = run(
            rounds(cells[0].id, 50.0, 100.0, 70.0),
            rounds(cells[1].id, 100.0, 100.1, 99.9),
            rounds(cells[2].id, 100.0, 50.0, 70.0),
            rounds(cells[3].id, 105.0, 105.2, 105.1),
        ).comparisons.filter { it.measure == Measure.THROUGHPUT }.associate { it.candidate.text to it.verdict }
        comparisons["other/work@steady"] shouldBe Verdict.FASTER
        comparisons["other/work@article"] shouldBe Verdict.UNDECIDED
    }
}
