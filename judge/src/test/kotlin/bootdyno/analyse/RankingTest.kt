package bootdyno.analyse

import bootdyno.model.CellId
import bootdyno.model.LoadProfile
import bootdyno.model.TrialFacts
import io.kotest.matchers.collections.shouldContainExactly
import org.junit.jupiter.api.Test

class RankingTest {
    private fun ranks(trials: List<TrialFacts>) = analyse(testRun(trials, threeCells)).ranking.map {
        "${it.letters} ${it.cell}" +
            if (it.mayBeBest) " may be the best" else ""
    }

    @Test
    fun `cells apart have letters of their own, best first`() {
        ranks(
            rounds(baseline, 400.0, 401.0, 399.0) + rounds(other, 800.0, 799.0, 802.0) + rounds(third, 20.0, 20.0, 20.1),
        ) shouldContainExactly listOf("a other/work may be the best", "b base/work", "c third/work")
    }

    // other by third: 1.01, 0.99, 1.02: the interval contains 1.
    @Test
    fun `cells whose ratio may be 1 share a letter`() {
        ranks(
            rounds(baseline, 400.0, 401.0, 399.0) + rounds(other, 808.0, 792.0, 816.0) + rounds(third, 800.0, 800.0, 800.0),
        ) shouldContainExactly listOf("a other/work may be the best", "a third/work may be the best", "b base/work")
    }

    // 1.5 % apart and sure of it: smaller than δ, so no reason to choose.
    @Test
    fun `cells surely apart by less than delta share a letter`() {
        ranks(
            rounds(baseline, 1000.0, 1000.0, 1000.0) + rounds(other, 1015.0, 1015.1, 1014.9) + rounds(third, 500.0, 500.0, 500.0),
        ) shouldContainExactly listOf("a other/work may be the best", "a base/work may be the best", "b third/work")
    }

    // other and third cannot be told apart; other is faster than the baseline, third is not.
    @Test
    fun `a noisy cell that no cell is faster than may be the best, whatever it shares with others`() {
        ranks(
            rounds(baseline, 1000.0, 1000.0, 1000.0, 1000.0) + rounds(other, 1060.0, 1061.0, 1059.0, 1060.0) +
                rounds(third, 1150.0, 950.0, 1150.0, 950.0),
        ) shouldContainExactly listOf("a other/work may be the best", "ab third/work may be the best", "b base/work")
    }

    @Test
    fun `a cell that answers nothing is last, though nothing can be divided by its figures`() {
        ranks(
            rounds(baseline, 400.0, 401.0, 399.0) + rounds(other, 0.0, 0.0, 0.0) + rounds(third, 800.0, 799.0, 802.0),
        ) shouldContainExactly listOf("a third/work may be the best", "b base/work", "c other/work")
        ranks(rounds(baseline, 0.0, 0.0, 0.0) + rounds(other, 400.0, 401.0, 399.0)) shouldContainExactly
            listOf("a other/work may be the best", "b base/work")
    }

    // In the rounds that both have, the baseline serves 4 % more.
    @Test
    fun `a cell that was measured only in the fast rounds is not ranked above a faster one`() {
        ranks(
            rounds(baseline, 1000.0, 1000.0, 1000.0, 1200.0, 1200.0, 1200.0) +
                rounds(other, null, null, null, 1150.0, 1151.0, 1149.0),
        ) shouldContainExactly listOf("a base/work may be the best", "b other/work")
    }

    @Test
    fun `one round tells nothing apart`() {
        ranks(rounds(baseline, 1000.0) + rounds(other, 1500.0) + rounds(third, 500.0)) shouldContainExactly
            listOf("a other/work may be the best", "a base/work may be the best", "a third/work may be the best")
    }

    @Test
    fun `a cell without a figure is not ranked`() {
        ranks(rounds(baseline, 1000.0) + rounds(other, null)) shouldContainExactly listOf("a base/work may be the best")
    }

    @Test
    fun `each profile is a ranking of its own`() {
        val cells = listOf("a", "b").flatMap { profile ->
            listOf("base", "other").map { testCell(CellId("$it/work@$profile"), LoadProfile.Closed(1), profile) }
        }
        val trials = cells.flatMapIndexed { i, it -> rounds(it.id, 100.0 * (i + 1), 100.0 * (i + 1)) }
        analyse(testRun(trials, cells)).ranking.map { "${it.letters} ${it.cell}" } shouldContainExactly
            listOf("a other/work@a", "b base/work@a", "a other/work@b", "b base/work@b")
    }
}
