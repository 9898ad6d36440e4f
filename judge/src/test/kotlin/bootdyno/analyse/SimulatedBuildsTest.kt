package bootdyno.analyse

import bootdyno.model.Gate
import bootdyno.model.Measure
import bootdyno.model.Operand
import bootdyno.model.TrialFacts
import io.kotest.matchers.ints.shouldBeGreaterThanOrEqual
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.CsvSource
import java.util.Random
import kotlin.math.exp
import kotlin.time.Duration.Companion.seconds

/**
 * Comparisons of an older build, [baseline], with a newer one, [other], as `dyno compare` stops and judges them: on simulated log-normal noise with
 * fixed seeds, by the rule "throughput slower by 3 %". The rounds differ by 10 %, and each trial has noise of its own.
 */
class SimulatedBuildsTest {
    private class Ended(val outcome: GateOutcome, val rounds: Int)

    private val gate = Gate(
        "throughput slower by 3 %",
        Operand(other, Measure.THROUGHPUT),
        atLeast = true,
        factor = 0.97,
        right = Operand(baseline, Measure.THROUGHPUT),
    )
    private val planned = experiment(protocol = protocol(3, 8, 600.seconds)).copy(gates = listOf(gate))

    /** The newer build serves [ratio] times as much as the older one. A round takes 90 s; there are 10 min. */
    private fun compared(random: Random, ratio: Double, noise: Double): Ended {
        fun noisy(deviation: Double) = exp(deviation * random.nextGaussian())
        val trials = mutableListOf<TrialFacts>()
        var round = 0
        while (true) {
            round++
            val block = noisy(0.10)
            trials += testTrial(baseline, round, 1000 * block * noisy(noise))
            trials += testTrial(other, round, 1000 * ratio * block * noisy(noise))
            val run = testRun(trials, experiment = planned).copy(outOfTime = 90.seconds * (round + 1) > 600.seconds)
            if (reasonToStop(run) != null) return Ended(analyse(run, forecasts = false).gates.single().outcome, round)
        }
    }

    private fun compared(times: Int, ratio: Double, noise: Double): List<Ended> =
        Random(20_261_123).let { random -> List(times) { compared(random, ratio, noise) } }

    /** 4 % is the noise of a busy virtual machine: the time limit then leaves most comparisons undecided. */
    @ParameterizedTest
    @CsvSource("0.005, 0", "0.02, 0", "0.04, 3")
    fun `the same build is not worse, whatever the noise`(noise: Double, most: Int) {
        compared(300, 1.0, noise).count { it.outcome == GateOutcome.FAIL } shouldBeLessThanOrEqual most
    }

    @Test
    fun `the same build is the same within ten minutes in most cases where the machine is quiet, and never worse`() {
        val ended = compared(300, 1.0, noise = 0.01)
        ended.count { it.outcome == GateOutcome.PASS } shouldBeGreaterThanOrEqual 260
        ended.count { it.outcome == GateOutcome.FAIL } shouldBe 0
    }

    @ParameterizedTest
    @CsvSource("0.005, 300", "0.01, 300", "0.02, 265")
    fun `ten percent more work is worse within ten minutes`(noise: Double, least: Int) {
        val ended = compared(300, 1 / 1.1, noise)
        ended.count { it.outcome == GateOutcome.FAIL } shouldBeGreaterThanOrEqual least
        ended.maxOf { it.rounds } shouldBeLessThanOrEqual 6
    }
}
