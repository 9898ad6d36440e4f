package bootdyno.bench

import bootdyno.analyse.Analysis
import bootdyno.analyse.Verdict
import io.kotest.assertions.withClue
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

/** Runs of the preset `standard` as users run them: 3 to 15 rounds, which settled cells leave. */
class SimulatedStopsTest {
    private fun List<StoppedRun>.share(happens: (Analysis) -> Boolean) = count { happens(it.analysis) } / size.toDouble()

    @Test
    fun `two equal candidates are called different in at most 5 percent of runs, and their intervals hold`() {
        for (noise in listOf(0.01, 0.03)) {
            withClue("noise $noise") {
                val runs = standardRuns(noise, 1.0, 1.0).stops(400)
                runs.share { run -> run.throughputs().any { it.isDifferent } } shouldBeLessThan 0.06
                runs.share { covers(it, doubleArrayOf(1.0, 1.0)) } shouldBeGreaterThan 0.94
            }
        }
    }

    @Test
    fun `a difference of 3 percent is called equivalent in at most 5 percent of runs, of 5 percent it is found`() {
        standardRuns(0.02, 1.0309).stops(300).share { it.of(1).verdict == Verdict.EQUIVALENT } shouldBeLessThan 0.05
        standardRuns(0.03, 1.05).stops(200).share { it.of(1).verdict == Verdict.FASTER } shouldBeGreaterThan 0.85
    }

    @Test
    fun `a run that its budget ends errs no more, and its last round decides what the first look alone would not`() {
        val equal = standardRuns(0.03, 1.0, 1.0).stops(400, inBudget = 5)
        equal.share { run -> run.throughputs().any { it.isDifferent } } shouldBeLessThan 0.06
        equal.share { covers(it, doubleArrayOf(1.0, 1.0)) } shouldBeGreaterThan 0.94
        val faster = standardRuns(0.01, 1.05, 1.0)
        faster.stops(200, inBudget = 3).share { it.of(1).verdict == Verdict.FASTER } shouldBeGreaterThan 0.6
    }

    // What is at half speed is settled at once; the best and the baseline go on.
    @Test
    fun `cells that are settled leave, and what is left is still judged`() {
        val truths = doubleArrayOf(1.05, 0.5, 0.5, 0.5)
        val runs = standardRuns(0.02, *truths).stops(100)
        runs.share { covers(it, truths) } shouldBeGreaterThan 0.93
        runs.all { run -> (2..4).all { run.analysis.of(it).verdict == Verdict.SLOWER } } shouldBe true
        val long = runs.filter { it.rounds > 6 }
        long.size shouldBeLessThanOrEqual runs.size
        long.sumOf { it.trials } / long.sumOf { it.rounds * 6 }.toDouble() shouldBeLessThan 0.8
        standardRuns(0.001, *truths).stops(20).all { it.rounds == 3 } shouldBe true
    }
}
