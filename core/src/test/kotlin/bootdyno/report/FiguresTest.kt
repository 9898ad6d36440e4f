package bootdyno.report

import bootdyno.stats.Estimate
import bootdyno.stats.Interval
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class FiguresTest {
    @Test
    fun `three significant digits with thousands apart`() {
        mapOf(
            0.0 to "0", 0.05 to "0.0500", 1.0 to "1.00", 7.7 to "7.70", 19.64 to "19.6", 99.96 to "100", 779.4 to "779",
            999.6 to "1,000",
            11_904.0 to "11,900", 1_234_567.0 to "1,230,000", -3.14159 to "-3.14", Double.NaN to "–",
        ).forEach { (value, text) -> significant(value) shouldBe text }
    }

    @Test
    fun `a point and its bounds have the same decimals`() {
        val near = Estimate(1.004, Interval(0.991, 1.016), 6)
        point(near) shouldBe "1.004"
        range(near) shouldBe "[0.991, 1.016]"
        val wide = Estimate(1.0, Interval(0.0012, 2.0), 6)
        range(wide) shouldBe "[0.001, 2.000]"
        range(Estimate(1.0, null, 1)) shouldBe null
    }

    @Test
    fun `the interval beside a throughput is its wider side in per cent`() {
        plusMinus(Estimate(200.0, Interval(196.0, 206.0), 6)) shouldBe "±3.0 %"
        plusMinus(Estimate(200.0, Interval(199.9, 200.1), 6)) shouldBe "±<0.1 %"
    }

    @Test
    fun `times and sizes are said in the unit people use`() {
        time(506.2) shouldBe "506 ms"
        time(29_100.0) shouldBe "29.1 s"
        size(1_073_741_824) shouldBe "1 GiB"
        size(536_870_912) shouldBe "512 MiB"
        percent(0.24) shouldBe "24 %"
        percent(0.0004) shouldBe "<0.1 %"
    }

    @Test
    fun `an axis ends on a round number at or above the largest value`() {
        mapOf(0.31 to 0.4, 1.0 to 1.0, 8.1 to 10.0, 790.0 to 800.0, 11.0 to 15.0, 0.0 to 1.0).forEach { (value, end) ->
            number(roundUp(value)) shouldBe number(end)
        }
    }
}
