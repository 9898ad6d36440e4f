package bootdyno.engine.netty

import bootdyno.model.ThinkTime
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeGreaterThanOrEqual
import io.kotest.matchers.doubles.shouldBeLessThanOrEqual
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import java.util.SplittableRandom
import kotlin.time.Duration.Companion.seconds

class ThinkingTest {
    private fun seconds(draw: (SplittableRandom) -> Long): List<Double> =
        SplittableRandom(1).let { random -> List(200_000) { draw(random) / 1e9 } }

    private val exponential = ThinkTime.Exponential(2.seconds)
    private val uniform = ThinkTime.Uniform(1.seconds, 3.seconds)

    @Test
    fun `exponential times have their mean, also what is left of them`() {
        // Standard error of 200,000: 2 / √200,000 = 0.0045.
        seconds(exponential::nextNanos).average() shouldBe (2.0 plusOrMinus 0.02)
        seconds(exponential::restNanos).average() shouldBe (2.0 plusOrMinus 0.02)
        // A median of mean × ln 2.
        seconds(exponential::nextNanos).sorted()[100_000] shouldBe (1.386 plusOrMinus 0.03)
    }

    @Test
    fun `uniform times are in their range, and what is left of one has the mean square divided by twice the mean`() {
        val whole = seconds(uniform::nextNanos)
        whole.min() shouldBeGreaterThanOrEqual 1.0
        whole.max() shouldBeLessThanOrEqual 3.0
        whole.average() shouldBe (2.0 plusOrMinus 0.01)
        // E[X²] / 2 E[X] = ((1 + 3 + 9) / 3) / 4 = 13/12.
        seconds(uniform::restNanos).average() shouldBe (13.0 / 12 plusOrMinus 0.01)
    }
}
