package bootdyno.stats

import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

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
}
