package bootdyno.bench

import bootdyno.analyse.Comparison
import bootdyno.analyse.analyse
import io.kotest.assertions.withClue
import io.kotest.matchers.doubles.shouldBeBetween
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import java.util.Random

/** Rounds of six unequal machines, merged: [onSix], with fixed seeds. */
class SimulatedMachinesTest {
    private fun coverage(simulated: SimulatedRuns) = simulated.share { run ->
        run.throughputs().all { it.ratio.interval.shouldNotBeNull().contains(1.0) }
    }

    @Test
    fun `intervals of merged ratios contain the truth in 95 percent of runs, within 2`() {
        for (rounds in listOf(6, 8, 18)) {
            for ((differ, disturbed) in listOf(0.0 to 1.0, 0.03 to 2.0)) {
                withClue("$rounds rounds, ratios differ by $differ, noise $disturbed times on one machine") {
                    coverage(onSix(rounds, differ, disturbed)).shouldBeBetween(0.93, 0.97, 0.0)
                }
            }
        }
    }

    @Test
    fun `without the machine as a factor they would not`() {
        coverage(onSix(18, differ = 0.03, known = false)) shouldBeLessThan 0.9
    }

    @Test
    fun `a pooled throughput is that of no machine, and gets no interval`() {
        pooledThroughput(6, 500) shouldBeLessThan 0.5
        pooledThroughput(18, 500) shouldBeLessThan 0.05
        val run = analyse(onSix(12).run(Random(1)))
        run.cells.map { it.throughput?.interval } shouldBe listOf(null, null, null)
    }

    @Test
    fun `a difference between machines is found, and none is seen where there is none`() {
        fun found(differ: Double) = onSix(18, differ).share(500) { run -> run.throughputs().any { differs(it) } }
        found(0.0) shouldBeLessThan 0.13
        found(0.06) shouldBeGreaterThan 0.9
    }

    private fun differs(comparison: Comparison) = comparison.betweenMachines.shouldNotBeNull().p < 0.05
}
