package bootdyno.analyse

import bootdyno.model.ErrorCause
import bootdyno.model.GeneratorFound
import bootdyno.model.Measure
import bootdyno.model.Metric
import bootdyno.model.Stage
import bootdyno.model.SubjectFound
import bootdyno.model.TrialFacts
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import kotlin.math.sqrt

class AnalyseTest {
    private fun cell(trials: List<TrialFacts>) = analyse(testRun(trials)).cell(baseline).shouldNotBeNull()

    // 400/s and 100/s: the geometric mean is 200.
    @Test
    fun `throughput is the geometric mean of answered by measured seconds`() {
        val throughput = cell(rounds(baseline, 400.0, 100.0)).throughput.shouldNotBeNull()
        throughput.value shouldBe (200.0 plusOrMinus 1e-9)
        throughput.n shouldBe 2
    }

    @Test
    fun `the rate divides by the window as measured, not as asked for`() {
        val load = testLoad().copy(answered = 1100, windowSeconds = 11.0)
        cell(listOf(testTrial(load = load))).throughput.shouldNotBeNull().value shouldBe (100.0 plusOrMinus 1e-9)
    }

    @Test
    fun `both measurements of the baseline count, and their ratio is the comparison with itself`() {
        val analysis = analyse(testRun(rounds(baseline, 100.0, 100.0) + rounds(baseline, 110.0, 110.0, again = true)))
        analysis.cell(baseline).shouldNotBeNull().throughput.shouldNotBeNull().value shouldBe
            (sqrt(100.0 * 110.0) plusOrMinus 1e-9)
        analysis.resolution.shouldNotBeNull().ratio.value shouldBe (1.1 plusOrMinus 1e-9)
        analysis.cell(baseline).shouldNotBeNull().trials.count { it.again } shouldBe 2
        analysis.cell(baseline).shouldNotBeNull().throughput.shouldNotBeNull().n shouldBe 2
    }

    // Two trials of one round are not two rounds.
    @Test
    fun `one round has no interval, also of a baseline that was measured twice`() {
        val cell = analyse(
            testRun(rounds(baseline, 100.0) + rounds(baseline, 110.0, again = true)),
        ).cell(baseline).shouldNotBeNull()
        cell.throughput.shouldNotBeNull().interval shouldBe null
        cell.throughput.shouldNotBeNull().n shouldBe 1
    }

    @Test
    fun `a trial that measured the load generator is shown but not counted`() {
        val busy = testLoad(50.0).copy(generator = GeneratorFound(cpuSeconds = 9.5, cpus = 1.0, lagP99Ms = null))
        val cell = cell(rounds(baseline, 100.0) + testTrial(baseline, 2, load = busy))
        cell.throughput.shouldNotBeNull().n shouldBe 1
        cell.throughput.shouldNotBeNull().value shouldBe (100.0 plusOrMinus 1e-9)
        cell.trials.map { it.valid } shouldContainExactly listOf(true, false)
        cell.trials.last().threats.map { it.kind } shouldContainExactly listOf(Threat.Kind.LOAD_GENERATOR)
    }

    @Test
    fun `a failed trial is listed and the rest is still judged`() {
        val analysis = analyse(testRun(rounds(baseline, 100.0, 100.0, 100.0) + rounds(other, 200.0, null, 200.0)))
        analysis.cell(other).shouldNotBeNull().throughput.shouldNotBeNull().n shouldBe 2
        analysis.comparisons.single().ratio.n shouldBe 2
        analysis.roundsDone shouldBe 3
        val failure = analysis.failures.single()
        failure.cell shouldBe other
        failure.round shouldBe 2
        failure.stage shouldBe Stage.READY
        failure.lastLines shouldContainExactly listOf("last line")
    }

    @Test
    fun `a round without all its cells is not done, but what it has counts`() {
        val analysis = analyse(testRun(rounds(baseline, 100.0, 100.0) + rounds(other, 200.0)))
        analysis.roundsDone shouldBe 1
        analysis.cell(baseline).shouldNotBeNull().throughput.shouldNotBeNull().n shouldBe 2
    }

    @Test
    fun `a run without a single trial has no figures and does not break`() {
        val analysis = analyse(testRun(emptyList()))
        analysis.cells.map { it.throughput } shouldContainExactly listOf(null, null)
        analysis.ranking.shouldBeEmpty()
        analysis.comparisons.shouldBeEmpty()
        analysis.resolution shouldBe null
    }

    @Test
    fun `requests and errors are sums over the counted trials`() {
        val load = testLoad(10.0).copy(errors = mapOf(ErrorCause.TIMEOUT to 3, ErrorCause.RESET to 0), inFlight = 4)
        val cell = cell(listOf(testTrial(round = 1, load = load), testTrial(round = 2, load = load)))
        cell.answered shouldBe 200
        cell.inFlight shouldBe 8
        cell.errors[ErrorCause.TIMEOUT] shouldBe 6
    }

    // 0.5 CPU at 100/s is 5 ms a request; 30 + 20 switches a second at 100/s are 0.5 a request; 2 of 10 periods; start-up as
    // recorded.
    // 0.5 CPUs, 0.004 of them for the probe; 100 requests per second.
    @Test
    fun `the CPU time that a JVM spends on answering the probe is not its own`() {
        val watched = series(mapOf(Metric.CPU to { 0.5 * it }, Metric.PROBE_CPU to { 0.3 + 0.004 * it }))
        val resources = cell(listOf(testTrial(series = watched))).resources.mapValues { (_, it) -> it.value }
        resources.getValue(Measure.CPU) shouldBe (0.496 plusOrMinus 1e-9)
        resources.getValue(Measure.CPU_PER_REQUEST) shouldBe (0.00496 plusOrMinus 1e-9)
    }

    @Test
    fun `resources come from the window and the start-up from the record`() {
        val series = series(
            mapOf(
                Metric.CPU to { 0.5 * it },
                Metric.RSS to { 1e6 },
                Metric.THREADS to { 40.0 },
                Metric.THROTTLED_PERIODS to { 2 * it },
                Metric.PERIODS to { 10 * it },
                Metric.VOLUNTARY_SWITCHES to { 30 * it },
                Metric.INVOLUNTARY_SWITCHES to { 20 * it },
            ),
        )
        val subject = SubjectFound(1, emptyList(), null, startupSeconds = 2.5, startupCpuSeconds = null, aloneSeconds = null)
        val resources = cell(listOf(testTrial(series = series, subject = subject))).resources.mapValues { (_, it) -> it.value }
        resources.keys shouldBe setOf(
            Measure.CPU_PER_REQUEST,
            Measure.CPU,
            Measure.RSS,
            Measure.THREADS,
            Measure.STARTUP,
            Measure.THROTTLED,
            Measure.SWITCHES_PER_REQUEST,
            Measure.INVOLUNTARY_PER_REQUEST,
        )
        resources.getValue(Measure.CPU_PER_REQUEST) shouldBe (0.005 plusOrMinus 1e-9)
        resources.getValue(Measure.CPU) shouldBe (0.5 plusOrMinus 1e-9)
        resources.getValue(Measure.RSS) shouldBe (1e6 plusOrMinus 1e-3)
        resources.getValue(Measure.THROTTLED) shouldBe (0.2 plusOrMinus 1e-9)
        resources.getValue(Measure.SWITCHES_PER_REQUEST) shouldBe (0.5 plusOrMinus 1e-9)
        resources.getValue(Measure.INVOLUNTARY_PER_REQUEST) shouldBe (0.2 plusOrMinus 1e-9)
        resources.getValue(Measure.STARTUP) shouldBe (2.5 plusOrMinus 1e-9)
    }
}
