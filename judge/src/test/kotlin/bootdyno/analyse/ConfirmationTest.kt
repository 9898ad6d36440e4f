package bootdyno.analyse

import bootdyno.analyse.ConfirmationOutcome.CONFIRMED
import bootdyno.analyse.ConfirmationOutcome.REFUTED
import bootdyno.analyse.ConfirmationOutcome.UNDECIDED
import bootdyno.model.CellId
import bootdyno.model.Change
import bootdyno.model.Measure
import bootdyno.model.Prediction
import bootdyno.stats.Estimate
import bootdyno.stats.Interval
import bootdyno.stats.TwoGroups
import io.kotest.assertions.withClue
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class ConfirmationTest {
    private fun predicted(range: ClosedRange<Double>) = Prediction(Change.Setting("a", "b"), range.start, range.endInclusive, "")

    private fun comparison(interval: ClosedRange<Double>?) = Comparison(
        baseline = baseline,
        candidate = other,
        measure = Measure.THROUGHPUT,
        ratio = Estimate(1.0, interval?.let { Interval(it.start, it.endInclusive) }, 3),
        verdict = null,
        furtherRounds = null,
        delta = 0.03,
    )

    private class Case(val predicted: ClosedRange<Double>, val measured: ClosedRange<Double>, val outcome: ConfirmationOutcome)

    @Test
    fun `the interval decides against the prediction`() {
        listOf(
            Case(1.9..2.1, 1.95..2.05, CONFIRMED),
            // 2.0 ± 10 %.
            Case(2.0..2.0, 1.81..2.19, CONFIRMED),
            Case(2.0..2.0, 1.79..2.19, UNDECIDED),
            Case(2.0..2.0, 1.70..1.79, REFUTED),
            Case(1.9..2.1, 1.2..1.6, REFUTED),
            Case(1.9..2.1, 0.98..1.02, REFUTED),
            Case(1.9..2.1, 2.32..2.6, REFUTED),
            Case(1.9..2.1, 1.1..2.5, UNDECIDED),
            Case(0.5..0.6, 0.55..0.58, CONFIRMED),
            Case(0.5..0.6, 0.9..0.95, REFUTED),
            // No effect that matters.
            Case(1.0..1.01, 0.99..1.02, CONFIRMED),
            Case(1.0..1.01, 0.89..1.05, UNDECIDED),
            Case(1.0..1.01, 1.12..1.2, REFUTED),
        ).forEach {
            withClue("predicted ${it.predicted}, measured ${it.measured}") {
                outcomeOf(predicted(it.predicted), comparison(it.measured)) shouldBe it.outcome
            }
        }
    }

    @Test
    fun `two rounds, one or none, and more errors decide nothing, and a factor of more than two is a wide prediction`() {
        outcomeOf(predicted(1.9..2.1), null) shouldBe UNDECIDED
        outcomeOf(predicted(1.9..2.1), comparison(null)) shouldBe UNDECIDED
        outcomeOf(predicted(1.9..2.1), comparison(1.95..2.05).copy(moreErrors = true)) shouldBe UNDECIDED
        val ofTwo = comparison(1.95..2.05).let { it.copy(ratio = it.ratio.copy(n = 2)) }
        outcomeOf(predicted(1.9..2.1), ofTwo) shouldBe UNDECIDED
        predicted(1.55..3.46).isWide shouldBe true
        predicted(1.0..2.0).isWide shouldBe false
    }

    @Test
    fun `a change that fails more requests is refuted at most, and rounds of two groups decide nothing`() {
        val failing = comparison(1.95..2.05).copy(failsMore = other)
        outcomeOf(predicted(1.9..2.1), failing) shouldBe UNDECIDED
        outcomeOf(predicted(1.0..1.1), failing) shouldBe UNDECIDED
        outcomeOf(predicted(2.9..3.1), failing) shouldBe REFUTED
        outcomeOf(predicted(1.9..2.1), failing.copy(failsMore = baseline)) shouldBe CONFIRMED
        outcomeOf(predicted(1.9..2.1), comparison(1.95..2.05).copy(groups = TwoGroups(3, 1.0, 5, 2.5))) shouldBe UNDECIDED
    }

    // However sure it is that the change serves as much, or that it serves more.
    @Test
    fun `a change that fails more requests is refuted below the prediction, and not if the original fails more`() {
        for (interval in listOf(0.98..1.02, 0.9..1.1, 1.2..1.6)) {
            fun outcome(failing: CellId, isUndone: Boolean) =
                outcomeOf(predicted(1.9..2.1), comparison(interval).copy(failsMore = failing, moreErrors = isUndone))
            listOf(true, false).forEach { outcome(other, it) shouldBe REFUTED }
            listOf(true, false).forEach { outcome(baseline, it) shouldBe UNDECIDED }
        }
    }

    private fun analysed(prediction: Prediction?, vararg changed: Double): Analysis {
        val run = testRun(rounds(baseline, 100.0, 101.0, 99.0) + rounds(other, *changed.toTypedArray()))
        return analyse(run.copy(plan = run.plan.copy(prediction = prediction)))
    }

    @Test
    fun `the second cell of a run with a prediction is compared with the first one`() {
        val confirmation = analysed(predicted(1.9..2.1), 200.0, 204.0, 197.0).confirmation.shouldNotBeNull()
        confirmation.run { listOf(original, changed) } shouldBe listOf(baseline, other)
        confirmation.outcome shouldBe CONFIRMED
        confirmation.ratio shouldBe analysed(null, 200.0, 204.0, 197.0).comparisons.single { it.measure == Measure.THROUGHPUT }
        analysed(predicted(1.9..2.1), 150.0, 151.0, 149.0).confirmation?.outcome shouldBe REFUTED
        analysed(null, 200.0, 204.0, 197.0).confirmation.shouldBeNull()
    }

    @Test
    fun `cells of different loads are compared too`() {
        val cells = listOf(testCell(baseline), testCell(other, profile = "load-800"))
        val run = testRun(rounds(baseline, 100.0, 101.0, 99.0) + rounds(other, 200.0, 204.0, 197.0), cells)
        analyse(run.copy(plan = run.plan.copy(prediction = predicted(1.9..2.1)))).confirmation?.outcome shouldBe CONFIRMED
    }
}
