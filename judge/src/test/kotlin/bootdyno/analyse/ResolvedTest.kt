package bootdyno.analyse

import bootdyno.model.Assertion
import bootdyno.model.Claim
import bootdyno.model.LoadProfile
import bootdyno.model.Measure
import bootdyno.model.Tendency
import bootdyno.stats.Looks
import bootdyno.stats.Scale
import bootdyno.stats.spreadOf
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldNotContain
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

/** The baseline against itself, and the differences that so many rounds resolve. */
class ResolvedTest {
    private val steady = rounds(baseline, 1000.0, 1000.0, 1000.0)
    private val trials =
        steady + rounds(baseline, 1020.0, 990.0, 1010.0, again = true) + rounds(other, 1041.0, 1042.0, 1040.0)

    // Logarithms of 1.05, 1.06, 1.04: mean 0.048759, deviation 0.009525; half-width 4.3027 × 0.009525 / √3 = 0.023661.
    @Test
    fun `a baseline that differs from itself is a doubt, and the difference that matters stays as declared`() {
        val analysis = analyse(
            testRun(steady + rounds(baseline, 1050.0, 1060.0, 1040.0, again = true) + rounds(other, 1080.0, 1081.0, 1079.0)),
        )
        analysis.threats.map { it.kind } shouldContain Threat.Kind.NOISY
        analysis.comparisons.single { it.measure == Measure.THROUGHPUT }.delta shouldBe 0.03
        val slightly = rounds(baseline, 1001.0, 1001.1, 1000.9, again = true)
        analyse(testRun(steady + slightly)).threats.map { it.kind } shouldNotContain Threat.Kind.NOISY
    }

    // Deviation of ln 1.02, ln 0.99, ln 1.01: 0.015211, × √0.75 = 0.013173. n = 3: (4.3027 + 1.0607) × 0.013173 / √3 = 0.040791: 4.16 %.
    // n = 5: (2.7764 + 0.9410) × 0.013173 / √5 = 0.021900; n = 6: (2.5706 + 0.9195) × 0.013173 / √6 = 0.018769.
    @Test
    fun `the baseline against itself shows what so many rounds resolve`() {
        val resolved = analyse(testRun(trials)).resolved
        resolved.keys.toList() shouldContainExactly listOf(3, 6)
        resolved.getValue(3) shouldBe (0.0416 plusOrMinus 1e-4)
        resolved.getValue(6) shouldBe (0.0189 plusOrMinus 1e-4)
    }

    @Test
    fun `what so many rounds resolve contains the comparisons of claims`() {
        val ofThree = trials + rounds(third, 1041.0, 1042.0, 1040.0)
        fun resolved(vararg claims: Claim) =
            analyse(testRun(ofThree, threeCells, experiment(threeCells).copy(claims = claims.toList()))).resolved.getValue(3)
        val named = Assertion.Difference(third, other, Measure.THROUGHPUT, Tendency.MORE)
        resolved(Claim("is faster", "test", named, 0.1)) shouldBeGreaterThan resolved() * 1.1
    }

    // Under open load both measurements serve what is offered.
    @Test
    fun `the baseline against itself is judged by what its load is judged by`() {
        val open = twoCells.map { testCell(it.id, LoadProfile.Open(100.0)) }
        val ofTwo = answering(baseline, 100, 100, 100) + answering(baseline, 120, 90, 110, again = true) +
            answering(other, 200, 201, 202)
        val analysis = analyse(testRun(ofTwo, open))
        analysis.resolution?.measure shouldBe Measure.P99
        analysis.resolved.getValue(3) shouldBeGreaterThan 0.2
    }

    @Test
    fun `fewer rounds show less where the run may go on, and a fixed number of more rounds as much as always`() {
        val itself = spreadOf(listOf(0.97, 1.03, 0.98, 1.02, 1.0, 1.0), Scale.LOGARITHM).shouldNotBeNull()
        val fixed = resolvedBy(itself, comparisons = 1)
        val adaptive = resolvedBy(itself, comparisons = 1, Looks(6, 15))
        adaptive.getValue(6) shouldBeGreaterThan fixed.getValue(6)
        resolvedBy(itself, comparisons = 1, Looks(6, 7)).keys.last() shouldBe fixed.keys.last()
    }
}
