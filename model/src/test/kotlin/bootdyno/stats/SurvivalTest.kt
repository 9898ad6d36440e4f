package bootdyno.stats

import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import java.util.Random
import kotlin.math.ceil
import kotlin.math.ln

class SurvivalTest {
    private fun counted(vararg values: Int) = values.map { Counted(it.toDouble(), 1) }

    // Remissions under 6-mercaptopurine, Freireich et al. 1963, the example of the textbooks (Klein & Moeschberger, table 4.1):
    // S(6) = 0.857, S(7) = 0.807, S(10) = 0.753, S(13) = 0.690, S(16) = 0.627, S(22) = 0.538, S(23) = 0.448.
    private val remissions = survivalOf(
        seen = counted(6, 6, 6, 7, 10, 13, 16, 22, 23),
        beyond = counted(6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35),
    ).shouldNotBeNull()

    @Test
    fun `quantiles are those of the published curve`() {
        listOf(0.10 to 6.0, 0.15 to 7.0, 0.20 to 10.0, 0.30 to 13.0, 0.35 to 16.0, 0.45 to 22.0, 0.50 to 23.0, 0.55 to 23.0)
            .forEach { (p, value) -> remissions.quantile(p) shouldBe CensoredValue(value, false) }
    }

    @Test
    fun `a quantile the curve never reaches is the largest value seen, as a bound`() {
        remissions.quantile(0.56) shouldBe CensoredValue(35.0, true)
        remissions.quantile(1.0) shouldBe CensoredValue(35.0, true)
    }

    @Test
    fun `without censoring it is the plain quantile`() {
        val random = Random(7)
        val values = List(997) { random.nextInt(300) + 1.0 }
        val curve = survivalOf(values.map { Counted(it, 1) }, emptyList()).shouldNotBeNull()
        for (p in listOf(0.0, 0.001, 0.1, 0.25, 0.5, 0.9, 0.99, 0.999, 1.0)) {
            // Type 1 of Hyndman & Fan 1996: the smallest value that at least the share p does not exceed.
            val rank = ceil(p * values.size - 1e-9).toInt().coerceIn(1, values.size)
            curve.quantile(p) shouldBe CensoredValue(values.sorted()[rank - 1], false)
        }
        curve.mean().value shouldBe (values.average() plusOrMinus 1e-9)
        curve.mean().censored shouldBe false
    }

    @Test
    fun `counts weigh as so many single values, in any order`() {
        val many = survivalOf(
            listOf(Counted(500.0, 990_000), Counted(5.0, 9_000_000), Counted(900.0, 10_000)),
            emptyList(),
        ).shouldNotBeNull()
        many.quantile(0.9).value shouldBe 5.0
        many.quantile(0.999).value shouldBe 500.0
        many.quantile(0.9991).value shouldBe 900.0
    }

    // Of three: 1 and 2 seen, one beyond 3. S is 1, 2/3, 1/3: the area up to 3 is 1 + 2/3 + 1/3 = 2, and more lies beyond.
    @Test
    fun `the mean of cut-off values is a lower bound`() {
        val mean = survivalOf(counted(1, 2), counted(3)).shouldNotBeNull().mean()
        mean.value shouldBe (2.0 plusOrMinus 1e-12)
        mean.censored shouldBe true
    }

    @Test
    fun `an unfinished value that others outlived moves the curve but bounds nothing`() {
        // 4 at risk; one is cut off at 1, then 2, 3, 4 die of 3: S is 2/3, 1/3, 0.
        val curve = survivalOf(counted(2, 3, 4), counted(1)).shouldNotBeNull()
        curve.quantile(0.3) shouldBe CensoredValue(2.0, false)
        curve.quantile(0.34) shouldBe CensoredValue(3.0, false)
        curve.quantile(1.0) shouldBe CensoredValue(4.0, false)
    }

    @Test
    fun `with censored values only every quantile is a bound, and without values there is no curve`() {
        survivalOf(emptyList(), counted(3, 7)).shouldNotBeNull().quantile(0.5) shouldBe CensoredValue(7.0, true)
        survivalOf(emptyList(), emptyList()) shouldBe null
    }

    // The value 1 was under observation from 0 on, the 3 from 2 on: at 1, one of 2 at risk ends, at 2 one of 2, at 3 the last:
    // S is 1/2, 1/4, 0. Without the entries it were 3/4, 1/2, 1/4 with the value cut off at 4.
    @Test
    fun `a value counts among those at risk from its entry on`() {
        val curve = survivalOf(counted(1, 2, 3), counted(2), entered = counted(1, 2).map { it.copy(value = it.value + 0.5) })
        curve.shouldNotBeNull().quantile(0.5) shouldBe CensoredValue(1.0, false)
        curve.quantile(0.51) shouldBe CensoredValue(2.0, false)
        curve.quantile(1.0) shouldBe CensoredValue(3.0, false)
    }

    @Test
    fun `the curve does not end at short values while long ones are still to enter`() {
        val curve = survivalOf(listOf(Counted(1.0, 999)), listOf(Counted(60.0, 10)), entered = listOf(Counted(50.0, 10)))
        curve.shouldNotBeNull().quantile(0.99) shouldBe CensoredValue(1.0, false)
        curve.quantile(1.0) shouldBe CensoredValue(60.0, true)
    }

    // Exponential values of mean 1 cut off at uniform times up to 2: the true median is ln 2 = 0.693; leaving the cut-off ones
    // out gives less.
    @Test
    fun `the median of cut-off exponential values is found, and lost by leaving the unfinished out`() {
        val random = Random(11)
        val pairs = List(20_000) { Paired(-ln(1 - random.nextDouble()), random.nextDouble() * 2) }
        val seen = pairs.filter { it.numerator <= it.denominator }.map { it.numerator }
        val beyond = pairs.filter { it.numerator > it.denominator }.map { Counted(it.denominator, 1) }
        survivalOf(seen.map { Counted(it, 1) }, beyond).shouldNotBeNull().quantile(0.5).value shouldBe (ln(2.0) plusOrMinus 0.02)
        (median(seen) < 0.6) shouldBe true
    }
}
