package bootdyno.analyse

import bootdyno.model.CellId
import bootdyno.model.LoadProfile
import bootdyno.model.TrialFacts
import io.kotest.matchers.collections.shouldContainExactly
import org.junit.jupiter.api.Test

class RankingTest {
    private fun ranks(trials: List<TrialFacts>) = analyse(testRun(trials, threeCells)).ranking.map {
        "${it.rank} ${it.cell}" +
            if (it.tied) " tied" else ""
    }

    @Test
    fun `cells apart have ranks of their own, best first`() {
        ranks(
            rounds(baseline, 400.0, 401.0, 399.0) + rounds(other, 800.0, 799.0, 802.0) + rounds(third, 20.0, 20.0, 20.1),
        ) shouldContainExactly
            listOf("1 other/work", "2 base/work", "3 third/work")
    }

    // other by third: 1.01, 0.99, 1.02: the interval contains 1.
    @Test
    fun `cells whose ratio may be 1 share a rank and the next counts them both`() {
        ranks(
            rounds(baseline, 400.0, 401.0, 399.0) + rounds(other, 808.0, 792.0, 816.0) + rounds(third, 800.0, 800.0, 800.0),
        ) shouldContainExactly
            listOf("1 other/work tied", "1 third/work tied", "3 base/work")
    }

    // 1.5 % apart and sure of it: smaller than δ, so no reason to choose.
    @Test
    fun `cells surely apart by less than delta share a rank`() {
        ranks(
            rounds(baseline, 1000.0, 1000.0, 1000.0) + rounds(other, 1015.0, 1015.1, 1014.9) + rounds(third, 500.0, 500.0, 500.0),
        ) shouldContainExactly
            listOf("1 other/work tied", "1 base/work tied", "3 third/work")
    }

    // other and third cannot be told apart; other is faster than the baseline, third is not.
    @Test
    fun `what may be the best comes first, with all that no cell is faster than`() {
        ranks(
            rounds(baseline, 1000.0, 1000.0, 1000.0, 1000.0) + rounds(other, 1060.0, 1061.0, 1059.0, 1060.0) +
                rounds(third, 1150.0, 950.0, 1150.0, 950.0),
        ) shouldContainExactly listOf("1 other/work tied", "1 third/work tied", "3 base/work")
    }

    @Test
    fun `one round tells nothing apart`() {
        ranks(rounds(baseline, 1000.0) + rounds(other, 1500.0) + rounds(third, 500.0)) shouldContainExactly
            listOf("1 other/work tied", "1 base/work tied", "1 third/work tied")
    }

    @Test
    fun `a cell without a figure has no rank`() {
        ranks(rounds(baseline, 1000.0) + rounds(other, null)) shouldContainExactly listOf("1 base/work")
    }

    @Test
    fun `each profile is a ranking of its own`() {
        val cells = listOf("a", "b").flatMap { profile ->
            listOf("base", "other").map { testCell(CellId("$it/work@$profile"), LoadProfile.Closed(1), profile) }
        }
        val trials = cells.flatMapIndexed { i, it -> rounds(it.id, 100.0 * (i + 1), 100.0 * (i + 1)) }
        analyse(testRun(trials, cells)).ranking.map { "${it.rank} ${it.cell}" } shouldContainExactly
            listOf("1 other/work@a", "2 base/work@a", "1 other/work@b", "2 base/work@b")
    }
}
