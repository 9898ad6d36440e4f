package bootdyno.analyse

import bootdyno.model.Cell
import bootdyno.model.CellId
import bootdyno.model.LatencyFacts
import bootdyno.model.LoadProfile
import bootdyno.model.Measure
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class ComparingTest {
    private fun throughputOf(analysis: Analysis, cell: CellId = other) =
        analysis.comparisons.single { it.measure == Measure.THROUGHPUT && it.candidate == cell }

    private fun p99Of(analysis: Analysis) = analysis.comparisons.single { it.measure == Measure.P99 }

    // The machine slows down fourfold; within each round the candidate serves twice as much.
    @Test
    fun `drift of the machine cancels in the ratio`() {
        val comparison =
            throughputOf(analyse(testRun(rounds(baseline, 400.0, 200.0, 100.0) + rounds(other, 800.0, 400.0, 200.0))))
        comparison.ratio.value shouldBe (2.0 plusOrMinus 1e-9)
        comparison.ratio.interval.shouldNotBeNull().low shouldBe (2.0 plusOrMinus 1e-6)
        comparison.verdict shouldBe Verdict.FASTER
        comparison.furtherRounds shouldBe null
    }

    @Test
    fun `a verdict follows the whole interval`() {
        val steady = rounds(baseline, 1000.0, 1000.0, 1000.0, 1000.0)
        val cases = mapOf(
            listOf(1100.0, 1101.0, 1099.0, 1100.0) to Verdict.FASTER,
            listOf(900.0, 901.0, 899.0, 900.0) to Verdict.SLOWER,
            listOf(1010.0, 1011.0, 1009.0, 1010.0) to Verdict.EQUIVALENT,
            listOf(1030.0, 1050.0, 1010.0, 1030.0) to Verdict.UNDECIDED,
            listOf(2000.0, 500.0, 2000.0, 500.0) to Verdict.UNDECIDED,
        )
        cases.forEach { (rates, verdict) ->
            throughputOf(analyse(testRun(steady + rounds(other, *rates.toTypedArray())))).verdict shouldBe verdict
        }
    }

    // 1.06, 1.00, 1.06, 1.00: mean of the logarithms 0.029134, deviation 0.033642; the edge ln 1.03 = 0.029559 lies 0.000425
    // away: t·0.033642/√N < 0.000425 needs √N > 155, beyond every patience. 1.10, 1.03, …: mean 0.062434, distance 0.032875,
    // deviation 0.037960: √N > 1.1547 t; N = 8: 2.3646 × 1.1547 = 2.7304 < 2.8284; N = 7: 2.4469 × 1.1547 = 2.8255 > 2.6458. So 4
    // more than 4.
    @Test
    fun `an undecided comparison says how many rounds are missing, if anyone could run them`() {
        val steady = rounds(baseline, 1000.0, 1000.0, 1000.0, 1000.0)
        val hopeless = throughputOf(analyse(testRun(steady + rounds(other, 1060.0, 1000.0, 1060.0, 1000.0))))
        hopeless.verdict shouldBe Verdict.UNDECIDED
        hopeless.furtherRounds shouldBe null
        throughputOf(analyse(testRun(steady + rounds(other, 1100.0, 1030.0, 1100.0, 1030.0)))).furtherRounds shouldBe 4
    }

    @Test
    fun `one round gives a ratio without interval and without verdict`() {
        val comparison = throughputOf(analyse(testRun(rounds(baseline, 100.0) + rounds(other, 200.0))))
        comparison.ratio.value shouldBe (2.0 plusOrMinus 1e-9)
        comparison.ratio.interval shouldBe null
        comparison.verdict shouldBe null
    }

    // Logarithms of 1.052, 1.048, 1.062, 1.038: mean 0.048757, deviation 0.009461, distance to ln 1.03 0.019198: t = 4.058 with 3
    // degrees. p lies between 0.02 (t = 4.541) and 0.05 (t = 3.182): decided alone, not when multiplied by 4.
    @Test
    fun `what one comparison decides, a family of several may not`() {
        val steady = rounds(baseline, 1000.0, 1000.0, 1000.0, 1000.0)
        val close = arrayOf<Double?>(1052.0, 1048.0, 1062.0, 1038.0)
        val alone = analyse(testRun(steady + rounds(other, *close)))
        throughputOf(alone).verdict shouldBe Verdict.FASTER
        val cells = twoCells + (1..3).map { testCell(CellId("more$it/work")) }
        val more = (1..3).flatMap { rounds(CellId("more$it/work"), *close) }
        val family = analyse(testRun(steady + rounds(other, *close) + more, cells))
        family.comparisons.map { it.verdict }.toSet() shouldBe setOf(Verdict.UNDECIDED)
        throughputOf(family).ratio shouldBe throughputOf(alone).ratio
    }

    @Test
    fun `less latency is faster`() {
        fun trials(cell: CellId, vararg ms: Long) =
            ms.mapIndexed { i, it -> testTrial(cell, i + 1, latencies = latencies(List(200) { _ -> it })) }
        val analysis = analyse(testRun(trials(baseline, 1000, 1010, 1005) + trials(other, 500, 501, 505)))
        p99Of(analysis).verdict shouldBe Verdict.FASTER
        p99Of(analysis).ratio.value shouldBe (0.4996 plusOrMinus 0.001)
    }

    @Test
    fun `a censored percentile gets no verdict, only a bound`() {
        val full = latencies(List(100) { 100L })
        val stuck = latencies(List(50) { 100L }, List(50) { 900L })
        fun trials(cell: CellId, latencies: LatencyFacts) = (1..3).map { testTrial(cell, it, latencies = latencies) }
        val above = p99Of(analyse(testRun(trials(baseline, full) + trials(other, stuck))))
        above.bound shouldBe Bound.AT_LEAST
        above.ratio.value shouldBe (9.0 plusOrMinus 0.02)
        above.ratio.interval shouldBe null
        above.verdict shouldBe null
        p99Of(analyse(testRun(trials(baseline, stuck) + trials(other, full)))).bound shouldBe Bound.AT_MOST
        p99Of(analyse(testRun(trials(baseline, stuck) + trials(other, stuck)))).bound shouldBe Bound.UNKNOWN
    }

    private val steady = rounds(baseline, 1000.0, 1000.0, 1000.0)

    // Logarithms of 1.02, 0.99, 1.01: mean 0.006568, deviation 0.015211; half-width 4.3027 × 0.015211 / √3 = 0.037787;
    // far end e^0.044355 = 1.04535.
    @Test
    fun `nothing smaller than the baseline's difference from itself is called a difference`() {
        val candidate = rounds(other, 1041.0, 1042.0, 1040.0)
        throughputOf(analyse(testRun(steady + candidate))).verdict shouldBe Verdict.FASTER
        val analysis = analyse(testRun(steady + rounds(baseline, 1020.0, 990.0, 1010.0, again = true) + candidate))
        throughputOf(analysis).delta shouldBe (0.0454 plusOrMinus 0.0005)
        throughputOf(analysis).verdict shouldBe Verdict.EQUIVALENT
        analysis.threats.map { it.kind } shouldContain Threat.Kind.NOISY
    }

    // Logarithms of 1.05, 0.96, 1.04: mean 0.015730, deviation 0.049208; half-width 0.122241; far end e^0.137971 = 1.1479.
    @Test
    fun `with a resolution above 10 percent no verdict is equivalent`() {
        val analysis = analyse(
            testRun(steady + rounds(baseline, 1050.0, 960.0, 1040.0, again = true) + rounds(other, 1080.0, 1081.0, 1079.0)),
        )
        throughputOf(analysis).delta shouldBe (0.1479 plusOrMinus 0.0005)
        throughputOf(analysis).verdict shouldBe Verdict.UNDECIDED
        throughputOf(analysis).furtherRounds shouldBe null
    }

    // The throughputs agree with themselves, the percentiles do not: only their comparison is widened.
    @Test
    fun `each measure has the resolution of its own`() {
        fun trial(cell: CellId, round: Int, ms: Long, again: Boolean = false) =
            testTrial(cell, round, again = again, latencies = latencies(List(10) { ms }))
        val trials = listOf(1, 2, 3).flatMap {
            listOf(trial(baseline, it, 100), trial(baseline, it, 100 + 4L * it, again = true), trial(other, it, 100))
        }
        val analysis = analyse(testRun(trials))
        throughputOf(analysis).delta shouldBe DEFAULT_DELTA
        (p99Of(analysis).delta > 0.10) shouldBe true
    }

    @Test
    fun `each profile is compared with the baseline under the same profile`() {
        fun cell(id: String, profile: String): Cell = testCell(CellId("$id@$profile"), LoadProfile.Closed(1), profile)
        val cells = listOf(cell("base/work", "a"), cell("other/work", "a"), cell("base/work", "b"), cell("other/work", "b"))
        val trials = cells.flatMapIndexed { i, it -> rounds(it.id, 100.0 + i, 100.0 + i) }
        analyse(testRun(trials, cells)).comparisons.map { "${it.candidate} : ${it.baseline}" } shouldContainExactly
            listOf("other/work@a : base/work@a", "other/work@b : base/work@b")
    }

    @Test
    fun `no round in common is no comparison`() {
        analyse(testRun(rounds(baseline, 100.0, null) + rounds(other, null, 200.0))).comparisons.shouldBeEmpty()
    }
}
