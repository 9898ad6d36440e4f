package bootdyno.stats

import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import kotlin.math.exp
import kotlin.math.sqrt

class RobustTest {
    @Test
    fun `the median is the middle, or the mean of the two in the middle`() {
        median(listOf(9.0, 1.0, 2.0)) shouldBe 2.0
        median(listOf(9.0, 1.0, 2.0, 4.0)) shouldBe 3.0
    }

    // 1, 1, 2, 2, 4, 6, 9: median 2; distances 1, 1, 0, 0, 2, 4, 7 with median 1.
    @Test
    fun `one wild value does not move the median deviation`() {
        medianAbsoluteDeviation(listOf(1.0, 1.0, 2.0, 2.0, 4.0, 6.0, 9.0)) shouldBe (1.4826 plusOrMinus 1e-9)
        medianAbsoluteDeviation(listOf(1.0, 1.0, 2.0, 2.0, 4.0, 6.0, 9e9)) shouldBe (1.4826 plusOrMinus 1e-9)
    }

    // Logarithms −2 to 5 around 0.7, all but two near it: of eight, two are left out at each end. Winsorized they are 0.6, 0.6, 0.6, 0.7, 0.7, 0.8, 0.8,
    // 0.8 with a standard deviation of √(0.06 / 7); the error is that × √8 / 4, and Student's quantile of three degrees of freedom is 3.182.
    @Test
    fun `a trimmed mean and its interval do not move with values far off`() {
        fun trimmed(low: Double, high: Double) =
            trimmedMean(listOf(0.7, low, 0.6, 0.8, 0.7, high, 0.6, 0.8).map { exp(it) }).shouldNotBeNull()

        val found = trimmed(-2.0, 5.0)

        found.value shouldBe (exp(0.7) plusOrMinus 1e-9)
        val half = 3.18245 * sqrt(0.06 / 7) * sqrt(8.0) / 4
        found.interval.shouldNotBeNull().low shouldBe (exp(0.7 - half) plusOrMinus 1e-5)
        found shouldBe trimmed(-200.0, 500.0)
    }

    @Test
    fun `too few values, and a zero, have no trimmed mean`() {
        trimmedMean(List(5) { 1.0 + it }).shouldBeNull()
        trimmedMean(List(6) { it.toDouble() }).shouldBeNull()
    }
}
