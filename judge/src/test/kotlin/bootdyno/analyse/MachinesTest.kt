package bootdyno.analyse

import bootdyno.model.Environment
import bootdyno.model.Gate
import bootdyno.model.LoadProfile
import bootdyno.model.Measure
import bootdyno.model.Operand
import bootdyno.model.RunFacts
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test

/** Runs merged from rounds of several machines. */
class MachinesTest {
    private fun machine(cpu: String?, vararg rounds: Int) = quietMachine.copy(cpuModel = cpu, rounds = rounds.toList())

    /** `other` serves 1.1 times as much as the baseline, within 1 %; odd rounds are on a machine of half the speed. */
    private val trials = rounds(baseline, 100.0, 200.0, 101.0, 202.0, 99.0, 198.0) +
        rounds(other, 110.0, 221.0, 111.0, 222.0, 109.0, 217.0)

    private fun merged(vararg machines: Environment): RunFacts =
        testRun(trials, environment = machines.first()).copy(otherMachines = machines.drop(1))

    private val unlike = merged(machine("slow", 1, 3, 5), machine("fast", 2, 4, 6))

    private fun Analysis.ratio() = comparisons.single { it.measure == Measure.THROUGHPUT }

    @Test
    fun `rounds of one machine are judged as a run that was not merged`() {
        val whole = analyse(testRun(trials))
        val part = analyse(merged(machine(null, 1, 2, 3, 4, 5, 6)))
        part.comparisons shouldBe whole.comparisons
        part.cells.map { it.throughput } shouldBe whole.cells.map { it.throughput }
        whole.ratio().betweenMachines.shouldBeNull()
        whole.machines.shouldBeEmpty()
    }

    @Test
    fun `one round on each machine gives the intervals of one run`() {
        val machines = (1..6).map { machine("cpu", it) }.toTypedArray()
        val judged = analyse(merged(*machines))
        judged.ratio().ratio shouldBe analyse(testRun(trials)).ratio().ratio
        judged.ratio().betweenMachines.shouldBeNull()
        judged.cells.map { it.throughput } shouldBe analyse(testRun(trials)).cells.map { it.throughput }
    }

    @Test
    fun `figures of different CPU models have no common interval, their ratios do`() {
        val judged = analyse(unlike)
        judged.cells.forEach { cell ->
            cell.throughput.shouldNotBeNull().interval.shouldBeNull()
            cell.throughput.shouldNotBeNull().n shouldBe 6
        }
        judged.ratio().ratio.value shouldBe (1.1 plusOrMinus 0.005)
        judged.ratio().ratio.interval.shouldNotBeNull()
        judged.ratio().betweenMachines.shouldNotBeNull()
        judged.threats.single { it.kind == Threat.Kind.SEVERAL_MACHINES }.sentence shouldContain "(slow and fast)"
    }

    // Of the mean of bounds from machines of different speed it is not known how exact it is.
    @Test
    fun `a figure that is censored on one of several CPU models decides no rule`() {
        val cells = listOf(testCell(baseline, LoadProfile.Open(100.0)))
        val trials = (1..6).map { round ->
            testTrial(round = round, latencies = latencies(List(50) { 100L }, List(if (round == 6) 50 else 0) { 900L }))
        }
        fun outcome(vararg machines: Environment): GateOutcome {
            val gate = Gate("rule", Operand(baseline, Measure.P99), atLeast = false, 130.0, right = null)
            val run = testRun(trials, cells, experiment(cells).copy(gates = listOf(gate)), machines.first())
            return analyse(run.copy(otherMachines = machines.drop(1))).gates.single().outcome
        }
        outcome(machine("one", 1, 3, 5), machine("other", 2, 4, 6)) shouldBe GateOutcome.UNDECIDED
    }

    @Test
    fun `a ratio that differs between machines is a doubt, one that does not is none`() {
        val apart = testRun(
            rounds(baseline, 100.0, 200.0, 101.0, 202.0, 99.0, 198.0) + rounds(other, 110.0, 301.0, 111.0, 302.0, 109.0, 297.0),
        ).copy(environment = machine("cpu", 1, 3, 5), otherMachines = listOf(machine("cpu", 2, 4, 6)))
        analyse(apart).threats.single { it.kind == Threat.Kind.SEVERAL_MACHINES }.sentence shouldContain
            "Ratios differ between machines: that of other/work by"
        val alike = apart.copy(trials = testRun(trials).trials)
        analyse(alike).threats.filter { it.kind == Threat.Kind.SEVERAL_MACHINES }.shouldBeEmpty()
    }

    @Test
    fun `each machine has figures of its own, with intervals`() {
        val machines = analyse(unlike).machines
        machines shouldHaveSize 2
        val slow = machines[0].figures.getValue(baseline).getValue(Measure.THROUGHPUT).estimate
        slow.value shouldBe (100.0 plusOrMinus 0.1)
        slow.interval.shouldNotBeNull()
        machines[1].figures.getValue(other).getValue(Measure.THROUGHPUT).estimate.value shouldBe (220.0 plusOrMinus 0.1)
    }

    @Test
    fun `a machine has the capacity that was searched though the load generator limited the window before`() {
        val searched = trials.map { it.limited().searching(100.0 to 50, 102.3 to 300) }
        val run = testRun(searched, experiment = experiment().copy(capacity = p99Below200), environment = machine("cpu", 1, 3, 5))
        val first = analyse(run.copy(otherMachines = listOf(machine("cpu", 2, 4, 6)))).machines.first()
        first.figures.getValue(baseline).getValue(Measure.CAPACITY).estimate.n shouldBe 3
    }

    @Test
    fun `machines of one CPU model have a common interval, machines of an unknown one have not`() {
        fun interval(cpu: String?) =
            analyse(merged(machine(cpu, 1, 3, 5), machine(cpu, 2, 4, 6))).cells.first().throughput.shouldNotBeNull().interval
        interval("cpu").shouldNotBeNull()
        interval(null).shouldBeNull()
    }

    @Test
    fun `machines of different speed are no noise, no drift and no two groups of trials`() {
        val kinds = analyse(unlike).cells.flatMap { it.threats }.map { it.kind }
        kinds.filter { it in setOf(Threat.Kind.NOISY, Threat.Kind.DRIFT, Threat.Kind.BISTABLE) }.shouldBeEmpty()
        analyse(testRun(trials)).cells.flatMap { it.threats }.map { it.kind } shouldContain Threat.Kind.BISTABLE
    }

    @Test
    fun `a part of a plan and missing rounds of a merged run are named`() {
        val part = analyse(testRun(rounds(baseline, 100.0) + rounds(other, 110.0), environment = machine("cpu", 3)))
        part.threats.single { it.kind == Threat.Kind.NO_INTERVAL }.sentence shouldContain "round 3 of 6"
        val incomplete = unlike.copy(trials = unlike.trials.filter { it.record.trial.round !in setOf(4, 5) })
        analyse(incomplete).threats.first { it.kind == Threat.Kind.FEW_TRIALS }.sentence shouldBe
            "Not measured: rounds 4 and 5 of 6."
    }

    @Test
    fun `runs on different machines are not compared, also where only one round differs`() {
        whyNotComparable(testRun(trials), testRun(trials)).shouldBeNull()
        val same = merged(machine("cpu", 1, 3, 5), machine("cpu", 2, 4, 6))
        whyNotComparable(same, same).shouldBeNull()
        whyNotComparable(unlike, unlike).shouldNotBeNull() shouldContain "CPU slow and fast"
    }
}
