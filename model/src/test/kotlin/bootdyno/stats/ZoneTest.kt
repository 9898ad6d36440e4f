package bootdyno.stats

import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.ints.shouldBeInRange
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class ZoneTest {
    private val zone = Zone(0.03)

    private fun spread(mean: Double, deviation: Double, n: Int) = Spread(mean, deviation, n, Scale.LOGARITHM)

    @Test
    fun `a ratio and its inverse lie on opposite sides`() {
        zone.sideOf(1.031) shouldBe Side.ABOVE
        zone.sideOf(1 / 1.031) shouldBe Side.BELOW
        zone.sideOf(1.029) shouldBe Side.WITHIN
        zone.sideOf(1 / 1.029) shouldBe Side.WITHIN
    }

    @Test
    fun `an interval lies within, beyond, or neither`() {
        zone.contains(Interval(0.98, 1.02)) shouldBe true
        zone.contains(Interval(0.98, 1.04)) shouldBe false
        zone.excludes(Interval(1.031, 1.2)) shouldBe true
        zone.excludes(Interval(0.8, 0.97)) shouldBe true
        zone.excludes(Interval(1.02, 1.2)) shouldBe false
        Interval(1.001, 1.2).sideOfOne() shouldBe Side.ABOVE
        Interval(0.8, 0.999).sideOfOne() shouldBe Side.BELOW
        Interval(0.9, 1.1).sideOfOne() shouldBe Side.WITHIN
    }

    // Half of the continuations are decided earlier than the expected interval: mean 0.03, deviation 0.05: √N × 0.03 > t × 0.05 from
    // N = 13 on (2.179 < 2.163 fails, N = 14: 2.160 < 2.245), 8 more than 6.
    @Test
    fun `the further samples are the median until the first decision`() {
        furtherSamples(spread(0.05, 0.05, 6), zone, 0.95) shouldBe 1
        furtherSamples(spread(0.03, 0.05, 6), zone, 0.95).shouldNotBeNull() shouldBeInRange 4..8
        furtherSamples(spread(0.0, 0.029559, 5), zone, 0.95).shouldNotBeNull() shouldBeInRange 1..2
    }

    @Test
    fun `no number of samples is named beyond 200, or for a single sample`() {
        furtherSamples(spread(0.0, 2.0, 6), Zone(0.01), 0.9999) shouldBe null
        furtherSamples(spread(0.5, Double.NaN, 1), zone, 0.95) shouldBe null
    }

    @Test
    fun `p is 5 percent exactly where the interval touches 1`() {
        // n = 4, t(0.975; 3) = 3.18245; standard error 0.01: half-width 0.0318245.
        pOfOne(spread(0.0318245, 0.02, 4)) shouldBe (0.05 plusOrMinus 1e-4)
        spread(0.0318245, 0.02, 4).estimate().interval.shouldNotBeNull().low shouldBe (1.0 plusOrMinus 1e-5)
        pOfOne(spread(-0.0318245, 0.02, 4)) shouldBe (0.05 plusOrMinus 1e-4)
    }

    // t(0.975; 5) = 2.5706: 2.5706 × 0.03 / √6 = 0.031483, e^… − 1 = 0.031984. 2 %: N = 11: 2.2281 × 0.03 / √11 = 0.020154,
    // 2.0359 %; N = 12: 2.2010 × 0.03 / √12 = 0.019061.
    @Test
    fun `the half width of so many samples, and the samples for a half width`() {
        halfWidth(6, 0.03) shouldBe (0.031984 plusOrMinus 1e-5)
        samplesFor(0.02, 0.03) shouldBe 12
        samplesFor(0.001, 1.0) shouldBe null
    }

    @Test
    fun `without noise everything but 1 itself is certain`() {
        pOfOne(spread(0.5, 0.0, 3)) shouldBe 0.0
        pOfOne(spread(0.0, 0.0, 3)) shouldBe 1.0
        pOfOne(spread(0.5, Double.NaN, 1)) shouldBe 1.0
    }
}
