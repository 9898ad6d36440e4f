package bootdyno.stats

import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class RatioTest {
    @Test
    fun `what the halves of a block share cancels`() {
        val estimate = ratioOf(listOf(Paired(20.0, 10.0), Paired(200.0, 100.0), Paired(2.0, 1.0))).shouldNotBeNull().estimate()
        estimate.value shouldBe (2.0 plusOrMinus 1e-12)
        estimate.interval.shouldNotBeNull().low shouldBe (2.0 plusOrMinus 1e-9)
        estimate.interval.shouldNotBeNull().high shouldBe (2.0 plusOrMinus 1e-9)
    }

    @Test
    fun `swapping the halves inverts ratio and interval`() {
        val pairs = listOf(Paired(21.0, 10.0), Paired(19.0, 11.0), Paired(20.0, 9.0))
        val there = ratioOf(pairs).shouldNotBeNull().estimate()
        val back = ratioOf(pairs.map { Paired(it.denominator, it.numerator) }).shouldNotBeNull().estimate()
        back.value shouldBe (1 / there.value plusOrMinus 1e-12)
        back.interval.shouldNotBeNull().low shouldBe (1 / there.interval.shouldNotBeNull().high plusOrMinus 1e-12)
    }

    @Test
    fun `a numerator of 0 counts and a denominator of 0 does not`() {
        val spread = ratioOf(listOf(Paired(0.0, 10.0), Paired(10.0, 10.0), Paired(5.0, 0.0))).shouldNotBeNull()
        spread.n shouldBe 2
        spread.point shouldBe 0.5
        ratioOf(listOf(Paired(1.0, 0.0))) shouldBe null
    }
}
