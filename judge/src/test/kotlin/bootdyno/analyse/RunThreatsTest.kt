package bootdyno.analyse

import bootdyno.model.Cell
import bootdyno.model.Ending
import bootdyno.model.LoadProfile
import bootdyno.model.RunFacts
import bootdyno.model.TrialFacts
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldNotContain
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Test

class RunThreatsTest {
    private fun runKinds(run: RunFacts) = analyse(run).threats.map { it.kind }

    // In five rounds the load generator limited the first one of both.
    @Test
    fun `a round counts in which only the second measurement of the baseline does`() {
        val busy = (1..5).map { testTrial(round = it).limited() }
        val again = rounds(baseline, *Array(6) { 100.0 }, again = true)
        val cell = analyse(testRun(busy + clean(6) + again, twoCells.take(1))).cells.single()
        cell.throughput?.n shouldBe 6
        cell.threats.map { it.kind } shouldNotContain Threat.Kind.NO_INTERVAL
    }

    @Test
    fun `one whole round among others is not called the only one`() {
        val trials = rounds(baseline, 100.0, 101.0, 99.0) + rounds(other, 100.0)
        val threats = analyse(testRun(trials)).threats
        threats.single { it.kind == Threat.Kind.NO_INTERVAL }.sentence shouldBe "Only one round is complete."
    }

    @Test
    fun `a run is called short for the width of what its load is judged by`() {
        fun isShort(trials: List<TrialFacts>, vararg cells: Cell) =
            analyse(testRun(trials, cells.toList(), experiment(cells.toList(), protocol(3)))).threats
                .any { it.kind == Threat.Kind.FEW_TRIALS }
        isShort(rounds(baseline, 399.9, 400.0, 400.1), testCell(baseline)) shouldBe false
        isShort(rounds(baseline, 300.0, 400.0, 500.0), testCell(baseline)) shouldBe true
        val cells = twoCells.map { testCell(it.id, LoadProfile.Open(100.0)) }.toTypedArray()
        isShort(answering(baseline, 100, 100, 100) + answering(other, 200, 201, 200), *cells) shouldBe false
        isShort(answering(baseline, 100, 100, 100) + answering(other, 100, 300, 200), *cells) shouldBe true
    }

    @Test
    fun `a run says what holds for all of it`() {
        val one = rounds(baseline, 100.0) + rounds(other, 100.0)
        runKinds(testRun(one)) shouldContainExactly listOf(Threat.Kind.NO_INTERVAL, Threat.Kind.LOOPBACK)
        // Nothing is indicative where nothing was measured.
        runKinds(testRun(rounds(baseline, null) + rounds(other, null))) shouldContainExactly
            listOf(Threat.Kind.FAILED_TRIALS, Threat.Kind.LOOPBACK)
        val machine = quietMachine.copy(virtualMachine = "kvm", governor = "powersave")
        runKinds(testRun(one, environment = machine)) shouldContainExactly
            listOf(Threat.Kind.NO_INTERVAL, Threat.Kind.LOOPBACK, Threat.Kind.VIRTUAL_MACHINE, Threat.Kind.GOVERNOR)
        val three = rounds(baseline, 100.0, 100.0, 100.0) + rounds(other, 100.0, 100.0, null)
        runKinds(testRun(three)) shouldContainExactly
            listOf(Threat.Kind.FEW_TRIALS, Threat.Kind.FAILED_TRIALS, Threat.Kind.LOOPBACK)
    }

    @Test
    fun `trials that were not run are not among those of which some failed`() {
        val left = failedTrial(other, 4).recorded { copy(ending = Ending.NotRun("It needs no further round.")) }
        val trials = rounds(baseline, 100.0, 100.0, 100.0, null) + rounds(other, 100.0, 100.0, 100.0) + left
        analyse(testRun(trials)).threats.single { it.kind == Threat.Kind.FAILED_TRIALS }.sentence shouldBe
            "1 of 7 trials failed, in base/work."
    }

    // The load generator limited its fifth round. The sixth, for which the cell had settled, is not whole.
    @Test
    fun `a trial that was not run takes none of the whole rounds away in which the cell was measured`() {
        val left = failedTrial(other, 6).recorded { copy(ending = Ending.NotRun("It needs no further round.")) }
        val trials = rounds(baseline, 100.0, 100.0, 100.0, 100.0, 100.0) + rounds(other, 100.0, 100.0, 100.0, 100.0) +
            testTrial(other, 5).limited() + left
        analyse(testRun(trials)).cell(other).shouldNotBeNull().threats.map { it.sentence } shouldContain
            "Only 4 of 5 rounds count: the interval is wide."
    }

    @Test
    fun `adaptive stopping is admitted`() {
        val rates = Array<Double?>(7) { 100.0 }
        val experiment = experiment(protocol = protocol(rounds = 6, maxRounds = 15))
        val threats = analyse(testRun(rounds(baseline, *rates) + rounds(other, *rates), experiment = experiment)).threats
        threats.single { it.kind == Threat.Kind.ADAPTIVE }.sentence shouldContain "7 of 6 to 15"
    }

    @Test
    fun `an unfinished run says how much of it is missing`() {
        val threats = analyse(testRun(rounds(baseline, 100.0, 100.0) + rounds(other, 100.0, 100.0))).threats
        threats.map { it.sentence } shouldContain "2 rounds of 6 planned."
        val wide = analyse(testRun(rounds(baseline, 100.0, 100.0) + rounds(other, 100.0, 130.0))).threats
        wide.map { it.sentence } shouldContain "2 rounds of 6 planned: the intervals are wide."
    }

    @Test
    fun `rounds far off that leave a ratio undecided are a doubt, with what the others say`() {
        fun hidden(vararg perSecond: Double?) =
            analyse(testRun(rounds(baseline, 100.0, 101.0, 99.0, 100.0, 101.0, 99.0, 100.0, 100.0) + rounds(other, *perSecond)))
                .threats.find { it.kind == Threat.Kind.OUTLIERS }?.sentence
        hidden(108.0, 110.0, 54.0, 107.0, 109.0, 108.0, 54.0, 108.0).shouldNotBeNull() shouldContain
            "Single rounds may hide a difference: without the highest and the lowest quarter, other/work ÷ $baseline is 1."
        hidden(108.0, 110.0, 106.0, 107.0, 109.0, 108.0, 107.0, 108.0).shouldBeNull()
        hidden(100.0, 101.0, 54.0, 99.0, 100.0, 101.0, 54.0, 100.0).shouldBeNull()
    }
}
