package bootdyno.stats

import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import java.util.SplittableRandom
import kotlin.math.exp
import kotlin.math.pow

class ElasticityTest {
    private fun slices(vararg slices: Pair<Double, Double>) = slices.map { (limit, rate) -> AtLimit(limit, rate, rate) }

    @Test
    fun `a throughput that doubles with its limit has an elasticity of 1, and one that stays has 0`() {
        elasticity(10.0, slices(10.0 to 100.0, 20.0 to 200.0, 10.0 to 100.0))?.value shouldBe (1.0 plusOrMinus 1e-12)
        elasticity(10.0, slices(10.0 to 100.0, 20.0 to 100.0, 10.0 to 100.0))?.value shouldBe (0.0 plusOrMinus 1e-12)
        elasticity(10.0, slices(10.0 to 100.0, 8.0 to 80.0, 10.0 to 100.0))?.value shouldBe (1.0 plusOrMinus 1e-12)
    }

    @Test
    fun `a steady drift cancels`() {
        val drifting = slices(
            10.0 to 100.0,
            20.0 to 200.0 * 1.1,
            10.0 to 100.0 * 1.21,
            20.0 to 200.0 * 1.331,
            10.0 to 100.0 * 1.4641,
        )
        elasticity(10.0, drifting)?.value shouldBe (1.0 plusOrMinus 1e-12)
    }

    @Test
    fun `without a slice at another value beside one at the original, there is none`() {
        elasticity(10.0, slices(10.0 to 100.0, 10.0 to 101.0)) shouldBe null
        elasticity(10.0, slices(20.0 to 100.0, 20.0 to 101.0)) shouldBe null
        elasticity(10.0, slices(10.0 to 0.0, 20.0 to 101.0)) shouldBe null
    }

    @Test
    fun `one pair has an interval too, that more answers and more pairs make narrower`() {
        fun width(vararg slices: AtLimit) = checkNotNull(elasticity(10.0, slices.toList())?.interval).run { high - low }
        val few = width(AtLimit(10.0, 100.0, 50.0), AtLimit(20.0, 200.0, 100.0))
        val many = width(AtLimit(10.0, 100.0, 5000.0), AtLimit(20.0, 200.0, 10_000.0))
        many shouldBeLessThan few
        val original = AtLimit(10.0, 100.0, 5000.0)
        val doubled = AtLimit(20.0, 200.0, 10_000.0)
        width(original, doubled, original, doubled, original) shouldBeLessThan many
        // t(3) · 0.03 / ln 2 on each side, from the usual deviation alone.
        many / 2 shouldBe (3.1824 * 0.03 / 0.6931 plusOrMinus 0.01)
    }

    @Test
    fun `with noise of 3 percent the interval contains the truth in 93 to 99 percent of cases`() {
        val random = SplittableRandom(7)
        val held = (1..2000).count {
            val truth = listOf(0.0, 0.5, 1.0)[it % 3]

            // Each slice varies by 0.03 / √1.5: a pair with two neighbours by 0.03.
            fun slice(limit: Double) = AtLimit(limit, 100 * (limit / 10).pow(truth) * exp(0.0245 * gaussian(random)), 1e5)
            val seen = elasticity(10.0, listOf(10.0, 20.0, 10.0, 20.0, 10.0).map(::slice))
            truth in checkNotNull(seen?.interval)
        }
        held / 2000.0 shouldBeGreaterThan 0.93
        held / 2000.0 shouldBeLessThan 0.99
    }

    /** The sum of twelve uniform numbers has variance 1. */
    private fun gaussian(random: SplittableRandom) = (1..12).sumOf { random.nextDouble() } - 6
}
