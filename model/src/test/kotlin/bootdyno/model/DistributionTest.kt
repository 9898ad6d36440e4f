package bootdyno.model

import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import org.HdrHistogram.Histogram
import org.junit.jupiter.api.Test

class DistributionTest {
    private fun seen(vararg nanos: Long) = Distribution.of(Histogram(3).apply { nanos.forEach(::recordValue) })

    @Test
    fun `it keeps what was seen, from the shortest to the longest, and how often`() {
        val seen = seen(2_000, 10, 10, 1_500)
        seen.map { nanos, count -> nanos to count } shouldContainExactly listOf(10L to 2L, 1_500L to 1L, 2_000L to 1L)
        seen.count shouldBe 4
        seen.sum shouldBe 3_520.0
    }

    @Test
    fun `it counts what took no time, and the longest time of all`() {
        seen(0, 0, 7).map { nanos, count -> nanos to count } shouldContainExactly listOf(0L to 2L, 7L to 1L)
        seen(7, Long.MAX_VALUE).map { _, count -> count } shouldContainExactly listOf(1L, 1L)
    }

    @Test
    fun `a bucket stands for its middle`() {
        // At 500 ms of nanoseconds three digits leave buckets of 2^18 ns.
        val (nanos) = seen(500_000_000).map { nanos, _ -> nanos.toDouble() }
        nanos shouldBe (500_000_000.0 plusOrMinus 131_072.0)
        nanos / 262_144 % 1 shouldBe 0.5
    }

    @Test
    fun `of nothing it is empty, and of the same the same`() {
        seen().count shouldBe 0
        seen().map { nanos, _ -> nanos } shouldBe emptyList()
        seen(1, 2) shouldBe seen(2, 1)
        seen(1, 2) shouldNotBe seen(1, 2, 2)
        seen(1) shouldNotBe seen(2)
    }
}
