package bootdyno.bench

import io.kotest.assertions.withClue
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.doubles.shouldBeLessThan
import org.junit.jupiter.api.Test

class RobustTableTest {
    private fun found(truth: Double, slow: Double = 0.0, low: Double = 0.0) = Outliers("", truth, slow, low).found(1000)

    @Test
    fun `the trimmed mean finds most where one trial in eight is at half speed, and hardly errs`() {
        val shares = found(1.08, slow = 1 / 8.0)
        val best = shares.getValue(RatioMethod.TRIMMED)
        best shouldBeGreaterThan 0.45
        (shares - RatioMethod.TRIMMED).forEach { (method, share) -> withClue(method) { share shouldBeLessThan best } }
        found(1.0).forEach { (method, share) -> withClue(method) { share shouldBeLessThan 0.09 } }
        found(1.0, slow = 1 / 8.0).getValue(RatioMethod.TRIMMED) shouldBeLessThan 0.06
    }

    @Test
    fun `a candidate of two states is called different in 6 percent of runs at most, and 5 percent are found as well`() {
        found(1.0, low = 0.3).getValue(RatioMethod.DECLARED) shouldBeLessThan 0.06
        val shares = found(1.05)
        shares.getValue(RatioMethod.DECLARED) shouldBeGreaterThan shares.getValue(RatioMethod.STUDENT) - 0.07
    }
}
