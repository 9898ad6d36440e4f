package bootdyno.stats

import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class LineTest {
    private fun points(vararg ys: Double) = ys.mapIndexed { x, y -> Point(x + 1.0, y) }

    // x 1..5, y 2 4 5 4 5: Sxy = 6, Sxx = 10, slope 0.6, intercept 2.2, residual squares 2.4, error √(0.8/10) = 0.2828,
    // t = 2.1213 with 3 degrees; P(T > t) = 1/2 − (atan(x) + x/(1+x²))/π with x = t/√3 = 1.2247: 0.0620, two-sided 0.1240.
    @Test
    fun `slope, intercept and p are those worked out by hand`() {
        val line = lineThrough(points(2.0, 4.0, 5.0, 4.0, 5.0)).shouldNotBeNull()
        line.slope shouldBe (0.6 plusOrMinus 1e-12)
        line.intercept shouldBe (2.2 plusOrMinus 1e-12)
        line.at(10.0) shouldBe (8.2 plusOrMinus 1e-12)
        line.p shouldBe (0.1240 plusOrMinus 5e-4)
    }

    @Test
    fun `a perfect line is certain and a flat one is none`() {
        lineThrough(points(1.0, 3.0, 5.0)).shouldNotBeNull().p shouldBeLessThan 1e-6
        lineThrough(points(4.0, 4.0, 4.0)).shouldNotBeNull().p shouldBe 1.0
    }

    @Test
    fun `two points or one place make no line`() {
        lineThrough(points(1.0, 2.0)) shouldBe null
        lineThrough(List(4) { Point(1.0, it.toDouble()) }) shouldBe null
    }
}
