package bootdyno.model

import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class PricesTest {
    @Test
    fun `an instance costs its CPUs and its memory, or its own price`() {
        val parts = Prices(cpuHour = 0.04, gibHour = 0.005)
        // 2 × 0.04 + 4 × 0.005
        parts.ofInstance(2.0, 4.0 * Bytes.GIB) shouldBe (0.10 plusOrMinus 1e-12)
        Prices(instanceHour = 0.25).ofInstance(null, null) shouldBe 0.25
    }

    @Test
    fun `a price of something unknown gives no cost`() {
        Prices(cpuHour = 0.04, gibHour = 0.005).ofInstance(2.0, null) shouldBe null
        Prices(cpuHour = 0.04).ofInstance(2.0, null) shouldBe 0.08
    }
}
