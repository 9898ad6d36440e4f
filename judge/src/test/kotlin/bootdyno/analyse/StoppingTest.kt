package bootdyno.analyse

import bootdyno.model.CellId
import bootdyno.model.Change
import bootdyno.model.Gate
import bootdyno.model.LoadProfile
import bootdyno.model.Measure
import bootdyno.model.Operand
import bootdyno.model.Prediction
import bootdyno.model.TrialFacts
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldMatch
import org.junit.jupiter.api.Test
import kotlin.time.Duration.Companion.hours

class StoppingTest {
    private val adaptive = protocol(rounds = 3, maxRounds = 15, budget = 1.hours)

    private fun stop(trials: List<TrialFacts>, outOfTime: Boolean = false) =
        reasonToStop(testRun(trials, experiment = experiment(protocol = adaptive)).copy(outOfTime = outOfTime))

    private val steady = rounds(baseline, 1000.0, 1000.0, 1000.0)

    @Test
    fun `the planned rounds are always done, whatever the budget says`() {
        stop(rounds(baseline, 1.0, 1.0) + rounds(other, 2.0, 2.0), outOfTime = true) shouldBe null
    }

    @Test
    fun `tight ratios are enough, even undecided ones on the edge of delta`() {
        stop(steady + rounds(other, 1030.0, 1031.0, 1029.0)).shouldNotBeNull() shouldContain "every ratio"
    }

    // ± 7 % and clearly faster: the logarithms' mean is 0.7115 and t = 46, of 2 degrees.
    @Test
    fun `a verdict is enough, for its interval holds after each round`() {
        val wide = rounds(other, 2000.0, 2010.0, 2100.0)
        stop(steady + wide).shouldNotBeNull()
    }

    @Test
    fun `an undecided ratio is not enough, nor one whose interval excludes 1 at the level of a single look only`() {
        val settling = rounds(other, 1500.0, 1100.0, 1300.0, 1310.0)
        stop(rounds(baseline, 1000.0, 1000.0, 1000.0, 1000.0) + settling) shouldBe null
        stop(steady + rounds(other, 1060.0, 1000.0, 1060.0)) shouldBe null
    }

    @Test
    fun `the most rounds are the end`() {
        val trials = (1..15).flatMap { listOf(testTrial(baseline, it, 1000.0), testTrial(other, it, 1000.0 + 200 * (it % 2))) }
        stop(trials) shouldBe "All 15 rounds are done."
    }

    @Test
    fun `a round that would not fit the budget is not begun`() {
        val undecided = steady + rounds(other, 1060.0, 1000.0, 1060.0)
        stop(undecided) shouldBe null
        stop(undecided, outOfTime = true).shouldNotBeNull() shouldContain "After 3 rounds, the time budget of 1h leaves no time"
    }

    // The mean of the logarithms is 0.176, t = 7.1 of 2 degrees: p = 0.019. The first of all looks may spend 0.0125.
    @Test
    fun `the last round that the budget allows spends all that is left of the error`() {
        val faster = steady + rounds(other, 1150.0, 1180.0, 1250.0)
        stop(faster) shouldBe null
        stop(faster, outOfTime = true) shouldBe "After 3 rounds every ratio has a verdict or is known to ± 2 %."
        val run = testRun(faster, experiment = experiment(protocol = adaptive))
        fun verdict(outOfTime: Boolean) = analyse(run.copy(outOfTime = outOfTime)).comparisons.first().verdict
        verdict(outOfTime = false) shouldBe Verdict.UNDECIDED
        verdict(outOfTime = true) shouldBe Verdict.FASTER
    }

    @Test
    fun `what is undecided is named with its interval, what is settled is not`() {
        val open = rounds(other, 1060.0, 1000.0, 1060.0)
        val named =
            undecided(testRun(steady + open + rounds(third, 500.0, 501.0, 499.0), threeCells, experiment(threeCells, adaptive)))
        named.single() shouldMatch Regex("""$other \(0\.\d+ to 1\.\d+ of $baseline\)""")
    }

    @Test
    fun `an interval over several powers of ten is no figure`() {
        val noisy = steady + rounds(other, 900.0, 500.0, 700.0)
        undecided(testRun(noisy, experiment = experiment(protocol = adaptive))) shouldBe
            listOf("$other (ratio to $baseline not known within a factor of 10)")
    }

    @Test
    fun `a rule settles the comparison of its own two cells only`() {
        val trials = steady + rounds(other, 1060.0, 1000.0, 1060.0) + rounds(third, 500.0, 501.0, 499.0)
        fun names(right: CellId): List<String> {
            val gate = Gate("rule", Operand(other, Measure.THROUGHPUT), true, 0.5, Operand(right, Measure.THROUGHPUT))
            return undecided(testRun(trials, threeCells, experiment(threeCells, adaptive).copy(gates = listOf(gate))))
        }
        names(right = baseline) shouldBe emptyList()
        names(right = third).single() shouldContain "$other "
    }

    private fun settled(trials: List<TrialFacts>) =
        settledCells(testRun(trials, threeCells, experiment(threeCells, adaptive.copy(again = false))))

    @Test
    fun `a cell leaves when its comparison is settled, unless it may be the best or is compared with what is open`() {
        val open = rounds(other, 1060.0, 1000.0, 1060.0)
        settled(steady + open + rounds(third, 500.0, 501.0, 499.0)) shouldBe setOf(third)
        // The best one stays while another one is open.
        settled(steady + open + rounds(third, 2000.0, 2001.0, 1999.0)) shouldBe emptySet()
        settled(steady + open + rounds(third, null, null, null)) shouldBe setOf(third)
        settled(steady.take(2) + open.take(2) + rounds(third, 500.0, 501.0)) shouldBe emptySet()
        // The third round is not whole.
        settled(steady + open + rounds(third, 500.0, 501.0)) shouldBe emptySet()
    }

    @Test
    fun `of open load the cell stays that may have the lowest p99`() {
        val cells = (threeCells.map { it.id } + CellId("fourth/work")).map { testCell(it, LoadProfile.Open(100.0)) }
        val trials = answering(baseline, 100, 100, 100) + answering(other, 50, 51, 50) + answering(third, 80, 81, 80) +
            answering(cells.last().id, 90, 110, 100)
        settledCells(testRun(trials, cells, experiment(cells, adaptive.copy(again = false)))) shouldBe setOf(third)
    }

    @Test
    fun `a work without an open comparison leaves as a whole, the baseline that is measured twice stays`() {
        val cells = listOf("a", "b").flatMap { profile ->
            listOf("base", "other").map { testCell(CellId("$it/work@$profile"), LoadProfile.Closed(1), profile) }
        }
        val sure = rounds(cells[0].id, 100.0, 100.0, 100.0) + rounds(cells[1].id, 200.0, 200.0, 200.0)
        val open = rounds(cells[2].id, 100.0, 100.0, 100.0) + rounds(cells[3].id, 106.0, 100.0, 106.0)
        fun left(again: Boolean) = settledCells(testRun(sure + open, cells, experiment(cells, adaptive.copy(again = again))))
        left(again = false) shouldBe setOf(cells[0].id, cells[1].id)
        left(again = true) shouldBe setOf(cells[1].id)
    }

    @Test
    fun `a run with a prediction ends when it is confirmed or refuted, whatever the ratio is`() {
        val prediction = Prediction(Change.Setting("a", "b"), 1.9, 2.1, "")
        fun stop(vararg changed: Double) =
            testRun(steady + rounds(other, *changed.toTypedArray()), experiment = experiment(protocol = adaptive))
                .let { reasonToStop(it.copy(plan = it.plan.copy(prediction = prediction))) }
        stop(1990.0, 2000.0, 2010.0) shouldBe "After 3 rounds the prediction is confirmed."
        stop(1500.0, 1501.0, 1499.0) shouldBe "After 3 rounds the prediction is refuted."
        stop(1900.0, 2000.0, 2100.0) shouldBe null
        stop(1400.0, 1500.0, 1600.0) shouldBe null
    }

    @Test
    fun `a cell that always fails does not delay the decision to stop`() {
        stop(steady + rounds(other, null, null, null)).shouldNotBeNull()
    }

    @Test
    fun `one of two planned rounds without a trial is no end, most rounds without one are`() {
        fun stop(vararg perSecond: Double?): String? {
            val trials = rounds(baseline, *perSecond.map { 1000.0 }.toTypedArray()) + rounds(other, *perSecond)
            return reasonToStop(testRun(trials, experiment = experiment(protocol = protocol(rounds = 2, maxRounds = 5))))
        }
        stop(1100.0, null) shouldBe null
        stop(1100.0, null, null).shouldNotBeNull() shouldContain "more rounds do not decide it"
        val cells = twoCells.take(1)
        val single = testRun(rounds(baseline, 1000.0, null), cells, experiment(cells, protocol(rounds = 2, maxRounds = 5)))
        reasonToStop(single) shouldBe null
    }

    @Test
    fun `a single cell goes on until its own figure is tight`() {
        val cells = twoCells.take(1)
        val single = experiment(cells, adaptive)
        reasonToStop(testRun(rounds(baseline, 1000.0, 1100.0, 1200.0), cells, single)) shouldBe null
        reasonToStop(testRun(rounds(baseline, 1000.0, 1001.0, 1002.0), cells, single)) shouldBe
            "After 3 rounds every figure is known to ± 2 %."
        reasonToStop(testRun(rounds(baseline, 0.0, 0.0, 0.0), cells, single)).shouldNotBeNull()
        // Of a figure without an interval nothing is known.
        reasonToStop(testRun(rounds(baseline, 1000.0, null, null), cells, single)) shouldBe
            "After 3 rounds every figure is known to ± 2 %, or more rounds do not decide it."
        reasonToStop(testRun(rounds(baseline, null, null, null), cells, single)) shouldBe
            "After 3 rounds no cell has a figure; more rounds are not likely to give one."
    }

    @Test
    fun `a ratio that more rounds do not decide is not said to have a verdict`() {
        stop(steady + failing(other, 3, 2000.0, 900)) shouldBe
            "After 3 rounds every ratio has a verdict or is known to ± 2 %, or more rounds do not decide it."
    }

    @Test
    fun `open load is settled by its latency, for its throughput is what we offered`() {
        val cells = twoCells.map { testCell(it.id, LoadProfile.Open(100.0)) }
        fun trials(vararg millis: Long) = answering(baseline, 100, 100, 100) + answering(other, *millis)
        val open = experiment(cells, adaptive)
        reasonToStop(testRun(trials(90, 110, 100), cells, open)) shouldBe null
        reasonToStop(testRun(trials(200, 201, 200), cells, open)).shouldNotBeNull()
    }
}
