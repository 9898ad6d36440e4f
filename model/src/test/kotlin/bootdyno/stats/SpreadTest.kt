package bootdyno.stats

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import kotlin.math.exp

class SpreadTest {
    // 10, 12, 14: mean 12, deviation 2, standard error 2/√3 = 1.1547; t(0.975; 2) = 4.3027 in any table; 4.3027 × 1.1547 =
    // 4.9683.
    @Test
    fun `a plain mean has the interval of the textbook`() {
        val estimate = plainMean(listOf(10.0, 12.0, 14.0)).shouldNotBeNull()
        estimate.value shouldBe 12.0
        estimate.n shouldBe 3
        val interval = estimate.interval.shouldNotBeNull()
        interval.low shouldBe (7.0317 plusOrMinus 1e-4)
        interval.high shouldBe (16.9683 plusOrMinus 1e-4)
    }

    // Logarithms 0, 0.1, 0.2: mean 0.1, deviation 0.1, half-width 4.3027 × 0.1/√3 = 0.24842.
    @Test
    fun `a mean on the logarithm is transformed back`() {
        val estimate = logMean(listOf(1.0, exp(0.1), exp(0.2))).shouldNotBeNull()
        estimate.value shouldBe (exp(0.1) plusOrMinus 1e-9)
        val interval = estimate.interval.shouldNotBeNull()
        interval.low shouldBe (exp(0.1 - 0.24842) plusOrMinus 1e-4)
        interval.high shouldBe (exp(0.1 + 0.24842) plusOrMinus 1e-4)
    }

    @Test
    fun `a plain interval of what cannot be negative stops at 0`() {
        plainMean(listOf(0.0, 0.0, 3.0)).shouldNotBeNull().interval.shouldNotBeNull().low shouldBe 0.0
    }

    @Test
    fun `one sample has no interval and none has no estimate`() {
        logMean(listOf(5.0))?.interval shouldBe null
        logMean(listOf(5.0))?.value.shouldNotBeNull() shouldBe (5.0 plusOrMinus 1e-12)
        logMean(emptyList()) shouldBe null
    }

    @Test
    fun `a zero among the samples moves the mean to the plain scale and is refused on the logarithm`() {
        meanOf(listOf(0.0, 2.0))?.value shouldBe 1.0
        meanOf(listOf(1.0, 4.0))?.value.shouldNotBeNull() shouldBe (2.0 plusOrMinus 1e-12)
        shouldThrow<IllegalArgumentException> { logMean(listOf(0.0, 2.0)) }.message shouldBe "no logarithm of 0.0"
    }

    @Test
    fun `a wider level gives a wider interval`() {
        val samples = listOf(10.0, 12.0, 14.0)
        // t(0.995; 2) = 9.9248; × 1.1547 = 11.4602
        plainMean(samples, 0.99)?.interval.shouldNotBeNull().high shouldBe (23.4602 plusOrMinus 1e-3)
    }
}
