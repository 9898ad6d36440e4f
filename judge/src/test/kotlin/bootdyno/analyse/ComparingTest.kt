package bootdyno.analyse

import bootdyno.model.Assertion
import bootdyno.model.Cell
import bootdyno.model.CellId
import bootdyno.model.Claim
import bootdyno.model.ErrorCause
import bootdyno.model.Experiment
import bootdyno.model.Gate
import bootdyno.model.LatencyFacts
import bootdyno.model.LoadProfile
import bootdyno.model.Matters
import bootdyno.model.Measure
import bootdyno.model.Operand
import bootdyno.model.Tendency
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.ints.shouldBeInRange
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class ComparingTest {
    private fun throughputOf(analysis: Analysis, cell: CellId = other) =
        analysis.comparisons.single { it.measure == Measure.THROUGHPUT && it.candidate == cell }

    private fun p99Of(analysis: Analysis) = analysis.comparisons.single { it.measure == Measure.P99 }

    private val openCells = twoCells.map { testCell(it.id, LoadProfile.Open(100.0)) }

    @Test
    fun `of several workloads, each is compared with the same one of the baseline's variant`() {
        val rates = mapOf(
            "platform/list" to 100.0,
            "virtual/list" to 200.0,
            "platform/create" to 1000.0,
            "virtual/create" to 900.0,
            // No other variant has it: it may be another way to do the baseline's work.
            "virtual/stream" to 300.0,
        ).mapKeys { CellId(it.key) }
        val trials = rates.flatMap { (cell, rate) -> rounds(cell, rate, rate * 1.001, rate * 0.999) }
        val analysis = analyse(testRun(trials, rates.keys.map { testCell(it) }))

        analysis.comparisons.filter { it.measure == Measure.THROUGHPUT }
            .map { "${it.candidate} ${it.verdict?.word} than ${it.baseline}" } shouldContainExactly listOf(
            "virtual/list faster than platform/list",
            "virtual/stream faster than platform/list",
            "virtual/create slower than platform/create",
        )
        analysis.groups.map { group -> group.ranks.map { "${it.letters} ${it.cell}" } } shouldContainExactly listOf(
            listOf("a virtual/stream", "b virtual/list", "c platform/list"),
            listOf("a platform/create", "b virtual/create"),
        )
    }

    @Test
    fun `workloads of one variant are compared with each other`() {
        val cells = listOf(CellId("shop/list"), CellId("shop/search"))
        val trials = cells.flatMap { rounds(it, 100.0, 101.0, 99.0) }
        throughputOf(analyse(testRun(trials, cells.map { testCell(it) })), cells[1]).baseline shouldBe cells[0]
    }

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

    // In half of the rounds it answers nothing and fails nothing; in the others both are equal.
    @Test
    fun `a baseline that stands still in some rounds is not equivalent`() {
        val comparison = throughputOf(
            analyse(testRun(rounds(baseline, 0.0, 0.0, 0.0, 100.0, 100.0, 100.0) + rounds(other, *Array(6) { 100.0 }))),
        )
        comparison.run { bound to verdict } shouldBe (Bound.AT_LEAST to null)
    }

    @Test
    fun `claims about cells of different work share the error of what the run is made for`() {
        val cells = listOf("a", "b", "c").map { testCell(CellId("$it/work@$it"), profile = it) }
        val claims = listOf(1, 2).map { nth ->
            val about = Assertion.Difference(cells[nth].id, cells[0].id, Measure.THROUGHPUT, Tendency.MORE)
            Claim("claim $nth", "source", about, 0.1)
        }
        val trials = cells.flatMapIndexed { nth, cell -> rounds(cell.id, 100.0 + nth, 101.0 + nth, 99.0 + nth) }
        val judged = analyse(testRun(trials, cells, experiment(cells).copy(claims = claims))).claims
        judged.map { it.measured?.interval?.level.shouldNotBeNull() }.forEach { it shouldBe (0.975 plusOrMinus 1e-9) }
    }

    @Test
    fun `a verdict follows the whole interval, and whether the difference matters is another answer`() {
        val steady = rounds(baseline, 1000.0, 1000.0, 1000.0, 1000.0)
        fun compared(vararg rates: Double?) = throughputOf(analyse(testRun(steady + rounds(other, *rates))))
        fun judged(vararg rates: Double?) = compared(*rates).let { it.verdict to it.matters }
        judged(1100.0, 1101.0, 1099.0, 1100.0) shouldBe (Verdict.FASTER to true)
        judged(900.0, 901.0, 899.0, 900.0) shouldBe (Verdict.SLOWER to true)
        judged(1030.0, 1031.0, 1029.0, 1030.0) shouldBe (Verdict.FASTER to null)
        judged(1030.0, 1045.0, 1010.0, 1030.0) shouldBe (Verdict.FASTER to null)
        judged(1015.0, 1016.0, 1014.0, 1015.0) shouldBe (Verdict.EQUIVALENT to false)
        judged(1030.0, 1080.0, 980.0, 1030.0) shouldBe (Verdict.UNDECIDED to null)
        judged(2000.0, 500.0, 2000.0, 500.0) shouldBe (Verdict.UNDECIDED to null)
        compared(1015.0, 1016.0, 1014.0, 1015.0).ratio.interval.shouldNotBeNull().low shouldBeGreaterThan 1.0
    }

    // 1.10, 1.00, …: mean of the logarithms 0.047655, deviation 0.055027. The expected interval excludes 1 with 8 rounds (2.3646 × 1.15470 <
    // √8), 4 more than 4; half of the continuations decide earlier.
    @Test
    fun `an undecided comparison gives the number of rounds to expect`() {
        val steady = rounds(baseline, 1000.0, 1000.0, 1000.0, 1000.0)
        val comparison = throughputOf(analyse(testRun(steady + rounds(other, 1100.0, 1000.0, 1100.0, 1000.0))))
        comparison.verdict shouldBe Verdict.UNDECIDED
        comparison.furtherRounds.shouldNotBeNull() shouldBeInRange 2..4
        comparison.matters shouldBe null
    }

    @Test
    fun `what matters is declared, for each measure`() {
        val trials = rounds(baseline, 1000.0, 1000.0, 1000.0, 1000.0) + rounds(other, 1015.0, 1016.0, 1014.0, 1015.0)
        val declared = experiment().copy(matters = Matters(by = mapOf(Measure.THROUGHPUT to 0.005)))
        val comparison = throughputOf(analyse(testRun(trials, experiment = declared)))
        comparison.verdict shouldBe Verdict.FASTER
        comparison.delta shouldBe 0.005
        comparison.matters shouldBe true
    }

    // Geometric means of the baseline by round: 994.99, 1000, 994.99. Ratios 2.0101, 2, 2.0101: their mean is 2.0067.
    @Test
    fun `both measurements of the baseline count`() {
        val twice = rounds(baseline, 900.0, 1000.0, 1100.0) + rounds(baseline, 1100.0, 1000.0, 900.0, again = true)
        val comparison = throughputOf(analyse(testRun(twice + rounds(other, 2000.0, 2000.0, 2000.0))))
        comparison.ratio.value shouldBe (2.0067 plusOrMinus 1e-4)
        comparison.ratio.n shouldBe 3
        comparison.verdict shouldBe Verdict.FASTER
    }

    @Test
    fun `a cell that fails more requests is not faster`() {
        val failing = testLoad(2000.0).copy(errors = mapOf(ErrorCause.TIMEOUT to 500L))
        val trials = (1..4).map { testTrial(other, it, load = failing) }
        val comparison = throughputOf(analyse(testRun(rounds(baseline, 1000.0, 1001.0, 999.0, 1000.0) + trials)))
        comparison.verdict shouldBe Verdict.UNDECIDED
        comparison.moreErrors shouldBe true
    }

    @Test
    fun `a cell that is slower in some rounds and equal in the others is not called slower`() {
        val steady = rounds(baseline, 1000.0, 1001.0, 999.0, 1000.0, 1002.0, 998.0, 1000.0, 1001.0)
        val twoStates = throughputOf(
            analyse(testRun(steady + rounds(other, 800.0, 801.0, 1000.0, 799.0, 802.0, 1001.0, 800.0, 801.0))),
        )
        twoStates.ratio.interval.shouldNotBeNull().high shouldBeLessThan 1.0
        twoStates.verdict shouldBe Verdict.UNDECIDED
        twoStates.groups.shouldNotBeNull().run { listOf(lower, upper) } shouldContainExactly listOf(6, 2)
        val slower = throughputOf(
            analyse(testRun(steady + rounds(other, 800.0, 801.0, 900.0, 799.0, 802.0, 901.0, 800.0, 801.0))),
        )
        slower.verdict shouldBe Verdict.SLOWER
        slower.groups shouldBe null
    }

    // Without the second round the difference is sure; with it it is not.
    @Test
    fun `a verdict that depends on one round names it`() {
        val steady = rounds(baseline, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0)
        val one = throughputOf(analyse(testRun(steady + rounds(other, 1100.0, 700.0, 1101.0, 1099.0, 1100.0))))
        one.verdict shouldBe Verdict.UNDECIDED
        one.dependsOn shouldContainExactly listOf(2)
        throughputOf(analyse(testRun(steady + rounds(other, 1100.0, 1102.0, 1101.0, 1099.0, 1100.0)))).dependsOn.shouldBeEmpty()
    }

    @Test
    fun `one round gives a ratio without interval and without verdict`() {
        val comparison = throughputOf(analyse(testRun(rounds(baseline, 100.0) + rounds(other, 200.0))))
        comparison.ratio.value shouldBe (2.0 plusOrMinus 1e-9)
        comparison.ratio.interval shouldBe null
        comparison.verdict shouldBe null
    }

    // Logarithms of 1.052, 1.020, 1.062, 1.038: mean 0.041924, deviation 0.017929: t = 4.677 with 3 degrees. p lies between 0.01 (5.841)
    // and 0.02 (4.541): decided alone, not when multiplied by 4.
    @Test
    fun `a difference found in one comparison may not be found in a family of several`() {
        val steady = rounds(baseline, 1000.0, 1000.0, 1000.0, 1000.0)
        val close = arrayOf<Double?>(1052.0, 1020.0, 1062.0, 1038.0)
        throughputOf(analyse(testRun(steady + rounds(other, *close)))).verdict shouldBe Verdict.FASTER
        val cells = twoCells + (1..3).map { testCell(CellId("more$it/work")) }
        val more = (1..3).flatMap { rounds(CellId("more$it/work"), 1000.0, 900.0, 1000.0, 1100.0) }
        val family = analyse(testRun(steady + rounds(other, *close) + more, cells))
        throughputOf(family).verdict shouldBe Verdict.UNDECIDED
        throughputOf(family).ratio.interval.shouldNotBeNull().level shouldBe (0.9875 plusOrMinus 1e-9)
    }

    // The baseline is too noisy to tell any cell from it; the other two are steady, and 10 % apart.
    @Test
    fun `two cells that a claim or a gate names are compared although nothing differs from the baseline`() {
        val trials = rounds(baseline, 800.0, 1200.0, 1000.0, 1100.0) +
            rounds(other, 1000.0, 1001.0, 999.0, 1000.0) + rounds(third, 1100.0, 1101.0, 1102.0, 1100.0)
        fun verdict(of: Experiment) =
            Comparisons(Measurements(testRun(trials, threeCells, of))).between(third, other, Measure.THROUGHPUT)?.verdict
        val unnamed = experiment(threeCells)
        verdict(unnamed) shouldBe Verdict.UNDECIDED
        val assertion = Assertion.Difference(third, other, Measure.THROUGHPUT, Tendency.MORE)
        verdict(unnamed.copy(claims = listOf(Claim("is faster", "test", assertion, 0.1)))) shouldBe Verdict.FASTER
        val (left, right) = listOf(other, third).map { Operand(it, Measure.THROUGHPUT) }
        verdict(unnamed.copy(gates = listOf(Gate("is no less", left, true, 1.0, right)))) shouldBe Verdict.FASTER
        verdict(unnamed.copy(gates = listOf(Gate("is no less", left, true, 1.0, right.copy(operation = "read"))))) shouldBe
            Verdict.UNDECIDED
    }

    // In the last round, a tenth of the baseline's requests has no answer within the 10 s: no ratio to it excludes 1.
    @Test
    fun `bursts are not called different where none differs from a baseline that did not answer 99 percent in one round`() {
        val baselines = evenBurst(baseline, 5000, 5010, 4990, 5000, 5005) + burst(baseline, 6, (1L..90).map { it * 50 })
        val trials = baselines + evenBurst(other, 5000, 5010, 4990, 5000, 5005, 5000) +
            evenBurst(third, 5500, 5511, 5489, 5500, 5505, 5500)
        val measured = Measurements(testRun(trials, burstCells(), experiment(burstCells())))
        Comparisons(measured).between(third, other, Measure.TIME_TO_99)?.verdict shouldBe Verdict.UNDECIDED
    }

    @Test
    fun `rules about figures that are only bounded share the error, too`() {
        val cells = threeCells.map { testCell(it.id, LoadProfile.Open(100.0)) }
        fun trials(cell: CellId, unanswered: Int) =
            (1..3).map { testTrial(cell, it, latencies = latencies(List(50) { 100L }, List(unanswered) { 900L })) }
        val gates = listOf(other, third).map {
            Gate("$it", Operand(it, Measure.P99), atLeast = false, 1.0, Operand(baseline, Measure.P99))
        }
        val run =
            testRun(trials(baseline, 0) + trials(other, 50) + trials(third, 50), cells, experiment(cells).copy(gates = gates))
        Comparisons(Measurements(run)).sizeOf(primary = true) shouldBe 2
    }

    @Test
    fun `less latency is faster`() {
        val analysis = analyse(testRun(answering(baseline, 1000, 1010, 1005) + answering(other, 500, 501, 505), openCells))
        p99Of(analysis).verdict shouldBe Verdict.FASTER
        p99Of(analysis).ratio.value shouldBe (0.4996 plusOrMinus 0.001)
    }

    @Test
    fun `a censored percentile gets no verdict, only a bound`() {
        val full = latencies(List(100) { 100L })
        val stuck = latencies(List(50) { 100L }, List(50) { 900L })
        fun trials(cell: CellId, latencies: LatencyFacts) = (1..3).map { testTrial(cell, it, latencies = latencies) }
        val above = p99Of(analyse(testRun(trials(baseline, full) + trials(other, stuck), openCells)))
        above.bound shouldBe Bound.AT_LEAST
        above.ratio.value shouldBe (9.0 plusOrMinus 0.02)
        above.ratio.interval shouldBe null
        above.verdict shouldBe null
        p99Of(analyse(testRun(trials(baseline, stuck) + trials(other, full), openCells))).bound shouldBe Bound.AT_MOST
        p99Of(analyse(testRun(trials(baseline, stuck) + trials(other, stuck), openCells))).bound shouldBe Bound.UNKNOWN
    }

    // Without the last round it would be faster, if it did not fail more.
    @Test
    fun `no round is named that a verdict depends on, where failures leave it undecided without that round, too`() {
        fun dependsOn(failed: Long): List<Int> {
            val head = listOf(1200.0, 1201.0, 1199.0, 1202.0).mapIndexed { nth, rate ->
                testTrial(other, nth + 1, load = testLoad(rate).copy(errors = mapOf(ErrorCause.RESET to failed)))
            }
            return throughputOf(analyse(testRun(rounds(baseline, 1000.0, 1000.0, 1000.0, 1300.0) + head))).dependsOn
        }
        dependsOn(failed = 0) shouldBe listOf(4)
        dependsOn(failed = 900).shouldBeEmpty()
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
