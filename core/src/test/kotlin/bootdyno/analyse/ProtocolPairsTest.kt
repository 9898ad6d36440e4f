package bootdyno.analyse

import bootdyno.model.Cell
import bootdyno.model.CellId
import bootdyno.model.Measure
import bootdyno.model.MeasuringProtocol
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

    private fun run(coldAgain: Double) = analyse(
        testRun(
            cells.flatMap { rounds(it.id, 100.0, 100.0, 100.0) } +
                rounds(cells[0].id, 50.0, 50.0, coldAgain, again = true) + rounds(cells[1].id, 100.0, 100.1, 99.9, again = true),
            cells,
            experiment(cells).copy(baseline = cells[1].id),
        ),
    )

    @Test
    fun `a cell in two protocols is a pair, cold by warm`() {
        val pairs = run(50.0).protocolPairs
        pairs.map { it.name }.shouldContainExactly("base/work", "other/work")
        pairs.map { it.cold.text }.shouldContainExactly("base/work@article", "other/work@article")
        pairs.first().ratio.shouldNotBeNull().value shouldBe 1.0
    }

    // Cold, the baseline differs from itself by a factor of two; that must not blind the verdicts of the warm cells.
    @Test
    fun `each protocol has the resolution of its own baseline`() {
        val comparisons = run(51.0).comparisons.filter { it.measure == Measure.THROUGHPUT }.associateBy { it.candidate.text }
        comparisons.getValue("other/work@steady").delta shouldBe DEFAULT_DELTA
        (comparisons.getValue("other/work@article").delta > 0.5) shouldBe true
    }
}
