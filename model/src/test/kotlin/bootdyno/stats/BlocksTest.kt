package bootdyno.stats

import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeBetween
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import java.util.Random
import kotlin.math.exp

class BlocksTest {
    private fun blocks(vararg blocks: List<Double>) = blocks.flatMapIndexed { block, values -> values.map { Sample(it, block) } }

    private fun spread(samples: List<Sample>, scale: Scale = Scale.PLAIN) = spreadOfBlocks(samples, scale).shouldNotBeNull()

    @Test
    fun `one block is judged as without blocks`() {
        val values = listOf(3.0, 5.0, 4.0, 8.0)
        for (scale in Scale.entries) spread(values.map { Sample(it, block = 7) }, scale) shouldBe spreadOf(values, scale)
    }

    @Test
    fun `blocks of one sample each are judged as without blocks, because samples and blocks differ alike`() {
        val values = listOf(3.0, 5.0, 4.0, 8.0)
        for (scale in Scale.entries) {
            spread(values.mapIndexed { index, it -> Sample(it, index) }, scale) shouldBe spreadOf(values, scale)
        }
    }

    // Means 102, 105 and 111; mean squares 63 between and 1 within; F(2, 6) = 63 has p = (1 + 2 · 63 / 6)^-3 = 1 / 10,648.
    private val far = blocks(listOf(101.0, 102.0, 103.0), listOf(104.0, 105.0, 106.0), listOf(110.0, 111.0, 112.0))

    @Test
    fun `with equally many samples in each block the interval is Student's over the means of the blocks`() {
        val found = spread(far).estimate()
        val ofMeans = spreadOf(listOf(102.0, 105.0, 111.0), Scale.PLAIN).shouldNotBeNull().estimate()
        found.value shouldBe (ofMeans.value plusOrMinus 1e-9)
        found.interval.shouldNotBeNull().low shouldBe (ofMeans.interval.shouldNotBeNull().low plusOrMinus 1e-9)
        found.interval.shouldNotBeNull().high shouldBe (ofMeans.interval.shouldNotBeNull().high plusOrMinus 1e-9)
        found.n shouldBe 9
    }

    @Test
    fun `the differences between blocks are those of the analysis of variance`() {
        val between = spread(far).between.shouldNotBeNull()
        between.deviation * between.deviation shouldBe ((63.0 - 1.0) / 3 plusOrMinus 1e-9)
        between.p shouldBe (1 / 10_648.0 plusOrMinus 1e-9)
    }

    @Test
    fun `equal blocks do not differ, and equal samples have no spread`() {
        val equal = spread(blocks(listOf(1.0, 3.0), listOf(1.0, 3.0), listOf(3.0, 1.0)))
        equal.between shouldBe Between(0.0, 1.0)
        val constant = spread(blocks(listOf(2.0, 2.0), listOf(2.0)))
        constant.between shouldBe Between(0.0, 1.0)
        constant.deviation shouldBe 0.0
        constant.mean shouldBe 2.0
    }

    @Test
    fun `a block of many samples weighs more only as far as blocks do not differ`() {
        val noisy = spread(blocks(listOf(90.0, 110.0, 95.0, 105.0), listOf(103.0)))
        noisy.mean shouldBe (100.6 plusOrMinus 1e-9)
        val apart = spread(blocks(listOf(99.0, 101.0, 100.0, 100.0), listOf(200.0)))
        apart.mean shouldBeGreaterThan 149.0
        apart.mean shouldBeLessThan 150.0
    }

    private fun coverage(sizes: List<Int>, differ: Double): Double {
        val random = Random(20_261_123)
        return (1..10_000).count {
            val samples = sizes.flatMapIndexed { block, size ->
                val own = differ * random.nextGaussian()
                List(size) { Sample(1.1 * exp(own + 0.03 * random.nextGaussian()), block) }
            }
            1.1 in spread(samples, Scale.LOGARITHM).estimate().interval.shouldNotBeNull()
        } / 10_000.0
    }

    @Test
    fun `the interval covers the truth 95 percent of the time, whether blocks differ or not`() {
        val several = listOf(listOf(3, 3), List(4) { 2 }, List(6) { 1 }, listOf(3, 3, 2, 2, 1, 1), List(6) { 5 })
        for (sizes in several) {
            for (differ in listOf(0.0, 0.02, 0.1)) coverage(sizes, differ).shouldBeBetween(0.94, 0.965, 0.0)
        }
    }
}
