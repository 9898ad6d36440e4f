package bootdyno.rules

import io.kotest.assertions.withClue
import io.kotest.matchers.comparables.shouldBeLessThanOrEqualTo
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import kotlin.math.abs

class CapacitySearchTest {
    /** Every rate that a search tries of a subject that meets the objective below [capacity], a step. */
    private fun search(start: Int, capacity: Int, measurable: Int = Int.MAX_VALUE): List<TriedRate> {
        val tried = mutableListOf<TriedRate>()
        while (true) {
            val step = nextStep(start, tried) ?: return tried
            tried += TriedRate(step, if (step > measurable) null else step < capacity)
        }
    }

    @Test
    fun `a search ends between two neighbouring rates, wherever the capacity is within a tenfold of the start`() {
        for (capacity in 200..400) {
            val tried = search(start = 300, capacity)
            withClue(capacity) {
                tried.size shouldBeLessThanOrEqualTo 11
                tried.distinct().size shouldBe tried.size
                tried.filter { it.met == true }.maxOf { it.step } shouldBe capacity - 1
                tried.filter { it.met == false }.minOf { it.step } shouldBe capacity
            }
        }
    }

    @Test
    fun `a search that begins where the last one ended takes three rates`() {
        search(start = 299, capacity = 300).size shouldBe 3
        search(start = 300, capacity = 300).size shouldBe 3
    }

    @Test
    fun `a search without an end stops after six rates`() {
        search(start = 300, capacity = 1_000).map { it.met } shouldBe List(6) { true }
        search(start = 300, capacity = 0).map { it.met } shouldBe List(6) { false }
    }

    @Test
    fun `a rate that the load generator cannot offer twice is the upper end of a search`() {
        val tried = search(start = 300, capacity = 1_000, measurable = 306)
        tried.filter { it.met == true }.maxOf { it.step } shouldBe 306
        tried.filter { it.met == null }.map { it.step }.takeLast(2) shouldBe listOf(307, 307)
    }

    @Test
    fun `a rate that the load generator offers the second time counts as that`() {
        val tried = listOf(TriedRate(300, true), TriedRate(302, null))
        nextStep(300, tried) shouldBe 302
        nextStep(300, tried + TriedRate(302, true)) shouldBe 312
        nextStep(300, tried + TriedRate(302, false)) shouldBe 301
    }

    @Test
    fun `rates have three digits, are at most 3 percent apart, and are found again`() {
        searchRate(230) shouldBe 200.0
        for (step in -100..500) {
            searchStep(searchRate(step)) shouldBe step
            abs(searchRate(step + 1) / searchRate(step) - 1.0233) shouldBe (0.0 plusOrMinus 0.01)
        }
    }
}
