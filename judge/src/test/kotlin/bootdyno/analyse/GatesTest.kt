package bootdyno.analyse

import bootdyno.model.CellId
import bootdyno.model.ErrorCause
import bootdyno.model.Gate
import bootdyno.model.LoadProfile
import bootdyno.model.Measure
import bootdyno.model.Operand
import bootdyno.model.TrialFacts
import io.kotest.assertions.withClue
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class GatesTest {
    private val throughput = Operand(other, Measure.THROUGHPUT)
    private val baseThroughput = Operand(baseline, Measure.THROUGHPUT)

    private fun judge(trials: List<TrialFacts>, left: Operand, atLeast: Boolean, factor: Double, right: Operand?) = analyse(
        testRun(trials, experiment = experiment().copy(gates = listOf(Gate("rule", left, atLeast, factor, right)))),
    ).gates.single()

    // Ratios 1.95, 1.97, 1.99: mean 1.9699, half-width on the logarithm 4.3027 × 0.01015 / √3 = 0.0252: 1.921 to 2.020.
    private val twice = rounds(baseline, 100.0, 100.0, 100.0) + rounds(other, 195.0, 197.0, 199.0)

    private class Case(val atLeast: Boolean, val factor: Double, val outcome: GateOutcome)

    @Test
    fun `a gate passes or fails when the whole interval does and is undecided when it straddles`() {
        listOf(
            Case(true, 1.80, GateOutcome.PASS),
            Case(true, 1.95, GateOutcome.UNDECIDED),
            Case(true, 2.10, GateOutcome.FAIL),
            Case(false, 2.10, GateOutcome.PASS),
            Case(false, 1.95, GateOutcome.UNDECIDED),
            Case(false, 1.80, GateOutcome.FAIL),
        ).forEach {
            withClue("at least ${it.atLeast}, ${it.factor}") {
                val gate = judge(twice, throughput, it.atLeast, it.factor, baseThroughput)
                gate.outcome shouldBe it.outcome
                gate.observed.shouldNotBeNull().value shouldBe (1.9699 plusOrMinus 1e-3)
            }
        }
    }

    @Test
    fun `rounds of two groups, of which only one is beyond the limit, decide no gate`() {
        val base = rounds(baseline, *Array<Double?>(16) { 100.0 })
        // In six of sixteen rounds at 0.8 times: the interval, 0.86 to 0.99, ends below the limit.
        val slowInSome = base + rounds(other, *Array<Double?>(16) { if (it < 6) 80.0 + it / 10.0 else 99.0 + it / 10.0 })
        val gate = judge(slowInSome, throughput, true, 0.995, baseThroughput)
        gate.observed?.interval.shouldNotBeNull().high shouldBeLessThan 0.995
        gate.outcome shouldBe GateOutcome.UNDECIDED
        gate.twoGroups shouldBe true
        val slowInAll = base + rounds(other, *Array<Double?>(16) { 80.0 + it / 10.0 })
        judge(slowInAll, throughput, true, 0.995, baseThroughput).outcome shouldBe GateOutcome.FAIL
    }

    @Test
    fun `a number on the right is compared with the figure itself`() {
        judge(twice, throughput, true, 150.0, null).outcome shouldBe GateOutcome.PASS
        judge(twice, throughput, true, 250.0, null).outcome shouldBe GateOutcome.FAIL
        judge(twice, throughput, true, 197.0, null).outcome shouldBe GateOutcome.UNDECIDED
    }

    @Test
    fun `one round decides nothing and without data a gate is not measured`() {
        val once = rounds(baseline, 100.0) + rounds(other, 200.0)
        judge(once, throughput, true, 1.0, baseThroughput).outcome shouldBe GateOutcome.UNDECIDED
        judge(rounds(baseline, 100.0), throughput, true, 1.0, baseThroughput).outcome shouldBe GateOutcome.NOT_MEASURED
        judge(emptyList(), throughput, false, 1.0, null).outcome shouldBe GateOutcome.NOT_MEASURED
    }

    // 2 % of the requests, for certain.
    private val failures: List<TrialFacts> = failing(other, 3, 195.0, 40)

    @Test
    fun `a cell that fails more requests than the other does not pass, nor does one fail against it`() {
        fun of(left: Operand, factor: Double, right: Operand) =
            judge(rounds(baseline, 100.0, 100.0, 100.0) + failures, left, true, factor, right)
        of(throughput, 1.0, baseThroughput).run { listOf(outcome, moreErrors) } shouldBe listOf(GateOutcome.FAIL, true)
        of(baseThroughput, 1.0, throughput).run { listOf(outcome, moreErrors) } shouldBe listOf(GateOutcome.UNDECIDED, true)
        val once = listOf(testTrial(baseline, 1, 100.0), failures.first())
        judge(once, throughput, true, 1.0, baseThroughput).outcome shouldBe GateOutcome.UNDECIDED
    }

    @Test
    fun `a cell that fails requests beside one that was not measured has not failed more of them`() {
        judge(rounds(baseline, null, null, null) + failures, throughput, true, 1.0, baseThroughput)
            .run { outcome to moreErrors } shouldBe (GateOutcome.NOT_MEASURED to false)
    }

    // Nothing read the memory of these processes.
    @Test
    fun `errors decide no rule about a figure that was not measured, and one round of either side makes none sure`() {
        val (memory, ofBase) = listOf(other, baseline).map { Operand(it, Measure.RSS) }
        judge(rounds(baseline, 100.0, 100.0, 100.0) + failures, memory, false, 1.1, ofBase)
            .run { outcome to moreErrors } shouldBe (GateOutcome.NOT_MEASURED to false)
        judge(rounds(baseline, 100.0) + failures, throughput, true, 1.0, baseThroughput).outcome shouldBe GateOutcome.UNDECIDED
    }

    @Test
    fun `zero errors pass a gate on zero errors`() {
        val errors = Operand(baseline, Measure.ERRORS)
        judge(rounds(baseline, 100.0, 100.0), errors, false, 0.0, null).outcome shouldBe GateOutcome.PASS
        val failing = testLoad().copy(errors = mapOf(ErrorCause.RESET to 500L))
        val trials = (1..3).map { testTrial(baseline, it, load = failing) }
        judge(trials, errors, false, 0.0, null).outcome shouldBe GateOutcome.FAIL
        // 500 of 1500 sent.
        judge(trials, errors, false, 0.0, null).observed.shouldNotBeNull().value shouldBe (1.0 / 3 plusOrMinus 1e-9)
    }

    // Nobody fails anywhere: 0 by 0 is no ratio, yet 0 ≤ 1 × 0 holds.
    @Test
    fun `two sides of 0 are compared without a ratio`() {
        val clean = rounds(baseline, 100.0, 100.0) + rounds(other, 100.0, 100.0)
        judge(clean, Operand(other, Measure.ERRORS), false, 1.0, Operand(baseline, Measure.ERRORS)).outcome shouldBe
            GateOutcome.PASS
    }

    private fun failing(cell: CellId, vararg failed: Long) = failed.mapIndexed { nth, number ->
        testTrial(cell, nth + 1, load = testLoad().copy(errors = mapOf(ErrorCause.RESET to number)))
    }

    // Where the base fails some, the other one fails half of that; where it fails none, a tenth of all requests.
    @Test
    fun `a rule is judged by all rounds, though nothing can be divided by the zeros of some`() {
        fun of(trials: List<TrialFacts>) =
            judge(trials, Operand(other, Measure.ERRORS), false, 1.0, Operand(baseline, Measure.ERRORS)).outcome
        of(failing(baseline, 0, 0, 0, 10, 10, 10) + failing(other, 100, 100, 100, 5, 5, 5)) shouldBe GateOutcome.UNDECIDED
        of(failing(baseline, 0, 0, 1) + failing(other, 100, 100, 101)) shouldBe GateOutcome.FAIL
    }

    // Five rounds at 100 ms and one at 900 ms or more: their mean, 144 ms or more, has an interval from 56 ms on.
    @Test
    fun `bounds that differ from round to round decide by the end of their interval`() {
        val p99 = Operand(baseline, Measure.P99)
        fun of(vararg unanswered: Int) = judge(
            unanswered.mapIndexed { nth, lost ->
                testTrial(round = nth + 1, latencies = latencies(List(50) { 100L }, List(lost) { 900L }))
            },
            p99,
            false,
            130.0,
            null,
        )
        of(0, 0, 0, 0, 0, 50).run { listOf(bound, outcome) } shouldBe listOf(Bound.AT_LEAST, GateOutcome.UNDECIDED)
        of(50, 50, 50, 50, 50, 50).outcome shouldBe GateOutcome.FAIL
    }

    @Test
    fun `a bound beyond the limit fails even after one round, one below it is undecided`() {
        val stuck = listOf(testTrial(latencies = latencies(List(50) { 100L }, List(50) { 900L })))
        val p99 = Operand(baseline, Measure.P99)
        judge(stuck, p99, false, 650.0, null).outcome shouldBe GateOutcome.FAIL
        judge(stuck, p99, false, 1500.0, null).outcome shouldBe GateOutcome.UNDECIDED
        judge(stuck, p99, false, 650.0, null).bound shouldBe Bound.AT_LEAST
    }

    // Of one round, the requests of the one have no answer after 900 ms, those of the other take 100 ms.
    @Test
    fun `a ratio of one round decides no rule, whatever its bound is`() {
        fun of(rounds: Int) = judge(
            (1..rounds).flatMap {
                listOf(
                    testTrial(baseline, it, latencies = latencies(List(100) { 100L })),
                    testTrial(other, it, latencies = latencies(List(50) { 100L }, List(50) { 900L })),
                )
            },
            Operand(other, Measure.P99),
            false,
            1.0,
            Operand(baseline, Measure.P99),
        )
        of(1).run { outcome to bound } shouldBe (GateOutcome.UNDECIDED to Bound.AT_LEAST)
        of(3).outcome shouldBe GateOutcome.FAIL
    }

    @Test
    fun `a maximum decides no gate where the load generator was late for it`() {
        val load = testLoad().run { copy(generator = generator.copy(lagP99Ms = 0.1, lagP999Ms = 0.1, lagMaxMs = 50.0)) }
        val trials = (1..3).map { testTrial(baseline, it, load = load, latencies = latencies(List(100) { 100L })) }
        fun outcome(measure: Measure): GateOutcome {
            val cells = listOf(testCell(baseline, LoadProfile.Open(100.0)))
            val gate = Gate("rule", Operand(baseline, measure), atLeast = false, 500.0, right = null)
            return analyse(testRun(trials, cells, experiment(cells).copy(gates = listOf(gate)))).gates.single().outcome
        }
        outcome(Measure.P99) shouldBe GateOutcome.PASS
        outcome(Measure.MAX) shouldBe GateOutcome.NOT_MEASURED
    }
}
