package bootdyno.analyse

import bootdyno.model.Gate
import bootdyno.model.LoadProfile
import bootdyno.model.Measure
import bootdyno.model.Operand
import bootdyno.model.RunFacts
import bootdyno.model.SubjectFound
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class TwoRunsTest {
    private val operand = Operand(baseline, Measure.THROUGHPUT)
    private val gate = Gate("rule", operand, atLeast = true, factor = 0.97, right = operand)

    private fun run(vararg perSecond: Double?) = testRun(rounds(baseline, *perSecond))

    private fun compared(base: RunFacts, head: RunFacts) = compareRuns(base, head, commonCells(base, head), listOf(gate))

    private fun outcome(base: RunFacts, head: RunFacts) = compared(base, head).gates.single().outcome

    private val before = run(1000.0, 1010.0, 990.0, 1000.0, 1005.0, 995.0)

    @Test
    fun `a newer run that serves less is slower and fails the rule, another one is equivalent and passes`() {
        val slower = compared(before, run(900.0, 905.0, 895.0, 900.0, 890.0, 910.0))
        slower.gates.single().outcome shouldBe GateOutcome.FAIL
        val ratio = slower.ratios.single()
        ratio.comparison.run {
            measure shouldBe Measure.THROUGHPUT
            verdict shouldBe Verdict.SLOWER
            this.ratio.value shouldBe (0.9 plusOrMinus 1e-3)
        }
        ratio.base.value shouldBe (1000.0 plusOrMinus 0.1)
        ratio.head.value shouldBe (900.0 plusOrMinus 0.1)

        val same = compared(before, run(1001.0, 1009.0, 991.0, 1000.0))
        same.gates.single().outcome shouldBe GateOutcome.PASS
        same.ratios.single().comparison.verdict shouldBe Verdict.EQUIVALENT
    }

    @Test
    fun `a run of two states, of which one does not differ, is neither slower nor fails the rule`() {
        val twoStates = run(800.0, 805.0, 1000.0, 795.0, 1002.0, 798.0, 803.0, 796.0)
        val compared = compared(before, twoStates)
        compared.ratios.single().comparison.run {
            ratio.interval.shouldNotBeNull().high shouldBeLessThan 0.97
            verdict shouldBe Verdict.UNDECIDED
            groups.shouldNotBeNull().run { lower to upper } shouldBe (6 to 2)
        }
        compared.gates.single().run { outcome to twoGroups } shouldBe (GateOutcome.UNDECIDED to true)
        outcome(twoStates, before) shouldBe GateOutcome.PASS
    }

    @Test
    fun `a newer run that fails more requests fails a rule that demands more of it, and passes one that demands less`() {
        val newer = testRun(failing(baseline, 4, 1000.0, 400))
        fun judged(rule: Gate) = compareRuns(before, newer, commonCells(before, newer), listOf(rule)).gates.single()
        judged(gate).run { outcome to moreErrors } shouldBe (GateOutcome.FAIL to true)
        judged(gate.copy(atLeast = false, factor = 1.03)).run { outcome to moreErrors } shouldBe (GateOutcome.PASS to false)
    }

    @Test
    fun `a burst that never answers 99 percent is slower than one that does, in two runs as in one`() {
        fun burst(unanswered: Int, vararg last: Long) =
            testRun(evenBurst(baseline, *last, unanswered = unanswered), burstCells().take(1))
        val base = burst(0, 4000, 4010, 3990)
        fun time(head: RunFacts) = compared(base, head).ratios.single { it.comparison.measure == Measure.TIME_TO_99 }.comparison
        time(burst(5, 1000, 1001, 999)).run { listOf(bound, verdict, matters, ratio.interval) } shouldBe
            listOf(Bound.AT_LEAST, Verdict.SLOWER, true, null)
        compared(burst(5, 1000, 1001, 999), burst(5, 1000, 1001, 999)).primary.single().comparison.verdict shouldBe null
    }

    @Test
    fun `beside open load, the response times of closed load and the throughput of a burst are not compared`() {
        fun run(ms: Long) = testRun(
            (1..3).flatMap { round ->
                listOf(baseline, other).map { testTrial(it, round, latencies = latencies(List(200) { ms + round })) }
            } + evenBurst(third, 4000 + ms, 4010 + ms, 3990 + ms),
            listOf(
                testCell(baseline, LoadProfile.Open(100.0), "open"),
                testCell(other),
                testCell(third, LoadProfile.Burst(100, 1), "burst"),
            ),
        )
        val ratios = compared(run(100), run(150)).ratios.map { it.comparison.run { candidate to measure } }
        ratios.filter { (_, measure) -> measure == Measure.P99 } shouldContainExactly listOf(baseline to Measure.P99)
        ratios.filter { (_, measure) -> measure == Measure.THROUGHPUT }.map { it.first } shouldContainExactly
            listOf(baseline, other)
    }

    // Each round is 1.1 times that of the other run. Pairs would be certain; independent means differ by less than their noise.
    @Test
    fun `the rounds of the runs are not paired`() {
        val together = compared(run(900.0, 1000.0, 1111.1), run(990.0, 1100.0, 1222.2)).ratios.single().comparison
        together.ratio.value shouldBe (1.1 plusOrMinus 1e-3)
        together.verdict shouldBe Verdict.UNDECIDED
    }

    // At deviations of 1.6 and 1.2 %, a difference of 3 % has a p of its own of 0.03: of two cells it is 0.06.
    @Test
    fun `a p is corrected as its interval is`() {
        fun run(vararg perSecond: Double?) = testRun(rounds(baseline, *perSecond) + rounds(other, *perSecond))
        val ratio = compared(run(1000.0, 1020.0, 980.0, 1000.0), run(1030.0, 1045.0, 1015.0, 1030.0)).ratios.first().comparison
        (1.0 in ratio.ratio.interval.shouldNotBeNull()) shouldBe true
        ratio.p.shouldNotBeNull() shouldBe (0.06 plusOrMinus 0.009)
    }

    // Judged alone, 3 % less with these deviations would fail.
    @Test
    fun `a rule is judged by the interval that is printed, which holds together with those of the other cells`() {
        fun run(vararg perSecond: Double?) = testRun(rounds(baseline, *perSecond) + rounds(other, *perSecond))
        val (base, head) = listOf(run(1030.0, 1045.0, 1015.0, 1030.0), run(1000.0, 1020.0, 980.0, 1000.0))
        compareRuns(base, head, commonCells(base, head), listOf(gate.copy(factor = 1.0))).run {
            gates.single().outcome shouldBe GateOutcome.UNDECIDED
            ratios.first { it.comparison.measure == Measure.THROUGHPUT }.comparison.verdict shouldBe Verdict.UNDECIDED
        }
    }

    // Whoever stops where the difference is largest by chance needs more certainty than whoever planned the number of rounds.
    @Test
    fun `runs that chose their number of rounds are judged by the rule that holds at all of them`() {
        fun run(maxRounds: Int, vararg perSecond: Double?) =
            testRun(rounds(baseline, *perSecond), experiment = experiment(protocol = protocol(3, maxRounds)))
        fun width(ofBase: Int, ofHead: Int): Double {
            val head = run(ofHead, 1030.0, 1000.0, 1020.0, 1010.0)
            return compared(run(ofBase, 1000.0, 1020.0, 1010.0, 990.0), head).ratios.single().comparison
                .ratio.interval.shouldNotBeNull().run { high / low }
        }
        width(15, 15) shouldBeGreaterThan width(3, 3)
        width(3, 15) shouldBe width(15, 15)
    }

    @Test
    fun `a single round decides nothing, and a cell that was not measured fails the rule`() {
        outcome(before, run(500.0)) shouldBe GateOutcome.UNDECIDED
        outcome(before, run(null)) shouldBe GateOutcome.NOT_MEASURED
        compared(before, run(1000.0, null, 1000.0)).failures shouldBe listOf(RunFailure(true, "1 failed of base/work: it died"))
    }

    @Test
    fun `capacities are compared although the load generator limited the windows before the searches`() {
        fun searched(rate: Double): RunFacts {
            val trials = (1..3).map { testTrial(baseline, it).limited().searching(rate to 50, rate * 1.1 to 300) }
            return testRun(trials, experiment = experiment().copy(capacity = p99Below200))
        }
        val ratio = compared(searched(100.0), searched(200.0)).ratios.single { it.comparison.measure == Measure.CAPACITY }
        ratio.comparison.ratio.value shouldBe (2.0 plusOrMinus 1e-6)
    }

    @Test
    fun `cells with other requests or another load are refused, with what differs`() {
        val cells = twoCells.map { it.copy(profile = it.profile.copy(load = LoadProfile.Closed(100))) }
        val common = commonCells(before, testRun(rounds(baseline, 1000.0), cells))
        common.comparable.shouldBeEmpty()
        common.refused.shouldContainExactly("base/work differs in its load.", "other/work differs in its load.")
        commonCells(before, testRun(rounds(third, 1000.0), listOf(testCell(third)))).run { comparable + refused }.shouldBeEmpty()
    }

    @Test
    fun `conditions that differ are named, and runs of different machines are not comparable`() {
        fun measured(sha256: String, jdk: String = "25") = testRun(
            listOf(testTrial(baseline, subject = SubjectFound(1, emptyList(), sha256, null, null, null))),
            environment = quietMachine.copy(jdk = jdk),
        )
        val changed = commonCells(measured("aaaa"), measured("bbbb", jdk = "26")).changed
        changed shouldContain ChangedCondition("SHA-256 of base", "aaaa", "bbbb")
        changed shouldContain ChangedCondition("JDK", "25", "26")
        commonCells(measured("aaaa"), measured("aaaa")).changed.shouldBeEmpty()
        whyNotComparable(before, before) shouldBe null
        val elsewhere = before.copy(environment = quietMachine.copy(cpus = 64, virtualMachine = "kvm"))
        whyNotComparable(before, elsewhere).shouldNotBeNull() shouldBe
            "The runs are of different machines: number of CPUs 4 and 64, virtual machine none and kvm."
    }
}
