package bootdyno.analyse

import bootdyno.model.CellId
import bootdyno.model.Measure
import bootdyno.model.Metric
import bootdyno.model.Series
import bootdyno.model.SeriesRow
import bootdyno.model.TrialFacts
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.maps.shouldBeEmpty
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class BurstTimesTest {
    private val cells = burstCells()

    private fun timesOf(trials: List<TrialFacts>, cell: CellId = baseline) =
        analyse(testRun(trials, cells)).cell(cell).shouldNotBeNull().burst

    // 82 answered evenly until 1.7 s; then one every 0.5 s: the 90th after 8 more at 5.7 s, the 99th after 17 more at 10.2 s; one fails.
    @Test
    fun `the time until a share is answered is that of the request that completes it`() {
        val answers = (1L..82L).map { it * 1700 / 82 } + (1L..17L).map { 1700 + it * 500 }
        val times = timesOf(listOf(burst(baseline, 1, answers)))
        times.getValue(Measure.TIME_TO_50).estimate.value shouldBe (50 * 1.7 / 82 plusOrMinus 0.002)
        times.getValue(Measure.TIME_TO_90).estimate.value shouldBe (5.7 plusOrMinus 0.01)
        times.getValue(Measure.TIME_TO_99).estimate.value shouldBe (10.2 plusOrMinus 0.01)
        times.getValue(Measure.TIME_TO_99).censored shouldBe false
        times.getValue(Measure.TIME_TO_100).censored shouldBe true
    }

    @Test
    fun `a share that is never reached has the burst's time limit as a lower bound`() {
        val never = timesOf(evenBurst(baseline, 2000, unanswered = 5)).getValue(Measure.TIME_TO_99)
        never.censored shouldBe true
        never.estimate.value shouldBe (10.0 plusOrMinus 1e-9)
    }

    @Test
    fun `other loads have no such times`() {
        analyse(testRun(rounds(baseline, 100.0))).cell(baseline).shouldNotBeNull().burst.shouldBeEmpty()
    }

    // 20 requests were answered in the warm-up. In the window: 40 after 1 s, 80 after 2 s, 100 after 2.5 s.
    @Test
    fun `times of a run without them are interpolated between the readings`() {
        val counts = mapOf(9.0 to 20.0, 11.0 to 60.0, 12.0 to 100.0)
        val series = Series(counts.map { (at, count) -> SeriesRow(at, mapOf(Metric.ANSWERED to count)) })
        val load = testLoad().copy(windowSeconds = 2.5, answered = 100)
        val times = timesOf(listOf(testTrial(baseline, load = load, series = series)))
        times.mapValues { it.value.estimate.value } shouldBe mapOf(
            Measure.TIME_TO_50 to 1.25,
            Measure.TIME_TO_90 to 2.25,
            Measure.TIME_TO_99 to 2.475,
            Measure.TIME_TO_100 to 2.5,
        )
    }

    @Test
    fun `bursts are compared and ranked by the time until 99 percent are answered`() {
        val analysis = analyse(
            testRun(
                evenBurst(baseline, 4000, 4010, 3990) + evenBurst(other, 1000, 1001, 999) + evenBurst(third, 8000, 8010, 8020),
                cells,
            ),
        )
        val comparison = analysis.comparisons.single { it.candidate == other }
        comparison.measure shouldBe Measure.TIME_TO_99
        comparison.verdict shouldBe Verdict.FASTER
        comparison.ratio.value shouldBe (0.25 plusOrMinus 0.001)
        analysis.ranking.map { it.cell } shouldContainExactly listOf(other, baseline, third)
    }

    // other ends after 1 s, five of its requests unanswered: fewer requests a second, and never 99 %.
    @Test
    fun `a cell that never answers 99 percent ranks below one that does, however early it ends`() {
        val analysis = analyse(
            testRun(evenBurst(baseline, 4000, 4010, 3990) + evenBurst(other, 1000, 1001, 999, unanswered = 5), cells),
        )
        val comparison = analysis.comparisons.single()
        comparison.bound shouldBe Bound.AT_LEAST
        comparison.ratio.interval shouldBe null
        comparison.verdict shouldBe Verdict.SLOWER
        analysis.ranking.map { it.letters to it.cell } shouldContainExactly listOf("a" to baseline, "b" to other)
    }

    @Test
    fun `of two cells that never answer 99 percent none is faster`() {
        val analysis = analyse(
            testRun(
                evenBurst(baseline, 4000, 4010, 3990, unanswered = 5) + evenBurst(other, 1000, 1001, 999, unanswered = 5),
                cells,
            ),
        )
        analysis.comparisons.single().verdict shouldBe null
        analysis.ranking.map { it.letters } shouldContainExactly listOf("a", "a")
    }

    @Test
    fun `a faster burst that fails more of its requests is not called faster`() {
        val trials = evenBurst(baseline, 4000, 4010, 3990, users = 1000) +
            evenBurst(other, 1000, 1001, 999, unanswered = 5, users = 1000)
        val comparison = analyse(testRun(trials, burstCells(users = 1000))).comparisons.single()
        comparison.moreErrors shouldBe true
        comparison.verdict shouldBe Verdict.UNDECIDED
    }
}
