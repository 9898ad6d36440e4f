package bootdyno.report

import bootdyno.stats.Estimate
import bootdyno.stats.Interval
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class ColumnsTest {
    @Test
    fun `a point and its bounds have the same decimals`() {
        val near = Estimate(1.004, Interval(0.991, 1.016), 6)
        point(near) shouldBe "1.004"
        range(near) shouldBe "[0.991, 1.016]"
        range(Estimate(1.0, null, 1)) shouldBe null
    }

    @Test
    fun `bounds of different magnitudes are not shown as a figure`() {
        val wide = Estimate(0.3534, Interval(0.0070, 17.7413), 2)
        point(wide) shouldBe "0.353"
        intervalWords(wide) shouldBe "no useful interval"
        range(wide) shouldBe "(no useful interval)"
    }

    @Test
    fun `the interval beside a throughput is its wider side in per cent`() {
        plusMinus(Estimate(200.0, Interval(196.0, 206.0), 6)) shouldBe "±3.0 %"
        plusMinus(Estimate(200.0, Interval(199.9, 200.1), 6)) shouldBe "±<0.1 %"
        // Of two rounds that differ by a third.
        plusMinus(Estimate(202.0, Interval(0.04, 1_150_000.0), 2)) shouldBe "±?"
    }

    @Test
    fun `an axis ends on a round number at or above the largest value`() {
        mapOf(0.31 to 0.4, 1.0 to 1.0, 8.1 to 10.0, 790.0 to 800.0, 11.0 to 15.0, 0.0 to 1.0).forEach { (value, end) ->
            number(roundUp(value)) shouldBe number(end)
        }
    }
}
