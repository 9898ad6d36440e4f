package bootdyno.engine.netty

import bootdyno.model.Arrivals
import bootdyno.model.LoadProfile
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldBeSorted
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import org.junit.jupiter.api.Test
import java.util.function.LongSupplier
import kotlin.math.sqrt

class ScheduleTest {
    private fun constant(perSecond: Double) = Schedule(LoadProfile.Open(perSecond), seed = 1)

    private fun poisson(perSecond: Double, seed: Long) = Schedule(LoadProfile.Open(perSecond, Arrivals.POISSON), seed)

    private fun LongSupplier.take(count: Int): List<Long> = List(count) { asLong }

    @Test
    fun `a constant rate of 500 a second is due every 2 ms from 0`() {
        constant(500.0).times().take(4) shouldBe listOf(0L, 2_000_000L, 4_000_000L, 6_000_000L)
    }

    @Test
    fun `a rate that does not divide a second does not drift`() {
        // 3 a second: the 3,000,001st send is due after exactly 1,000,000 s.
        val times = constant(3.0).times()
        repeat(3_000_000) { times.asLong }
        times.asLong shouldBe 1_000_000L * 1_000_000_000L
    }

    @Test
    fun `a rate below one a second is possible`() {
        constant(0.5).times().take(3) shouldBe listOf(0L, 2_000_000_000L, 4_000_000_000L)
    }

    @Test
    fun `poisson gaps have the mean and the spread of an exponential`() {
        // Exponential: mean = standard deviation = 1/rate = 1 ms. Standard error of the mean of 100,000 gaps: 0.32 %.
        val times = poisson(1000.0, seed = 7).times().take(100_001)
        times.shouldBeSorted()
        val gaps = times.zipWithNext { a, b -> (b - a) / 1e6 }
        val mean = gaps.average()
        mean shouldBe (1.0 plusOrMinus 0.015)
        sqrt(gaps.sumOf { (it - mean) * (it - mean) } / gaps.size) shouldBe (1.0 plusOrMinus 0.03)
        // P(gap > 1 ms) = 1/e = 0.3679
        gaps.count { it > 1.0 } / 1e5 shouldBe (0.3679 plusOrMinus 0.008)
    }

    @Test
    fun `the same seed gives the same times and another seed others`() {
        poisson(100.0, seed = 3).times().take(50) shouldBe poisson(100.0, seed = 3).times().take(50)
        poisson(100.0, seed = 3).times().take(50) shouldNotBe poisson(100.0, seed = 4).times().take(50)
    }

    @Test
    fun `the parts of three senders together are the whole`() {
        val schedule = poisson(100.0, seed = 3)
        val parts = (0 until 3).flatMap { schedule.part(it, 3).take(20) }
        parts.sorted() shouldBe schedule.times().take(60)
    }

    @Test
    fun `a rate of zero and a sender out of range are refused`() {
        shouldThrow<IllegalArgumentException> { constant(0.0) }
        shouldThrow<IllegalArgumentException> { constant(1.0).part(2, 2) }
    }
}
