package bootdyno.subjects.downstream

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeGreaterThanOrEqual
import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import java.util.SplittableRandom

class DistributionTest {
    private fun waits(distribution: Distribution, seed: Long = 1) =
        SplittableRandom(seed).let { random -> List(DRAWS) { distribution.draw(2000.0, random) } }

    /** The widest, log-normal, has a standard deviation of √(e − 1) = 1.31 means: of 200,000 draws the mean is within 0.3 %. */
    @Test
    fun `every distribution waits its mean on average, and never less than nothing`() {
        Distribution.entries.forEach { distribution ->
            withClue(distribution) {
                waits(distribution).average() shouldBe (2000.0 plusOrMinus 20.0)
                waits(distribution).min() shouldBeGreaterThanOrEqual 0.0
            }
        }
    }

    @Test
    fun `uniform waits lie between nothing and twice the mean, a quarter of them below half of it`() {
        waits(Distribution.UNIFORM).max() shouldBeLessThan 4000.0
        shareBelow(waits(Distribution.UNIFORM), 1000.0) shouldBe (0.25 plusOrMinus 0.005)
    }

    @Test
    fun `fixed waits are the mean`() {
        waits(Distribution.FIXED).distinct().shouldContainExactly(2000.0)
    }

    /** 1 − e^−1 of them are below the mean. */
    @Test
    fun `63 in a hundred exponential waits are shorter than the mean`() {
        shareBelow(waits(Distribution.EXPONENTIAL), 2000.0) shouldBe (0.632 plusOrMinus 0.005)
    }

    /** The median is e^−½ = 0.607 of the mean; 99 % are below e^(2.326 − ½) = 6.21 means. */
    @Test
    fun `log-normal waits have the median and the long tail of a sigma of one`() {
        shareBelow(waits(Distribution.LOG_NORMAL), 0.607 * 2000) shouldBe (0.5 plusOrMinus 0.005)
        shareBelow(waits(Distribution.LOG_NORMAL), 6.21 * 2000) shouldBe (0.99 plusOrMinus 0.001)
    }

    @Test
    fun `one bimodal wait in ten takes ten times as long as the others`() {
        val (short, long) = waits(Distribution.BIMODAL).distinct().sorted()
        long / short shouldBe (10.0 plusOrMinus 1e-9)
        shareBelow(waits(Distribution.BIMODAL), long) shouldBe (0.9 plusOrMinus 0.005)
    }

    @Test
    fun `the same seed draws the same waits, another seed others`() {
        Distribution.entries.filter { it != Distribution.FIXED }.forEach {
            (waits(it, 7) == waits(it, 7)) shouldBe true
            (waits(it, 7) == waits(it, 8)) shouldBe false
        }
    }

    @Test
    fun `a word that is no distribution is refused with those there are`() {
        Distribution.named("log-normal") shouldBe Distribution.LOG_NORMAL
        shouldThrow<IllegalArgumentException> { Distribution.named("normal") }.message shouldContain
            "uniform, fixed, exponential, log-normal, bimodal"
    }

    private fun shareBelow(waits: List<Double>, limit: Double) = waits.count { it < limit }.toDouble() / waits.size

    private companion object {
        const val DRAWS = 200_000
    }
}
