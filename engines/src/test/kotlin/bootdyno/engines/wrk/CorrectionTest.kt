package bootdyno.engines.wrk

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import kotlin.random.Random

class CorrectionTest {
    /** `stats_correct` of stats.c, line for line, on an array as wrk has it. */
    private fun correct(data: LongArray, max: Int, expected: Int) {
        for (n in expected * 2..max) {
            val count = data[n]
            var m = n - expected
            while (count != 0L && m > expected) {
                data[m] += count
                m -= expected
            }
        }
    }

    @Test
    fun `one stall of five cycles is one sample again`() {
        // 500 µs at a cycle of 100 µs: phantoms at 400, 300 and 200; at 100, the cycle itself, there is none.
        uncorrected(mapOf<Long, Long>(200L to 1, 300L to 1, 400L to 1, 500L to 1), 100) shouldBe mapOf(500L to 1L)
    }

    @Test
    fun `samples where phantoms fell are kept`() {
        uncorrected(mapOf<Long, Long>(100L to 7, 200L to 3, 300L to 1, 400L to 1, 500L to 1), 100) shouldBe
            mapOf(100L to 7L, 200L to 2L, 500L to 1L)
    }

    @Test
    fun `what was corrected comes back exactly, whatever it was`() {
        val random = Random(4)
        repeat(2000) { round ->
            val raw = LongArray(random.nextInt(2, 400)) { if (random.nextInt(4) == 0) random.nextLong(1, 1_000) else 0 }
            raw[random.nextInt(raw.size)] = 1
            val expected = random.nextInt(1, 450)
            val highest = raw.indices.last { raw[it] > 0 }
            val lowest = raw.indices.first { raw[it] > 0 }
            val data = raw.clone()
            correct(data, highest, expected)
            // wrk writes down what lies between its lowest and its highest sample.
            val printed = (lowest..highest).filter { data[it] > 0 }.associate { it.toLong() to data[it] }
            val truth = raw.indices.filter { raw[it] > 0 }.associate { it.toLong() to raw[it] }
            check(uncorrected(printed, expected.toLong()) == truth) { "round $round: cycle $expected, ${raw.toList()}" }
        }
    }

    @Test
    fun `without a cycle nothing was corrected`() {
        expectedMicros(durationMicros = 1_000_000, requests = 9, connections = 10) shouldBe null
        uncorrected(mapOf<Long, Long>(5L to 1), null) shouldBe mapOf(5L to 1L)
    }

    @Test
    fun `the cycle is wrk's integer arithmetic`() {
        // 1,199 / 400 = 2 requests a connection; 30,000,001 / 2 µs.
        expectedMicros(durationMicros = 30_000_001, requests = 1_199, connections = 400) shouldBe 15_000_000
    }

    @Test
    fun `what no correction can have made is refused`() {
        shouldThrow<IllegalArgumentException> { uncorrected(mapOf<Long, Long>(200L to 1, 300L to 2), 100) }.message shouldContain
            "1 samples at 200 µs"
    }
}
