package bootdyno.stats

import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import kotlin.math.exp

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

    // ln 1.03 = 0.029559. Mean 0.05, deviation 0.05: distance to the edge 0.020441; √N must exceed t·0.05/0.020441 = 2.4461 t.
    // N = 25: t(24) = 2.0639 → 5.048² = 25.49 > 25, not yet. N = 26: t(25) = 2.0595 → 5.038² = 25.38 < 26. So 20 more than 6.
    @Test
    fun `the further samples are those at which the interval leaves the edge`() {
        zone.furtherSamples(spread(0.05, 0.05, 6), 0.05) shouldBe 20
    }

    @Test
    fun `the further samples are those at which the interval fits inside`() {
        // Mean 0: distance 0.029559 to either edge, deviation 0.029559: √N > t. N = 6: t(5) = 2.571 > 2.449; N = 7: t(6) = 2.447
        // < 2.646.
        zone.furtherSamples(spread(0.0, 0.029559, 5), 0.05) shouldBe 2
    }

    @Test
    fun `a zone reaches as far as what the same thing shows against itself`() {
        zoneReaching(null, 0.03).tolerance shouldBe 0.03
        zoneReaching(Interval(0.99, 1.02), 0.03).tolerance shouldBe 0.03
        zoneReaching(Interval(0.99, 1.05), 0.03).tolerance shouldBe (0.05 plusOrMinus 1e-12)
        zoneReaching(Interval(0.8, 1.05), 0.03).tolerance shouldBe (0.25 plusOrMinus 1e-12)
        zoneReaching(Interval(0.0, 1.05), 0.03).contains(Interval(0.001, 1000.0)) shouldBe true
    }

    @Test
    fun `the number of further samples is limited`() {
        zone.furtherSamples(spread(0.0296, 0.5, 6), 0.05) shouldBe null
        zone.furtherSamples(spread(0.5, Double.NaN, 1), 0.05) shouldBe null
    }

    @Test
    fun `p is 5 percent exactly where the interval touches the edge`() {
        // n = 4, t(0.975; 3) = 3.18245; standard error 0.01: half-width 0.0318245.
        val edge = 0.0295588
        zone.pOf(spread(edge + 0.0318245, 0.02, 4)) shouldBe (0.05 plusOrMinus 1e-4)
        spread(edge + 0.0318245, 0.02, 4).estimate().interval.shouldNotBeNull().low shouldBe (exp(edge) plusOrMinus 1e-5)
        zone.pOf(spread(-edge - 0.0318245, 0.02, 4)) shouldBe (0.05 plusOrMinus 1e-4)
    }

    @Test
    fun `without noise every ratio off the edge of the zone is decided`() {
        zone.pOf(spread(0.5, 0.0, 3)) shouldBe 0.0
        zone.pOf(spread(0.0, 0.0, 3)) shouldBe 0.0
        zone.pOf(spread(0.5, Double.NaN, 1)) shouldBe 1.0
    }
}
