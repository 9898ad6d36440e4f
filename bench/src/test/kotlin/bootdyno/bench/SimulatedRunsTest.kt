package bootdyno.bench

import bootdyno.analyse.Analysis
import bootdyno.analyse.ClaimOutcome
import bootdyno.analyse.Comparison
import bootdyno.analyse.ConfirmationOutcome
import bootdyno.analyse.Verdict
import bootdyno.analyse.analyse
import bootdyno.bench.SimulatedRuns.Companion.BASELINE
import bootdyno.model.Assertion
import bootdyno.model.CellId
import bootdyno.model.Change
import bootdyno.model.Claim
import bootdyno.model.Measure
import bootdyno.model.Prediction
import bootdyno.model.Tendency
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import java.util.Random

/** The judgement of [SimulatedRuns], with fixed seeds; the standard error of a share of 1,000 runs is at most 1.6 %. */
class SimulatedRunsTest {
    private companion object {
        val ONE = SimulatedRuns.candidate(1)
        val TWO = SimulatedRuns.candidate(2)

        /** Enough for what happens in no run. */
        const val FEW = 300
    }

    private fun found(effect: Double, rounds: Int, noise: Double = 0.03) =
        SimulatedRuns(listOf(1.0, 1 + effect, 1.0), noise, rounds).share { it.of(1).verdict == Verdict.FASTER }

    @Test
    fun `a difference of 5 percent is found in 60 percent of 6 rounds and in 86 percent of 10, 8 percent in 90 percent of 6`() {
        found(0.05, 6) shouldBeGreaterThan 0.60
        found(0.05, 10) shouldBeGreaterThan 0.86
        found(0.08, 6) shouldBeGreaterThan 0.90
    }

    @Test
    fun `any false difference among equal candidates is found in at most 5 percent of runs`() {
        for (rounds in listOf(2, 3, 6, 10)) {
            withClue("$rounds rounds") {
                SimulatedRuns(listOf(1.0, 1.0, 1.0), 0.03, rounds).share { run ->
                    run.throughputs().any { it.isDifferent }
                } shouldBeLessThan 0.06
            }
        }
        SimulatedRuns(List(5) { 1.0 }, listOf(0.03, 0.01, 0.03, 0.06, 0.03), 6)
            .share { run -> run.throughputs().any { it.isDifferent } } shouldBeLessThan 0.065
    }

    @Test
    fun `twelve equal cells share one letter in 95 percent of runs`() {
        SimulatedRuns(List(12) { 1.0 }, 0.03, 6).share(400) { run -> run.ranking.any { !it.mayBeBest } } shouldBeLessThan 0.05
        SimulatedRuns(List(12) { 1.0 }, 0.03, 15).share(200) { run -> run.ranking.any { !it.mayBeBest } } shouldBeLessThan 0.06
    }

    @Test
    fun `ranking, verdicts and claims never contradict each other`() {
        val claims = listOf(
            Claim("more", "s", Assertion.Difference(ONE, BASELINE, Measure.THROUGHPUT, Tendency.MORE), 0.1),
            Claim("more", "s", Assertion.Difference(TWO, ONE, Measure.THROUGHPUT, Tendency.MORE), 0.1),
        )
        val random = Random(7)
        listOf(
            listOf(1.0, 1.06, 1.0),
            listOf(1.0, 1.05, 1.10, 1.02),
            listOf(1.0, 0.95, 1.0, 0.9, 1.04),
            listOf(1.0, 1.03, 1.03, 1.5),
        ).forEach { truths ->
            repeat(250) {
                val noises = truths.map { 0.005 + 0.05 * random.nextDouble() }
                val run = SimulatedRuns(truths, noises, 2 + random.nextInt(9), claims).run(random)
                contradictions(analyse(run, forecasts = false)).shouldBeEmpty()
            }
        }
    }

    private fun contradictions(run: Analysis): List<String> {
        val letters = run.ranking.associate { it.cell to it.letters }
        fun share(one: CellId, other: CellId) = letters.getValue(one).any { it in letters.getValue(other) }
        return run.throughputs().mapNotNull { comparison ->
            "$comparison, letters $letters".takeIf { share(comparison.candidate, comparison.baseline) == comparison.isDifferent }
        } + run.claims.mapNotNull { claim ->
            val (one, other) = claim.cells
            "${claim.text} of ${claim.cells}, letters $letters".takeIf {
                claim.outcome == ClaimOutcome.REPRODUCED &&
                    share(one, other)
            }
        }
    }

    private fun claimed(published: Double) =
        listOf(Claim("twice", "s", Assertion.Ratio(ONE, BASELINE, Measure.THROUGHPUT, published), 0.1))

    @Test
    fun `a published factor of 2 is not reproduced where there is no difference`() {
        for ((rounds, noise) in listOf(2 to 0.08, 3 to 0.05, 6 to 0.03)) {
            withClue("$rounds rounds, noise $noise") {
                SimulatedRuns(listOf(1.0, 1.0), noise, rounds, claimed(2.0))
                    .share(FEW) { it.claims.single().outcome == ClaimOutcome.REPRODUCED } shouldBeLessThan 0.01
            }
        }
    }

    @Test
    fun `more is reproduced where there is 10 percent more`() {
        val claims = listOf(Claim("more", "s", Assertion.Difference(ONE, BASELINE, Measure.THROUGHPUT, Tendency.MORE), 0.1))
        SimulatedRuns(listOf(1.0, 1.1, 1.0), 0.03, 6, claims)
            .share { it.claims.single().outcome == ClaimOutcome.REPRODUCED } shouldBeGreaterThan 0.90
    }

    private fun outcomes(truth: Double, noise: Double = 0.03, rounds: Int = 3): (ConfirmationOutcome) -> Double {
        val prediction = Prediction(Change.Setting("pool", "20"), 1.9, 2.1, "")
        val simulated = SimulatedRuns(listOf(1.0, truth), listOf(noise, noise), rounds, prediction = prediction)
        val shares = simulated.shares { it.confirmation?.outcome }
        return { shares[it] ?: 0.0 }
    }

    @Test
    fun `a right prediction is confirmed in nearly all of five rounds, and hardly ever refuted`() {
        val right = outcomes(2.0, rounds = 5)
        right(ConfirmationOutcome.CONFIRMED) shouldBeGreaterThan 0.95
        for (truth in listOf(1.9, 2.0, 2.1)) outcomes(truth)(ConfirmationOutcome.REFUTED) shouldBeLessThan 0.01
    }

    @Test
    fun `a wrong prediction is never confirmed by chance, and refuted in most cases`() {
        for (truth in listOf(1.0, 1.4, 2.9)) {
            withClue("truth $truth") {
                val wrong = outcomes(truth, rounds = 5)
                wrong(ConfirmationOutcome.CONFIRMED) shouldBeLessThan 0.01
                wrong(ConfirmationOutcome.REFUTED) shouldBeGreaterThan 0.9
            }
        }
        // Noise of 20 % decides nothing.
        outcomes(1.0, noise = 0.2)(ConfirmationOutcome.CONFIRMED) shouldBeLessThan 0.02
    }

    // Seen from an undecided run of six rounds; the truth is the number of rounds until the first verdict, which two groups of rounds may delay.
    @Test
    fun `the rounds still needed are those it takes, within a factor of 1_6`() {
        for (effect in listOf(0.0, 0.02, 0.04)) {
            val random = Random(11)
            val predicted = mutableListOf<Int>()
            val needed = mutableListOf<Int>()
            repeat(100) {
                val whole = SimulatedRuns(listOf(1.0, 1 + effect), 0.03, 60).run(random)
                fun after(rounds: Int, forecasts: Boolean = false): Comparison {
                    val trials = whole.trials.filter { it.record.trial.round <= rounds }
                    return analyse(whole.copy(trials = trials), forecasts).throughputs().single()
                }
                after(6, forecasts = true).takeIf { it.verdict == Verdict.UNDECIDED }?.furtherRounds?.let { further ->
                    predicted += further
                    needed += (7..60).first { it == 60 || after(it).verdict != Verdict.UNDECIDED } - 6
                }
            }
            withClue("effect $effect: predicted ${predicted.average()}, needed ${needed.average()}") {
                val factor = predicted.average() / needed.average()
                factor shouldBeLessThan 1.6
                factor shouldBeGreaterThan 1 / 1.6
            }
        }
    }

    @Test
    fun `the same facts give the same analysis`() {
        val run = SimulatedRuns(listOf(1.0, 1.1), 0.03, 6).run(Random(1))
        analyse(run) shouldBe analyse(run)
    }
}
