package bootdyno.explain

import bootdyno.analyse.analyse
import bootdyno.analyse.baseline
import bootdyno.analyse.burstCells
import bootdyno.analyse.evenBurst
import bootdyno.analyse.limited
import bootdyno.analyse.other
import bootdyno.analyse.p99Below200
import bootdyno.analyse.rounds
import bootdyno.analyse.searching
import bootdyno.analyse.series
import bootdyno.analyse.testCell
import bootdyno.analyse.testLoad
import bootdyno.analyse.testRun
import bootdyno.analyse.testTrial
import bootdyno.catalogue.ResourceKind
import bootdyno.model.Bytes
import bootdyno.model.CpuBy
import bootdyno.model.ErrorCause
import bootdyno.model.Experiment
import bootdyno.model.Limits
import bootdyno.model.LoadProfile
import bootdyno.model.MeasuringProtocol
import bootdyno.model.Metric
import bootdyno.model.Prices
import bootdyno.model.SubjectFound
import bootdyno.model.TrialFacts
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class InstancesTest {
    private val limits = Limits(2.0, null, CpuBy.QUOTA)
    private val cells = listOf(testCell(baseline, limits = limits), testCell(other, limits = limits))

    private fun needed(trials: List<TrialFacts>, targetRate: Double? = null) = needed(trials) { copy(targetRate = targetRate) }

    private fun needed(trials: List<TrialFacts>, change: Experiment.() -> Experiment): List<InstancesNeeded> {
        val run = testRun(trials, cells)
        return instancesNeeded(analyse(run.copy(plan = run.plan.copy(experiment = run.plan.experiment.change()))), emptyList())
    }

    // 1,000/s ÷ (140/s × 0.7) = 10.2: 11 instances. They cost 1.10 an hour, in which 3.6 million requests come.
    @Test
    fun `headroom stays free in every instance, and a million requests cost what the instances cost meanwhile`() {
        val trials = rounds(baseline, 140.0, 140.0)
        fun of(prices: Prices?) = needed(trials) { copy(targetRate = 1000.0, headroom = 0.3, prices = prices) }.single()
        of(Prices(instanceHour = 0.10)).run {
            instances shouldBe 11
            costOfMillion.shouldNotBeNull() shouldBe (1.10 / 3.6 plusOrMinus 1e-9)
        }
        // 2 CPUs at 0.04 each, by the limit. The memory is neither limited nor measured: its price is unknown.
        of(Prices(cpuHour = 0.04)).costOfMillion.shouldNotBeNull() shouldBe (11 * 0.08 / 3.6 plusOrMinus 1e-9)
        of(Prices(cpuHour = 0.04, gibHour = 0.005)).costOfMillion shouldBe null
        of(null).costOfMillion shouldBe null
        // 1,000 ÷ (100 × (1 − 0.9)) is 100, and a little more in binary fractions.
        needed(rounds(baseline, 100.0, 100.0)) { copy(targetRate = 1000.0, headroom = 0.9) }.single().instances shouldBe 100
    }

    // 1,000/s for 7 ÷ 140 per second: 8 instances of 140; 10 of 100. At 100/s the CPU grows by 0.5 s per second: 5 ms per request.
    @Test
    fun `instances are the target rate by the capacity, rounded up, and CPU and memory follow`() {
        val subject = SubjectFound(1, emptyList(), null, null, null, null, peakRss = Bytes(300 * Bytes.MIB))
        val series = series(mapOf(Metric.CPU to { at -> at / 2 }))
        val trials =
            (1..2).map { testTrial(baseline, it, 100.0, subject = subject, series = series) } + rounds(other, 140.0, 140.0)
        val (fast, slow) = needed(trials, targetRate = 1000.0)
        slow.instances shouldBe 10
        slow.cpuLimit shouldBe 20.0
        slow.cpuUsed.shouldNotBeNull().value shouldBe (5.0 plusOrMinus 1e-9)
        slow.memory.shouldNotBeNull().value shouldBe (3000.0 * Bytes.MIB plusOrMinus 1.0)
        fast.instances shouldBe 8
        fast.cpuUsed shouldBe null
    }

    // 95 to 105: 10 to 11 instances; the interval is wider than the two trials.
    @Test
    fun `the interval of the capacity gives the fewest and the most`() {
        val one = needed(rounds(baseline, 99.0, 101.0, 100.0, 100.0), targetRate = 1000.0).single()
        one.fewest shouldBe 10
        one.most shouldBe 11
        needed(rounds(baseline, 100.0), targetRate = 1000.0).single().most shouldBe null
    }

    @Test
    fun `without a target rate it is ten times the best capacity, rounded up to 1, 2 or 5`() {
        needed(rounds(baseline, 30.0) + rounds(other, 42.0)).map { it.targetRate } shouldContainExactly listOf(500.0, 500.0)
        needed(rounds(baseline, 100.0)).single().targetRate shouldBe 1000.0
    }

    @Test
    fun `a cell that fails more requests than the baseline is marked`() {
        val failing = (1..2).map { testTrial(other, it, load = testLoad(140.0).copy(errors = mapOf(ErrorCause.STATUS to 20L))) }
        val (bad, good) = needed(rounds(baseline, 100.0, 100.0) + failing)
        good.doubts.shouldBeEmpty()
        bad.doubts shouldContainExactly listOf("fails more requests than the baseline")
    }

    @Test
    fun `open load, bursts and cold cells measure no capacity`() {
        val open = testCell(baseline, LoadProfile.Open(100.0))
        val cold = testCell(other).run { copy(profile = profile.copy(protocol = MeasuringProtocol.COLD)) }
        instancesNeeded(analyse(testRun(rounds(baseline, 100.0) + rounds(other, 100.0), listOf(open, cold))), emptyList())
            .shouldBeEmpty()
        instancesNeeded(analyse(testRun(evenBurst(baseline, 1000), burstCells())), emptyList()).shouldBeEmpty()
    }

    private fun searched(trials: List<TrialFacts>, targetRate: Double? = null) =
        needed(trials) { copy(targetRate = targetRate, capacity = p99Below200) }

    // The searches found 30.3/s and 40.4/s. The throughputs of the windows, 100/s and 140/s, would give 2,000/s.
    @Test
    fun `after a search the target rate is ten times the best capacity found, not the throughput of a window`() {
        val slow = rounds(baseline, 100.0, 100.0).map { it.searching(30.0 to 50, 30.6 to 300) }
        val fast = rounds(other, 140.0, 140.0)
        val both = searched(slow + fast.map { it.searching(40.0 to 50, 40.8 to 300) })
        both.map { it.targetRate to it.instances } shouldContainExactly listOf(500.0 to 13, 500.0 to 17)
        // The throughput of a cell without a search meets no objective.
        searched(slow + fast).map { it.cell } shouldContainExactly listOf(baseline)
        // Its rates count, though no window does.
        searched(slow.map { it.limited() }).map { it.instances } shouldContainExactly listOf(17)
    }

    @Test
    fun `a cell whose search found no capacity has no instances, one with a lower bound has so many and a doubt`() {
        fun at50(millis: Long) =
            searched(rounds(baseline, 100.0, 100.0).map { it.searching(50.0 to millis) }, targetRate = 1000.0)
        at50(millis = 300).shouldBeEmpty()
        at50(millis = 50).single().run {
            instances shouldBe 20
            doubts shouldContainExactly listOf("its capacity is a lower bound: an instance may serve more")
        }
    }

    @Test
    fun `where the load is the limit an instance may serve more`() {
        val limit = Ceiling("client connections", ResourceKind.LOAD_CONNECTIONS, 400.0, null, 100.0, "profile load")
        val explanation = CellExplanation(baseline, listOf(limit), Bottleneck(limit.limit, "100/s"), null, null, binding = limit)
        instancesNeeded(
            analyse(testRun(rounds(baseline, 100.0), cells)),
            listOf(explanation),
        ).single().doubts shouldContainExactly listOf("limited by the load: an instance may serve more")
    }
}
