package bootdyno.stats

import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.types.shouldBeInstanceOf
import org.junit.jupiter.api.Test
import java.util.SplittableRandom
import kotlin.math.exp
import kotlin.math.ln
import kotlin.math.pow

class PassingTest {
    private fun at(x: Double, vararg ratios: Double) =
        RatioAt(x, spreadOf(ratios.toList(), Scale.LOGARITHM) ?: error("no ratios"))

    @Test
    fun `between one half at 10 and two at 1000 it passes 1 in the middle of the logarithms`() {
        val passing = passing(listOf(at(10.0, 0.5), at(1000.0, 2.0))).shouldBeInstanceOf<Passing.At>()
        passing.x shouldBe (100.0 plusOrMinus 1e-9)
        passing.reach.shouldBeNull()
    }

    @Test
    fun `above 1 from the first place on, or not at the last, it passes nowhere between`() {
        passing(listOf(at(10.0, 1.1), at(100.0, 2.0))) shouldBe Passing.Everywhere
        passing(listOf(at(10.0, 1.1), at(100.0, 1.0))) shouldBe Passing.Nowhere
        passing(listOf(at(10.0, 1.1))).shouldBeNull()
    }

    @Test
    fun `where it may be 1 at the first place, it passes there or below`() {
        val passing = passing(listOf(at(10.0, 0.98, 1.0, 1.08), at(1000.0, 1.99, 2.0, 2.01))).shouldBeInstanceOf<Passing.At>()
        passing.x shouldBe 10.0
        passing.reach.shouldNotBeNull().low shouldBe null
        passing(listOf(at(10.0, 1.09, 1.1, 1.11), at(1000.0, 1.99, 2.0, 2.01))) shouldBe Passing.Everywhere
    }

    @Test
    fun `the last of several crossings counts`() {
        val passing = passing(
            listOf(at(1.0, 1.1), at(10.0, 0.5), at(100.0, 2.0), at(1000.0, 3.0)),
        ).shouldBeInstanceOf<Passing.At>()
        passing.x shouldBe (10.0.pow(1.5) plusOrMinus 1e-9)
    }

    // The interval of the ratio at 10 is [0.46, 0.54], at 1000 [1.85, 2.17]: the reach follows from the interpolated interval.
    @Test
    fun `the reach narrows with the spread and contains the point`() {
        fun reach(spread: Double) = passing(
            listOf(at(10.0, 0.5 / spread, 0.5, 0.5 * spread), at(1000.0, 2.0 / spread, 2.0, 2.0 * spread)),
        ).shouldBeInstanceOf<Passing.At>().reach.shouldNotBeNull()
        val narrow = reach(1.01)
        val wide = reach(1.2)
        listOf(wide.low, narrow.low, 100.0, narrow.high, wide.high).map { it ?: error("open") }.zipWithNext().all { (a, b) ->
            a <
                b
        } shouldBe true
    }

    @Test
    fun `where even the ends may be 1 the reach is open`() {
        val noisy = passing(listOf(at(10.0, 0.5, 1.9), at(1000.0, 0.6, 2.5))).shouldBeInstanceOf<Passing.At>()
        noisy.reach shouldBe Reach(null, null)
    }

    /** Truth: ln ratio = ln(x / 100) / 4, which passes 1 at 100; noise of 5 % at each of four places, five rounds. */
    @Test
    fun `the interval of a crossing has its nominal coverage`() {
        val random = SplittableRandom(20261121)
        val covered = (1..1000).count {
            val places = listOf(10.0, 50.0, 300.0, 2000.0).map { x ->
                at(x, *DoubleArray(5) { exp(ln(x / 100) / 4 + 0.05 * random.nextGaussian()) })
            }
            val reach = (passing(places) as? Passing.At)?.reach ?: error("it must pass")
            100.0 in (reach.low ?: 0.0)..(reach.high ?: Double.MAX_VALUE)
        }
        // 95 % and a little more, for the fewer degrees of freedom of two places are taken for both.
        (covered in 945..995) shouldBe true
    }
}
