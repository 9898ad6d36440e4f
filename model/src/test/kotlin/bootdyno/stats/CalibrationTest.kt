package bootdyno.stats

import io.kotest.matchers.doubles.shouldBeBetween
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.nulls.shouldNotBeNull
import org.junit.jupiter.api.Test
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.CsvSource
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

    @ParameterizedTest
    @CsvSource("2, 0.0001", "2, 0.02", "2, 0.06", "3, 0.0001", "3, 0.02", "3, 0.06", "6, 0.0001", "6, 0.005", "6, 0.02")
    fun `the interval of rounded samples covers the truth at least 95 percent of the time`(n: Int, deviation: Double) {
        val step = 0.023
        fun Random.rounded(truth: Double) = exp(step * Math.rint(ln(truth * noise(deviation)) / step))
        share { random ->
            val truth = 100 * (1 + random.nextDouble())
            val samples = List(n) { random.rounded(truth) }
            truth in spreadOf(samples, Scale.LOGARITHM)?.roundedTo(step)?.estimate()?.interval.shouldNotBeNull()
        } shouldBeGreaterThan 0.945
        share { random ->
            val (one, other) = List(2) { 100 * (1 + random.nextDouble()) }
            val pairs = List(n) { Paired(random.rounded(one), random.rounded(other)) }
            one / other in ratioOf(pairs, step)?.estimate()?.interval.shouldNotBeNull()
        } shouldBeGreaterThan 0.945
    }

    @Test
    fun `the same against itself is called different 5 percent of the time`() {
        share { random -> pOfOne(ratioOf(random.pairs(6, 1.0)).shouldNotBeNull()) <= 0.05 }.shouldBeBetween(0.045, 0.055, 0.0)
    }

    /** The least p of three candidates with these deviations beside a reference measured twice, six blocks, no difference. */
    private fun leastP(random: Random, deviations: List<Double>, moderate: Boolean): Double {
        val reference = List(6) { 100 * exp((ln(random.noise(0.03)) + ln(random.noise(0.03))) / 2) }
        val ratios = deviations.map { own -> ratioOf(reference.map { Paired(100 * random.noise(own), it) }).shouldNotBeNull() }
        return ratios.minOf { pOfOne(if (moderate) it.moderated(pooled(ratios)) else it) }
    }

    @Test
    fun `moderated variances keep false differences of a corrected family at 5 percent, of unequal members near it`() {
        share(10_000) { leastP(it, listOf(0.03, 0.03, 0.03), true) * 3 <= 0.05 }.shouldBeBetween(0.035, 0.06, 0.0)
        share(10_000) { leastP(it, listOf(0.03, 0.03, 0.09), true) * 3 <= 0.05 } shouldBeLessThan 0.075
        share(10_000) { leastP(it, listOf(0.03, 0.03, 0.03), false) <= 0.05 } shouldBeGreaterThan 0.10
    }

    @Test
    fun `a quantile of cut-off values falls on neither side of the truth more often than on the other`() {
        // Exponential of mean 1, cut off at exponential times of mean 3: true p90 is ln 10 = 2.303.
        val below = share(2_000) { random ->
            val lives = List(500) { Paired(-ln(1 - random.nextDouble()), -3 * ln(1 - random.nextDouble())) }
            val (seen, cut) = lives.partition { it.numerator <= it.denominator }
            val curve = survivalOf(
                seen.map { Counted(it.numerator, 1) },
                cut.map { Counted(it.denominator, 1) },
            ).shouldNotBeNull()
            curve.quantile(0.9).value < ln(10.0)
        }
        below.shouldBeBetween(0.44, 0.56, 0.0)
    }
}
