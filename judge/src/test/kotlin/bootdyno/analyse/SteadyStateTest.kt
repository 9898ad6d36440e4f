package bootdyno.analyse

import bootdyno.model.Ending
import bootdyno.model.LoadProfile
import bootdyno.model.Measure
import bootdyno.model.Metric
import bootdyno.model.Preset
import bootdyno.model.RunFacts
import bootdyno.model.Stage
import bootdyno.model.SubjectFound
import bootdyno.model.Trial
import bootdyno.model.TrialFacts
import bootdyno.model.WarmUp
import bootdyno.model.WarmUpFound
import bootdyno.model.WarmUpSlice
import bootdyno.stats.Point
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import java.util.Random
import kotlin.math.abs
import kotlin.time.Duration
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds

class SteadyStateTest {
    /** A certified trial whose CPU is busy, in every second alike. */
    private val busy: Map<Metric, (Double) -> Double> = mapOf(
        Metric.CPU to { 0.95 * it },
        Metric.COMPILER_CPU to { 0.005 * it },
        Metric.C2_CPU to { 0.002 * it },
        Metric.C2_WAIT to { 0.03 * it },
        Metric.ANSWERED to { 100 * it },
        Metric.MACHINE_CPU to { 1.1 * it },
        Metric.ENGINE_CPU to { 0.1 * it },
    )
    private val certified = WarmUpFound("certified, compiler favoured", 20.0, true)

    private fun trial(
        vararg changed: Pair<Metric, (Double) -> Double>,
        warmUp: WarmUpFound = certified,
        readings: Map<Metric, (Double) -> Double> = busy,
    ): TrialFacts = testTrial(
        series = series(readings + changed),
        limits = limitsFound(),
        warmUp = warmUp,
        latencies = latencies(List(100) { 10L }),
    )

    private fun analysed(vararg trials: TrialFacts): CellAnalysis =
        analyse(testRun(trials.toList(), listOf(testCell(baseline, LoadProfile.Closed(400))))).cell(baseline).shouldNotBeNull()

    private fun threats(trial: TrialFacts) = analysed(trial).trials.single().threats.map { it.kind }

    @Test
    fun `a warm window has no reason to doubt it`() {
        analysed(trial()).unsteady.shouldBeNull()
        threats(trial()).shouldBeEmpty()
    }

    @Test
    fun `a window in which the compiler works says how much of the CPU time was the compiler's`() {
        analysed(trial(Metric.COMPILER_CPU to { 0.133 * it })).unsteady shouldBe
            Unsteady(1, "not warmed up", "14 % of its CPU time was the compiler's")
    }

    @Test
    fun `the compiler counts from a share of the CPU time that matters`() {
        analysed(trial(Metric.COMPILER_CPU to { 0.027 * it })).unsteady.shouldBeNull()
        analysed(trial(Metric.COMPILER_CPU to { 0.030 * it })).unsteady.shouldNotBeNull()
    }

    @Test
    fun `a compiler that waits for a CPU in the window is starved, although it uses little CPU`() {
        val starved = trial(Metric.C2_WAIT to { 0.6 * it })
        analysed(starved).unsteady.shouldNotBeNull().why shouldBe "the compiler waited for a CPU for 60 % of the time"
        threats(starved) shouldContainExactly listOf(Threat.Kind.COMPILER_STARVED)
    }

    @Test
    fun `an application with CPU to spare is warm while the compiler works, and its CPU time per request is qualified`() {
        // As measured by earlier versions: uncertified, because C2 never rested.
        val idle = trial(
            Metric.CPU to { 0.1 * it },
            Metric.COMPILER_CPU to { 0.024 * it },
            Metric.MACHINE_CPU to { 0.25 * it },
            warmUp = WarmUpFound("certified, compiler favoured", 60.0, false),
        )
        analysed(idle).unsteady.shouldBeNull()
        threats(idle) shouldContainExactly listOf(Threat.Kind.COMPILING)
    }

    @Test
    fun `compiling on a CPU that is not full makes no variant cold whose requests hardly compute`() {
        // 100 requests a second: 2 ms each at a CPU of which half is the application's and the compiler's together.
        fun compiling(aloneSeconds: Double?, cpu: Double = 0.55) = trial(
            Metric.CPU to { cpu * it },
            Metric.COMPILER_CPU to { (cpu - 0.2) * it },
            Metric.MACHINE_CPU to { (cpu + 0.15) * it },
        ).recorded { copy(subject = SubjectFound(1, emptyList(), null, null, null, aloneSeconds)) }
        analysed(compiling(aloneSeconds = 0.5)).unsteady.shouldBeNull()
        threats(compiling(aloneSeconds = 0.5)) shouldContainExactly listOf(Threat.Kind.COMPILING)
        analysed(compiling(aloneSeconds = 0.1)).unsteady.shouldNotBeNull()
        analysed(compiling(aloneSeconds = null)).unsteady.shouldNotBeNull()
        analysed(compiling(aloneSeconds = 0.5, cpu = 0.85)).unsteady.shouldNotBeNull()
    }

    @Test
    fun `a warm-up that is not certified tells a starved compiler from a busy one`() {
        fun uncertified(wait: Double?, c2: Double? = 1.0) = trial(
            warmUp = WarmUpFound("certified", 60.0, false, listOf(WarmUpSlice(2.5, 100.0, c2, c2WaitSeconds = wait))),
            readings = busy - Metric.C2_WAIT,
        )
        threats(uncertified(wait = 1.5)) shouldContainExactly listOf(Threat.Kind.COMPILER_STARVED)
        threats(uncertified(wait = 0.1)) shouldContainExactly listOf(Threat.Kind.STILL_WARMING)
        threats(uncertified(wait = null)) shouldContainExactly listOf(Threat.Kind.COMPILER_STARVED)
        analysed(uncertified(0.1)).unsteady.shouldNotBeNull().why shouldBe "no steady state after 60 s of warm-up"
        // A server that was only given as a URL.
        analysed(uncertified(wait = null, c2 = null)).trials.single().threats.single().sentence shouldBe
            "No steady state after 60 s of warm-up: the throughput changed, and the JIT compiler could not be observed."
    }

    @Test
    fun `a window that shows an idle compiler needs no certificate`() {
        analysed(trial(warmUp = WarmUpFound("certified", 60.0, false))).unsteady.shouldBeNull()
    }

    @Test
    fun `a throughput that moves by more than matters is not steady, less is`() {
        // From 10 to 20 s: 100/s at first; the slopes give 5 % and 2 % over the nine seconds between the middles of readings.
        fun slope(perSecond: Double) = trial(Metric.ANSWERED to { 100 * it + perSecond * (it - 10) * (it - 10) / 2 })
        analysed(slope(0.6)).unsteady.shouldNotBeNull().why shouldContain "its throughput rose by 5"
        analysed(slope(-0.6)).unsteady.shouldNotBeNull().what shouldBe "not steady"
        threats(slope(0.6)) shouldContainExactly listOf(Threat.Kind.STILL_WARMING)
        threats(slope(-0.6)) shouldContainExactly listOf(Threat.Kind.NOT_STEADY)
        analysed(slope(0.2)).unsteady.shouldBeNull()
    }

    @Test
    fun `some trials of a cell that are not warm are counted`() {
        analysed(trial(), trial(Metric.COMPILER_CPU to { 0.133 * it }), trial()).unsteady.shouldNotBeNull().trials shouldBe 1
    }

    @Test
    fun `noise alone seldom makes a trend, and a rise of a tenth is found`() {
        fun share(seconds: Int, rise: Double, noise: Double, memory: Double): Double {
            val random = Random(1)
            val found = (1..4000).count {
                var left = 0.0
                val rates = (0 until seconds).map { second ->
                    left = memory * left + random.nextGaussian() * noise
                    Point(second.toDouble(), 1000 * (1 + rise * second / (seconds - 1) + left))
                }
                trendOf(rates)?.let { abs(it.change) > 0.03 } == true
            }
            return found / 4000.0
        }
        // Windows of 10, 15 and 30 s; noise of 3 % a second, independent, and with a memory of 0.3.
        listOf(9, 14, 29).forEach { seconds ->
            share(seconds, rise = 0.0, noise = 0.03, memory = 0.0) shouldBeLessThan 0.012
            share(seconds, rise = 0.0, noise = 0.03, memory = 0.3) shouldBeLessThan 0.05
        }
        share(14, rise = 0.10, noise = 0.02, memory = 0.0) shouldBeGreaterThan 0.9
        share(29, rise = 0.10, noise = 0.03, memory = 0.0) shouldBeGreaterThan 0.9
    }

    @Test
    fun `a disturbed trial is repeated, one that was not warm with twice its warm-up, and one whose throughput fell is not`() {
        fun reason(trial: TrialFacts, rounds: Int = 6, preset: Preset = Preset.STANDARD) =
            testRun(listOf(trial)).plan.let { plan ->
                val warmUp = WarmUp.Certified(5.seconds, budget = 60.seconds)
                val repetition = plan.experiment.repetition.copy(preset, rounds = rounds, maxRounds = rounds, warmUp = warmUp)
                reasonToRepeat(plan.copy(experiment = plan.experiment.copy(repetition = repetition)), trial)
            }
        reason(trial()).shouldBeNull()
        reason(trial(Metric.MACHINE_CPU to { 1.4 * it })).shouldNotBeNull().sentence shouldContain "Other processes used"
        reason(trial(Metric.STEAL to { 0.2 * it })).shouldNotBeNull().sentence shouldContain "Steal time"
        val slept = trial().recorded { copy(clocksApartSeconds = 90.0) }
        reason(slept).shouldNotBeNull().sentence shouldContain "90 s"
        val stopped = trial().let { facts ->
            facts.copy(series = facts.series.copy(rows = facts.series.rows.filter { it.at !in 12.0..18.0 }))
        }
        reason(stopped).shouldNotBeNull().sentence shouldContain "no reading for 8 s"

        val cold = trial(Metric.COMPILER_CPU to { 0.133 * it })
        reason(cold).shouldNotBeNull().warmAtLeast shouldBe 40.seconds
        fun warmedFor(seconds: Double) = cold.recorded { copy(warmUp = warmUp?.copy(seconds = seconds)) }
        reason(warmedFor(63.0)).shouldNotBeNull().warmAtLeast shouldBe 2.minutes
        reason(warmedFor(124.0)).shouldBeNull()
        val fell = trial(Metric.ANSWERED to { 100 * it - 0.3 * (it - 10) * (it - 10) })
        reason(fell).shouldBeNull()
        reason(cold, rounds = 1).shouldBeNull()
        reason(cold, preset = Preset.QUICK).shouldBeNull()
        reason(trial(Metric.MACHINE_CPU to { 1.4 * it }), rounds = 1).shouldNotBeNull().warmAtLeast shouldBe null as Duration?
    }

    @Test
    fun `of a repeated trial the last measured attempt counts, and the other is listed with its reason`() {
        fun attempt(nth: Int, perSecond: Double, machine: Double = 1.1) = trial(Metric.MACHINE_CPU to { machine * it })
            .recorded { copy(load = testLoad(perSecond), trial = Trial(1, 1, baseline, attempt = nth)) }

        fun run(vararg trials: TrialFacts): RunFacts =
            testRun(emptyList(), listOf(testCell(baseline))).copy(trials = trials.toList())

        val repeated = analyse(run(attempt(1, 60.0, machine = 1.5), attempt(2, 100.0)))
        repeated.cell(baseline)?.trials.shouldNotBeNull().map { it.throughput } shouldContainExactly listOf(100.0)
        repeated.repeated.single().throughput shouldBe 60.0
        repeated.repeated.single().why.single() shouldContain "Other processes used"
        repeated.cell(baseline)?.threats.orEmpty().map { it.kind } shouldContainExactly emptyList()

        val failed = attempt(2, 100.0).recorded { copy(ending = Ending.Failed(Stage.READY, "no answer", emptyList())) }
        val kept = analyse(run(attempt(1, 60.0, machine = 1.5), failed))
        kept.cell(baseline)?.trials.shouldNotBeNull().map { it.throughput } shouldContainExactly listOf(60.0)
        kept.cell(baseline)?.trials.orEmpty().single().threats.map { it.kind } shouldContain Threat.Kind.FOREIGN_CPU
        kept.repeated.shouldBeEmpty()
        kept.failures.single().number shouldBe 1
        Measurements(run(attempt(1, 60.0), attempt(2, 100.0))).figure(baseline, Measure.THROUGHPUT)?.estimate?.n shouldBe 1
    }
}
