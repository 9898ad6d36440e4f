package bootdyno.analyse

import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import java.util.Random
import kotlin.math.exp

/** The same application twice, on a simulated machine whose speed changes by 20 % from round to round; fixed seeds. */
class AgainstItselfTest {
    private companion object {
        const val EXPERIMENTS = 500
    }

    private fun run(random: Random, rounds: Int, noise: Double, truth: Double) = testRun(
        (1..rounds).flatMap { round ->
            val machine = 1000 * exp(0.2 * random.nextGaussian())
            fun rate() = machine * exp(noise * random.nextGaussian())
            listOf(
                testTrial(baseline, round, rate()),
                testTrial(other, round, truth * rate()),
                testTrial(baseline, round, rate(), again = true),
            )
        },
    )

    private fun shareCalledDifferent(rounds: Int, noise: Double, truth: Double = 1.0): Double {
        val random = Random(42)
        val verdicts = List(EXPERIMENTS) { analyse(run(random, rounds, noise, truth)).comparisons.single().verdict }
        return verdicts.count { it == Verdict.FASTER || it == Verdict.SLOWER } / EXPERIMENTS.toDouble()
    }

    @Test
    fun `the same against itself is called faster or slower at most 5 percent of the time`() {
        for (noise in listOf(0.005, 0.03)) shareCalledDifferent(6, noise) shouldBeLessThan 0.05
        shareCalledDifferent(3, 0.03) shouldBeLessThan 0.05
    }

    @Test
    fun `a real difference of a quarter is nearly always found`() {
        (1 - shareCalledDifferent(6, 0.03, truth = 1.25)) shouldBeLessThan 0.10
    }

    @Test
    fun `the same facts give the same analysis`() {
        val run = run(Random(1), 6, 0.03, 1.0)
        analyse(run) shouldBe analyse(run)
    }
}
