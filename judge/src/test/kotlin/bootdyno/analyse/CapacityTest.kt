package bootdyno.analyse

import bootdyno.model.Cell
import bootdyno.model.CellId
import bootdyno.model.ErrorCause
import bootdyno.model.Experiment
import bootdyno.model.Gate
import bootdyno.model.Measure
import bootdyno.model.Metric
import bootdyno.model.Objective
import bootdyno.model.ObjectiveLimit
import bootdyno.model.OpenPointFound
import bootdyno.model.Operand
import bootdyno.model.Phase
import bootdyno.model.SearchCutOff
import bootdyno.model.Series
import bootdyno.model.SeriesRow
import bootdyno.model.Stage
import bootdyno.model.TrialFacts
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldNotContain
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import kotlin.math.sqrt

class CapacityTest {
    private val objective = Objective(listOf(ObjectiveLimit(Measure.P99, 200.0), ObjectiveLimit(Measure.ERRORS, 0.001)))
    private val searching = experiment().copy(capacity = objective)

    /** A trial that tried these rates, each with one response time in ms for all requests. */
    private fun trial(vararg tried: Tried, round: Int = 1, cell: CellId = baseline): TrialFacts {
        val points = tried.map { step ->
            val load = testLoad(step.answered).copy(due = (step.rate * WINDOW_SECONDS).toLong())
            OpenPointFound(perSecond = step.rate, load = load, searched = true)
        }
        return testTrial(cell, round, perSecond = 100.0 + round).recorded { copy(openPoints = points) }
            .copy(openLatencies = tried.map { latencies(List(100) { _ -> it.millis }) })
    }

    private class Tried(val rate: Double, val millis: Long, val answered: Double = rate)

    private fun analysed(vararg trials: TrialFacts) = analyse(testRun(trials.toList(), experiment = searching))

    private fun cell(trial: TrialFacts, experiment: Experiment = searching): CellAnalysis =
        analyse(testRun(listOf(trial), experiment = experiment)).cell(baseline).shouldNotBeNull()

    private fun capacity(vararg trials: TrialFacts) = analysed(*trials).cell(baseline)?.capacity

    @Test
    fun `the capacity of a trial is between the highest rate that met the objective and the next`() {
        val found = capacity(trial(Tried(90.0, 50), Tried(100.0, 150), Tried(110.0, 300))).shouldNotBeNull()
        found.estimate.value shouldBe (sqrt(100.0 * 110.0) plusOrMinus 1e-9)
        found.censored shouldBe false
    }

    @Test
    fun `it is at most what was answered at these rates`() {
        // A pool serves 100/s; at 102/s response times do not show it yet, at 105/s they do.
        val found = capacity(trial(Tried(102.0, 150, answered = 101.0), Tried(105.0, 300, answered = 100.0)))
        found.shouldNotBeNull().estimate.value shouldBe (101.0 plusOrMinus 1e-9)
    }

    @Test
    fun `a rate that is not answered does not meet the objective, however fast the answers are`() {
        val saturated = trial(Tried(100.0, 10), Tried(110.0, 10, answered = 90.0))
        cell(saturated).capacitySteps.map { it.met }.shouldContainExactly(1, 0)
    }

    // 100 of 10,100 requests are reset: 1 % never get an answer, so p99 is one of those.
    @Test
    fun `a failed request is infinitely slow`() {
        val trial = trial(Tried(1000.0, 50), Tried(1050.0, 50))
        val lenient = searching.copy(capacity = p99Below200)
        fun metWith(failed: Long): List<Int> {
            val points = trial.record.openPoints.map {
                it.copy(load = it.load.copy(answered = 10_000, due = null, errors = mapOf(ErrorCause.RESET to failed)))
            }
            val failing = trial.recorded { copy(openPoints = points) }
                .copy(openLatencies = points.map { latencies(List(10_000) { 50L }) })
            return cell(failing, lenient).capacitySteps.map { it.met }
        }
        metWith(failed = 90) shouldBe listOf(1, 1)
        metWith(failed = 110) shouldBe listOf(0, 0)
    }

    @Test
    fun `without a rate that is too high the capacity is a lower bound, and without one that meets it there is none`() {
        capacity(trial(Tried(90.0, 50), Tried(100.0, 150))).shouldNotBeNull().censored shouldBe true
        capacity(trial(Tried(90.0, 250), Tried(80.0, 220))) shouldBe null
    }

    @Test
    fun `a trial in which no rate meets the objective counts as 0, unless its search was cut off`() {
        val met = arrayOf(Tried(90.0, 50), Tried(100.0, 300))
        val none = trial(Tried(10.0, 300), round = 2)
        val found = capacity(trial(*met), none).shouldNotBeNull().estimate
        found.n shouldBe 2
        found.value shouldBe (sqrt(90.0 * 100.0) / 2 plusOrMinus 1e-9)
        val cutOff = none.recorded { copy(searchCutOff = SearchCutOff(10.0, "It ended.")) }
        capacity(trial(*met), cutOff).shouldNotBeNull().estimate.n shouldBe 1
    }

    @Test
    fun `where no rate meets the objective, a rule about the capacity fails`() {
        fun outcome(rounds: Int, right: Operand? = null): GateOutcome {
            val gate = Gate("rule", Operand(baseline, Measure.CAPACITY), atLeast = true, factor = 0.9, right = right)
            val none = (1..rounds).map { trial(Tried(10.0, 300), round = it) }
            val trials = none + trial(Tried(90.0, 50), Tried(100.0, 300), round = 4, cell = other)
            return analyse(testRun(trials, threeCells, searching.copy(gates = listOf(gate)))).gates.single().outcome
        }
        outcome(rounds = 3) shouldBe GateOutcome.FAIL
        outcome(rounds = 1) shouldBe GateOutcome.UNDECIDED
        outcome(rounds = 0) shouldBe GateOutcome.NOT_MEASURED
        outcome(rounds = 3, right = Operand(third, Measure.CAPACITY)) shouldBe GateOutcome.NOT_MEASURED
        outcome(rounds = 3, right = Operand(baseline, Measure.CAPACITY)) shouldBe GateOutcome.NOT_MEASURED
    }

    @Test
    fun `a rate that the load generator missed ends the search from above`() {
        val trial = trial(Tried(100.0, 50), Tried(110.0, 50))
        val missed = trial.record.openPoints.last().run { copy(load = load.copy(due = 500)) }
        val cell = cell(trial.recorded { copy(openPoints = listOf(openPoints.first(), missed)) })
        val found = cell.capacity.shouldNotBeNull()
        found.censored shouldBe true
        found.estimate.value shouldBe (100.0 plusOrMinus 1e-6)
        cell.capacitySteps.map { it.notOffered }.shouldContainExactly(0, 1)
    }

    @Test
    fun `a search counts although the load generator limited the window before it`() {
        val cell = cell(trial(Tried(100.0, 150), Tried(110.0, 300)).limited())
        cell.counted.size shouldBe 0
        cell.isUncounted shouldBe false
        cell.capacity.shouldNotBeNull().estimate.value shouldBe (sqrt(100.0 * 110.0) plusOrMinus 1e-9)
    }

    // On a busy machine the load generator is late at every rate. Response times count from the intended send time.
    @Test
    fun `a rate counts as met although the load generator was late, and not as missed`() {
        val trial = trial(Tried(100.0, 150), Tried(110.0, 300))
        val points = trial.record.openPoints.map {
            it.copy(load = it.load.copy(generator = it.load.generator.copy(lagP99Ms = 40.0)))
        }
        val cell = cell(trial.recorded { copy(openPoints = points) })
        cell.capacitySteps.map { it.met }.shouldContainExactly(1, 0)
        cell.capacitySteps.map { it.notOffered }.shouldContainExactly(0, 1)
        cell.capacity.shouldNotBeNull().censored shouldBe true
    }

    @Test
    fun `a rate without any answer is no rate that is too high, and one that the load generator offered`() {
        val cell = cell(trial(Tried(100.0, 50), Tried(110.0, 50, answered = 0.0)))
        cell.capacity.shouldNotBeNull().censored shouldBe true
        cell.capacitySteps.map { it.notOffered }.shouldContainExactly(0, 0)
    }

    /** After the window, from second 10 to 20. */
    private val ofTwoRates = listOf(Phase(Stage.LATENCY_AT, 20.0, 32.0), Phase(Stage.LATENCY_AT, 32.0, 44.0))

    @Test
    fun `a disturbance repeats a searched trial only at the rate that bounds its capacity, or if a rule is about the window`() {
        fun isRepeated(disturbed: IntRange, experiment: Experiment = searching): Boolean {
            val trial = trial(Tried(100.0, 50), Tried(102.0, 300))
            val rows = (0..44).map { second ->
                val others = 0.5 * (second.coerceIn(disturbed) - disturbed.first)
                val used = mapOf(Metric.CPU to 0.8 * second, Metric.ENGINE_CPU to 0.1 * second)
                SeriesRow(second.toDouble(), used + (Metric.MACHINE_CPU to 0.9 * second + others))
            }
            val disturbedTrial = trial.recorded { copy(phases = phases + ofTwoRates) }.copy(series = Series(rows))
            return reasonToRepeat(testRun(listOf(disturbedTrial), experiment = experiment).plan, disturbedTrial) != null
        }
        isRepeated(10..20) shouldBe false
        isRepeated(20..32) shouldBe false
        isRepeated(32..44) shouldBe true
        val ofWindow = Gate("rule", Operand(baseline, Measure.THROUGHPUT), atLeast = true, factor = 50.0, right = null)
        isRepeated(10..20, searching.copy(gates = listOf(ofWindow))) shouldBe true
    }

    // Of 10 s at 100/s, from 3 s to 8 s nothing is answered. The first second opens the connections.
    @Test
    fun `an application that stands still in a search is doubted`() {
        fun threats(answered: (Int) -> Int): List<Threat.Kind> {
            val trial = trial(Tried(100.0, 50), Tried(102.0, 300))
            val rows = (20..44).map { SeriesRow(it.toDouble(), mapOf(Metric.ANSWERED to answered(it).toDouble())) }
            val searched = trial.recorded { copy(phases = phases + ofTwoRates) }.copy(series = Series(trial.series.rows + rows))
            return cell(searched).trials.single().threats.map { it.kind }
        }
        threats { 100 * it } shouldNotContain Threat.Kind.STALLED
        threats { if (it in 23..28) 2_300 else 100 * it } shouldContain Threat.Kind.STALLED
    }

    @Test
    fun `searched rates are no points of latency-at, and capacities are compared within rounds`() {
        val trials = (1..6).flatMap { round ->
            listOf(
                trial(Tried(100.0, 50), Tried(102.0 + round / 10.0, 300), round = round),
                trial(Tried(200.0, 50), Tried(205.0 + round / 10.0, 300), round = round, cell = other),
            )
        }.toTypedArray()
        val analysis = analysed(*trials)
        analysis.cells.first().openPoints shouldBe emptyList()
        val comparison = analysis.comparisons.single { it.measure == Measure.CAPACITY }
        comparison.verdict shouldBe Verdict.FASTER
        comparison.ratio.value shouldBe (2.0 plusOrMinus 0.02)
    }

    /** Rounds with a search of both cells; the window of [other] serves 100/s, or 200/s in each second round. */
    private fun searched(rounds: Int, base: Tried, head: Tried, errors: Long = 0) = (1..rounds).flatMap { round ->
        val window = testLoad(100.0 * (1 + round % 2)).copy(errors = mapOf(ErrorCause.STATUS to errors))
        val ofHead = trial(Tried(head.rate * 0.977, 50), head, round = round, cell = other).recorded { copy(load = window) }
        listOf(trial(Tried(base.rate * 0.977, 50), base, round = round), ofHead)
    }.toTypedArray()

    @Test
    fun `requests that fail in the closed window say nothing of a capacity, whose objective counts failures`() {
        val trials = searched(6, Tried(102.0, 300), Tried(205.0, 300), errors = 500)
        val passes = Gate("rule", Operand(other, Measure.CAPACITY), true, 1.5, Operand(baseline, Measure.CAPACITY))
        val analysis = analyse(testRun(trials.toList(), experiment = searching.copy(gates = listOf(passes))))
        analysis.comparisons.single { it.measure == Measure.CAPACITY }.verdict shouldBe Verdict.FASTER
        analysis.gates.single().outcome shouldBe GateOutcome.PASS
    }

    @Test
    fun `capacities are what more rounds are for, though the baseline met the objective at no rate`() {
        fun stop(trials: List<TrialFacts>, cells: List<Cell> = twoCells): String? {
            val planned = searching.copy(repetition = protocol(3, 30))
            return reasonToStop(testRun(trials, cells, planned))
        }
        val none = listOf(50.0, 100.0, 200.0, 50.0, 100.0).mapIndexed { nth, rate ->
            trial(Tried(10.0, 300), round = nth + 1).recorded { copy(load = testLoad(rate)) }
        }
        val found = searched(5, Tried(102.0, 300), Tried(205.0, 300)).filter { it.record.trial.cell == other }
        stop(none + found).shouldNotBeNull()
        stop(none, twoCells.take(1)).shouldNotBeNull()
    }

    // Searches round the capacity to rates that are 2.3 % apart: 2.5706 × 0.023026 / √12 = 0.017087, of a ratio √2 times as much.
    @Test
    fun `the interval of a capacity contains what the rates of its search leave open`() {
        val found = analysed(*searched(6, Tried(102.0, 300), Tried(205.0, 300)))
        val interval = found.cell(baseline)?.capacity?.estimate?.interval.shouldNotBeNull()
        interval.high / interval.low shouldBe (1.0348 plusOrMinus 1e-3)
        val ratio = found.comparisons.single { it.measure == Measure.CAPACITY }.ratio.interval.shouldNotBeNull()
        ratio.high / ratio.low shouldBe (1.0495 plusOrMinus 1e-3)
    }

    @Test
    fun `more rounds follow until a rule between two cells is decided`() {
        val operand = { cell: CellId -> Operand(cell, Measure.THROUGHPUT) }
        val gate = Gate("rule", operand(other), atLeast = true, factor = 0.97, right = operand(baseline))
        fun stop(vararg others: Double): String? {
            val trials = rounds(baseline, *others.map { 1000.0 }.toTypedArray()) + rounds(other, *others.toTypedArray())
            val planned = experiment(protocol = protocol(3, 30)).copy(gates = listOf(gate))
            return reasonToStop(testRun(trials, experiment = planned))
        }
        // Known to ± 2 %, and on the edge of the rule.
        stop(970.0, 975.0, 965.0, 970.0) shouldBe null
        stop(899.0, 900.0, 901.0, 900.0).shouldNotBeNull()
        stop(1000.0, 1001.0, 999.0, 1000.0).shouldNotBeNull()
    }
}
