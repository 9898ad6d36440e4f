package bootdyno.stats

import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.ints.shouldBeInRange
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import kotlin.math.sqrt

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
        val rule = RatioRule(zone, 0.05)
        furtherSamples(spread(0.05, 0.05, 6), rule) shouldBe 1
        furtherSamples(spread(0.03, 0.05, 6), rule).shouldNotBeNull() shouldBeInRange 4..8
        furtherSamples(spread(0.0, 0.029559, 5), rule).shouldNotBeNull() shouldBeInRange 1..2
    }

    @Test
    fun `no number of samples is named beyond 200, or for a single sample`() {
        furtherSamples(spread(0.0, 2.0, 6), RatioRule(Zone(0.01), 0.0001)) shouldBe null
        furtherSamples(spread(0.5, Double.NaN, 1), RatioRule(zone, 0.05)) shouldBe null
        // 2.5758, the least quantile, × 0.0326 / √12 = 0.0242: what rounding leaves open stays.
        furtherSamples(spread(0.0227, 0.0, 3).copy(step = 0.0326), RatioRule(Zone(0.01), 0.01)) shouldBe null
    }

    // With the noise of 0.05 no continuation from 0 is decided by 8 samples of 8.
    @Test
    fun `no number of samples is named beyond the last look`() {
        furtherSamples(spread(0.0, 0.05, 6), RatioRule(zone, 0.05, Looks(6, 8))) shouldBe null
        furtherSamples(spread(0.05, 0.02, 6), RatioRule(zone, 0.05, Looks(6, 8))) shouldBe 1
    }

    // n = 6, standard error 0.01, t(0.95; 5) = 2.0150: 0.02 + 0.02015 = 0.04015, e^… − 1 = 0.040967.
    @Test
    fun `the largest possible difference is the farther end of the 90 percent interval`() {
        RatioRule(zone, 0.05).most(spread(-0.02, 0.01 * sqrt(6.0), 6)).shouldNotBeNull() shouldBe (0.040967 plusOrMinus 1e-5)
        RatioRule(zone, 0.05).most(spread(0.5, Double.NaN, 1)) shouldBe null
    }

    @Test
    fun `p is 5 percent exactly where the interval touches 1`() {
        // n = 4, t(0.975; 3) = 3.18245; standard error 0.01: half-width 0.0318245.
        pOfOne(spread(0.0318245, 0.02, 4)) shouldBe (0.05 plusOrMinus 1e-4)
        spread(0.0318245, 0.02, 4).estimate().interval.shouldNotBeNull().low shouldBe (1.0 plusOrMinus 1e-5)
        pOfOne(spread(-0.0318245, 0.02, 4)) shouldBe (0.05 plusOrMinus 1e-4)
    }

    // t(0.975; 5) + t(0.8; 5) = 2.5706 + 0.9195: 3.4901 × 0.03 / √6 = 0.042745, e^… − 1 = 0.043672. 2 %: N = 19: (2.1009 + 0.8620) × 0.03 / √19 =
    // 0.020392; N = 20: (2.0930 + 0.8610) × 0.03 / √20 = 0.019816, 2.0014 %; N = 21: 0.01926.
    @Test
    fun `the difference that so many samples find in 80 percent, and the samples for a difference`() {
        foundBy(6, 0.03, 0.05) shouldBe (0.043672 plusOrMinus 1e-5)
        samplesFor(0.02, 0.03, 0.05) shouldBe 21
        samplesFor(0.001, 1.0, 0.05) shouldBe null
    }

    @Test
    fun `without noise everything but 1 itself is certain`() {
        pOfOne(spread(0.5, 0.0, 3)) shouldBe 0.0
        pOfOne(spread(0.0, 0.0, 3)) shouldBe 1.0
        pOfOne(spread(0.5, Double.NaN, 1)) shouldBe 1.0
    }
}
