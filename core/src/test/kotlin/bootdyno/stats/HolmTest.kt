package bootdyno.stats

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class HolmTest {
    // Sorted 0.005, 0.01, 0.03, 0.04 times 4, 3, 2, 1: 0.02, 0.03, 0.06, 0.04; the last may not fall below 0.06.
    @Test
    fun `each p is multiplied by what is left of the family and never overtakes`() {
        val adjusted = holm(listOf(0.01, 0.04, 0.03, 0.005))
        listOf(0.03, 0.06, 0.06, 0.02).zip(adjusted).forEach { (expected, seen) ->
            seen.adjusted shouldBe
                (expected plusOrMinus 1e-12)
        }
        adjusted.map { it.factor } shouldBe listOf(3, 1, 2, 4)
    }

    @Test
    fun `no p exceeds 1 and an empty family is empty`() {
        holm(listOf(0.9, 0.8)).map { it.adjusted } shouldBe listOf(1.0, 1.0)
        holm(emptyList()).shouldBeEmpty()
    }
}
