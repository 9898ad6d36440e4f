package bootdyno.stats

import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import kotlin.math.sqrt

class ModeratedTest {
    private fun spread(deviation: Double, n: Int = 6, scale: Scale = Scale.LOGARITHM) = Spread(0.1, deviation, n, scale)

    // Variances 1 and 4, mean 2.5: (5 × 1 + 3 × 2.5) / 8 = 1.5625, (5 × 4 + 3 × 2.5) / 8 = 3.4375.
    @Test
    fun `a variance moves towards the mean of the family by three of eight degrees`() {
        val pooled = pooledVariance(listOf(spread(1.0), spread(2.0))).shouldNotBeNull()
        pooled shouldBe (2.5 plusOrMinus 1e-12)
        spread(1.0).moderated(pooled).deviation shouldBe (sqrt(1.5625) plusOrMinus 1e-12)
        spread(2.0).moderated(pooled).deviation shouldBe (sqrt(3.4375) plusOrMinus 1e-12)
        spread(1.0).moderated(pooled).freedom shouldBe 8.0
    }

    // 100 is more than 4 × 1: (5 × 1 + 3 × 4) / 8 = 2.125.
    @Test
    fun `a quiet member borrows at most four times its own variance`() {
        spread(1.0).moderated(100.0).deviation shouldBe (sqrt(2.125) plusOrMinus 1e-12)
        spread(0.0).moderated(100.0).deviation shouldBe 0.0
    }

    @Test
    fun `three samples, a single member and the plain scale borrow nothing`() {
        spread(1.0, n = 3).moderated(100.0) shouldBe spread(1.0, n = 3)
        spread(1.0, scale = Scale.PLAIN).moderated(100.0) shouldBe spread(1.0, scale = Scale.PLAIN)
        spread(1.0).moderated(null) shouldBe spread(1.0)
        pooledVariance(listOf(spread(1.0), spread(Double.NaN, n = 1), spread(2.0, scale = Scale.PLAIN))) shouldBe null
    }

    // n = 4 borrows with one degree: (3 × 1 + 1 × 2) / 4.
    @Test
    fun `a few more samples than three borrow a little`() {
        spread(1.0, n = 4).moderated(2.0).deviation shouldBe (sqrt(1.25) plusOrMinus 1e-12)
    }
}
