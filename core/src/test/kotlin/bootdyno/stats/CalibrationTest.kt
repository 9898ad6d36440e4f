package bootdyno.stats

import io.kotest.matchers.doubles.shouldBeBetween
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.nulls.shouldNotBeNull
import org.junit.jupiter.api.Test
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.ValueSource
import java.util.Random
import kotlin.math.exp
import kotlin.math.ln

/**
 * What the words "95 %" promise, on simulated log-normal noise with fixed seeds. The simulation's own error is 0.15 % (20,000
 * experiments).
 */
class CalibrationTest {
    private fun Random.noise(deviation: Double) = exp(deviation * nextGaussian())

    /** Blocks differ by 20 %, everything inside a block shares that, and each sample has noise of its own. */
    private fun Random.pairs(n: Int, truth: Double) = List(n) {
        val block = noise(0.20)
        Paired(truth * 100 * block * noise(0.04), 100 * block * noise(0.03))
    }

    private fun share(experiments: Int = 20_000, happens: (Random) -> Boolean): Double {
        val random = Random(20_261_120)
        return (1..experiments).count { happens(random) } / experiments.toDouble()
    }

    @ParameterizedTest
    @ValueSource(ints = [5, 7, 10])
    fun `the interval of a mean covers the truth 95 percent of the time`(n: Int) {
        share { random ->
            100.0 in logMean(List(n) { 100 * random.noise(0.15) })?.interval.shouldNotBeNull()
        }.shouldBeBetween(0.94, 0.96, 0.0)
    }

    @ParameterizedTest
    @ValueSource(ints = [5, 7, 10])
    fun `the interval of a ratio covers the truth 95 percent of the time, whatever the blocks do`(n: Int) {
        share { random ->
            1.94 in ratioOf(random.pairs(n, 1.94))?.estimate()?.interval.shouldNotBeNull()
        }.shouldBeBetween(0.94, 0.96, 0.0)
    }

    @Test
    fun `the same against itself is called different at most 5 percent of the time, even with hardly any zone`() {
        val different = share { random ->
            val ratio = ratioOf(random.pairs(6, 1.0)).shouldNotBeNull()
            Zone(1e-6).pOf(ratio) <= 0.05 && Zone(1e-6).sideOf(ratio.point) != Side.WITHIN
        }
        different.shouldBeBetween(0.04, 0.055, 0.0)
    }

    @Test
    fun `the same against itself is hardly ever called different with a zone of 3 percent`() {
        share { random ->
            val ratio = ratioOf(random.pairs(6, 1.0)).shouldNotBeNull()
            Zone(0.03).pOf(ratio) <= 0.05 && Zone(0.03).sideOf(ratio.point) != Side.WITHIN
        } shouldBeLessThan 0.02
    }

    @Test
    fun `a true difference at the edge of the zone is called a difference or none at most 5 percent of the time together`() {
        share { random ->
            Zone(0.03).pOf(ratioOf(random.pairs(6, 1.03)).shouldNotBeNull()) <= 0.05
        }.shouldBeBetween(0.03, 0.055, 0.0)
    }

    @Test
    fun `Holm keeps the chance of any false difference in a family below 5 percent, where no correction does not`() {
        // Five equal candidates against one shared reference, six blocks.
        fun family(random: Random): List<Double> {
            val reference = List(6) { 100 * random.noise(0.03) }
            return List(5) { Zone(1e-6).pOf(ratioOf(reference.map { Paired(100 * random.noise(0.03), it) }).shouldNotBeNull()) }
        }
        share(10_000) { random -> holm(family(random)).any { it.adjusted <= 0.05 } } shouldBeLessThan 0.055
        share(10_000) { random -> family(random).any { it <= 0.05 } } shouldBeGreaterThan 0.10
    }

    @Test
    fun `Holm keeps wrong verdicts below 5 percent in a family of real differences and equalities`() {
        val truths = listOf(1.0, 1.0, 1.2, 0.8, 1.035)
        val zone = Zone(0.03)
        share(10_000) { random ->
            val ratios = truths.map { ratioOf(random.pairs(6, it)).shouldNotBeNull() }
            holm(ratios.map { zone.pOf(it) }).withIndex().any { (i, p) ->
                p.adjusted <= 0.05 && zone.sideOf(ratios[i].point) != zone.sideOf(truths[i])
            }
        } shouldBeLessThan 0.05
    }

    @Test
    fun `a quantile of cut-off values falls on neither side of the truth more often than on the other`() {
        // Exponential of mean 1, cut off at exponential times of mean 3: true p90 is ln 10 = 2.303.
        val below = share(2_000) { random ->
            val lives = List(500) { Paired(-ln(1 - random.nextDouble()), -3 * ln(1 - random.nextDouble())) }
            val (seen, cut) = lives.partition { it.numerator <= it.denominator }
            val curve = survivalOf(
                seen.map {
                    Counted(it.numerator, 1)
                },
                cut.map { Counted(it.denominator, 1) },
            ).shouldNotBeNull()
            curve.quantile(0.9).value < ln(10.0)
        }
        below.shouldBeBetween(0.44, 0.56, 0.0)
    }
}
