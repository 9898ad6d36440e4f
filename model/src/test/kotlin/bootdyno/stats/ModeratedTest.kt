package bootdyno.stats

import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import kotlin.math.sqrt

class ModeratedTest {
    private fun spread(deviation: Double, n: Int = 6, scale: Scale = Scale.LOGARITHM) = Spread(0.1, deviation, n, scale)

    // Variances 1 and 4, mean 2.5: (5 × 1 + 3 × 2.5) / 8 = 1.5625, (5 × 4 + 3 × 2.5) / 8 = 3.4375 < 4. The noisier one is four times as noisy as
    // the other: it gets a quarter of the 2.191 degrees.
    @Test
    fun `a small variance moves towards the mean of the family by three of eight degrees, a large one stays`() {
        val family = pooled(listOf(spread(1.0), spread(2.0))).shouldNotBeNull()
        family.variance shouldBe (2.5 plusOrMinus 1e-12)
        spread(1.0).moderated(family).deviation shouldBe (sqrt(1.5625) plusOrMinus 1e-12)
        spread(2.0).moderated(family).deviation shouldBe (2.0 plusOrMinus 1e-12)
        spread(2.0).moderated(family).freedom shouldBe (5 + 2.191 / 4 plusOrMinus 0.001)
    }

    // Weights 5/8 + 3/16 and 3/16: 5 / (0.8125² + 0.1875²) = 7.191. Of many members nearly 5 / 0.625² = 12.8, more than 5 + 3.
    @Test
    fun `the degrees of freedom grow with the family, up to three more`() {
        spread(1.0).moderated(Pooled(1.0, 2)).freedom shouldBe (7.191 plusOrMinus 0.001)
        spread(1.0).moderated(Pooled(1.0, 100)).freedom shouldBe (8.0 plusOrMinus 1e-9)
    }

    // 100 is more than 4 × 1: (5 × 1 + 3 × 4) / 8 = 2.125.
    @Test
    fun `a quiet member borrows at most four times its own variance`() {
        spread(1.0).moderated(Pooled(100.0, 9)).deviation shouldBe (sqrt(2.125) plusOrMinus 1e-12)
        spread(0.0).moderated(Pooled(100.0, 9)).deviation shouldBe 0.0
    }

    @Test
    fun `three samples, a single member and the plain scale borrow nothing`() {
        spread(1.0, n = 3).moderated(Pooled(100.0, 9)) shouldBe spread(1.0, n = 3)
        spread(1.0, scale = Scale.PLAIN).moderated(Pooled(100.0, 9)) shouldBe spread(1.0, scale = Scale.PLAIN)
        spread(1.0).moderated(null) shouldBe spread(1.0)
        pooled(listOf(spread(1.0), spread(Double.NaN, n = 1), spread(2.0, scale = Scale.PLAIN))) shouldBe null
    }

    // n = 4 borrows with one degree: (3 × 1 + 1 × 2) / 4.
    @Test
    fun `a few more samples than three borrow a little`() {
        spread(1.0, n = 4).moderated(Pooled(2.0, 9)).deviation shouldBe (sqrt(1.25) plusOrMinus 1e-12)
    }
}
