package bootdyno.analyse

import bootdyno.model.Arrivals
import bootdyno.model.Bytes
import bootdyno.model.Cell
import bootdyno.model.CellId
import bootdyno.model.CpuBy
import bootdyno.model.ErrorCause
import bootdyno.model.Limits
import bootdyno.model.LoadFound
import bootdyno.model.LoadProfile
import bootdyno.model.Metric
import bootdyno.model.ReasonToRepeat
import bootdyno.model.TrialFacts
import bootdyno.model.WarmUpFound
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldNotContain
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotBeBlank
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Test
import kotlin.time.Duration.Companion.milliseconds

class ThreatsTest {
    private val limits = Limits(1.0, null, CpuBy.QUOTA)

    /** A clean trial's counters: the subject uses half a CPU, 1 % of it for compiling. */
    private val quiet: Map<Metric, (Double) -> Double> = mapOf(
        Metric.CPU to { 0.5 * it },
        Metric.COMPILER_CPU to { 0.005 * it },
        Metric.ANSWERED to { 100 * it },
        Metric.MACHINE_CPU to { 0.65 * it },
        Metric.ENGINE_CPU to { 0.1 * it },
        Metric.STEAL to { 0.01 * it },
        Metric.THROTTLED_PERIODS to { 0.2 * it },
        Metric.PERIODS to { 10 * it },
        Metric.THROTTLED to { 0.01 * it },
    )

    private fun clean(round: Int = 1) = testTrial(
        round = round,
        series = series(quiet),
        limits = limitsFound(),
        warmUp = WarmUpFound("certified", 20.0, true),
        latencies = latencies(List(100) { 10L }),
    )

    private fun with(metric: Metric, perSecond: Double) = clean().copy(series = series(quiet + (metric to { perSecond * it })))

    private fun loaded(change: (LoadFound) -> LoadFound): TrialFacts {
        val load = change(testLoad())
        return clean().let { it.copy(record = it.record.copy(load = load)) }
    }

    // In five rounds the load generator limited the first one of both.
    @Test
    fun `a round counts in which only the second measurement of the baseline does`() {
        val busy = (1..5).map { round ->
            val load = testLoad()
            testTrial(round = round, load = load.copy(generator = load.generator.copy(cpuSeconds = 3 * WINDOW_SECONDS)))
        }
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
        fun open(cell: CellId, vararg millis: Long) =
            millis.mapIndexed { nth, it -> testTrial(cell, nth + 1, latencies = latencies(List(100) { _ -> it })) }
        val cells = twoCells.map { testCell(it.id, LoadProfile.Open(100.0)) }.toTypedArray()
        isShort(open(baseline, 100, 100, 100) + open(other, 200, 201, 200), *cells) shouldBe false
        isShort(open(baseline, 100, 100, 100) + open(other, 100, 300, 200), *cells) shouldBe true
    }

    private fun threatsOf(
        trial: TrialFacts,
        load: LoadProfile = LoadProfile.Closed(400),
        lawLike: Boolean = false,
    ): List<Threat> {
        val cell = testCell(baseline, load, limits = limits, holds = if (lawLike) 500.milliseconds else null)
        return analyse(testRun(listOf(trial), listOf(cell))).cell(baseline).shouldNotBeNull().trials.single().threats
    }

    @Test
    fun `a trial is repeated only if the disturbance may have changed its figure by more than matters`() {
        fun reason(foreign: Double, millis: Long, cpu: Double): ReasonToRepeat? {
            val trial = clean().copy(
                series = series(
                    quiet + mapOf(
                        Metric.CPU to { it * cpu },
                        Metric.ENGINE_CPU to { it * 0.1 },
                        Metric.MACHINE_CPU to { it * (cpu + 0.1 + foreign) },
                    ),
                ),
                latencies = latencies(List(100) { millis }),
            )
            val cell = testCell(baseline, LoadProfile.Closed(400), limits = limits)
            return reasonToRepeat(testRun(listOf(trial), listOf(cell)).plan, trial)
        }
        // 0.3 / 400 · 0.6 / 0.4 + 3 ms · 0.6 / 500 ms = 0.5 %, although 0.6 CPUs are a doubt.
        reason(foreign = 0.6, millis = 500, cpu = 0.3).shouldBeNull()
        // 0.3 / 400 · 0.3 / 0.7 + 3 ms · 0.3 / 20 ms = 4.5 %.
        reason(foreign = 0.3, millis = 20, cpu = 0.3).shouldNotBeNull()
        // Without CPU to spare, all that others take is missing.
        reason(foreign = 0.6, millis = 500, cpu = 0.8).shouldNotBeNull()
    }

    @Test
    fun `other work matters less to a subject that waits, with CPU to spare and long responses`() {
        fun kinds(foreign: Double, steal: Double, millis: Long, cpu: Double = 0.3, compiler: Double = 0.0) = threatsOf(
            clean().copy(
                series = series(
                    quiet + mapOf(
                        Metric.CPU to { it * cpu },
                        Metric.COMPILER_CPU to { it * compiler },
                        Metric.ENGINE_CPU to { it * 0.1 },
                        Metric.MACHINE_CPU to { it * (cpu + 0.1 + foreign) },
                        Metric.STEAL to { it * steal },
                    ),
                ),
                latencies = latencies(List(100) { millis }),
            ),
        ).map { it.kind }.filter { it in setOf(Threat.Kind.FOREIGN_CPU, Threat.Kind.STEAL) }
        kinds(foreign = 0.3, steal = 0.05, millis = 500).shouldBeEmpty()
        kinds(foreign = 0.6, steal = 0.0, millis = 500) shouldBe listOf(Threat.Kind.FOREIGN_CPU)
        kinds(foreign = 0.0, steal = 0.15, millis = 500) shouldBe listOf(Threat.Kind.STEAL)
        kinds(foreign = 0.3, steal = 0.05, millis = 20) shouldBe listOf(Threat.Kind.FOREIGN_CPU, Threat.Kind.STEAL)
        kinds(foreign = 0.3, steal = 0.05, millis = 500, cpu = 0.8) shouldBe listOf(Threat.Kind.FOREIGN_CPU, Threat.Kind.STEAL)
        // What the compiler uses, it can wait for.
        kinds(foreign = 0.3, steal = 0.05, millis = 500, cpu = 0.8, compiler = 0.5).shouldBeEmpty()
    }

    private class Case(
        val kind: Threat.Kind,
        val says: String,
        val trial: TrialFacts,
        val load: LoadProfile = LoadProfile.Closed(400),
    )

    @Test
    fun `a clean trial has no threat`() {
        threatsOf(clean()).shouldBeEmpty()
    }

    @Test
    fun `each doubt about a trial is one threat, with its number and an advice`() {
        val open = LoadProfile.Open(100.0)
        listOf(
            Case(Threat.Kind.STILL_WARMING, "4.0 %", with(Metric.COMPILER_CPU, 0.02)),
            // 100/s at second 10, rising by 10/s each second: 205/s seen at 19.5, 105/s at 10.5: up by 86 % over the window's
            // readings.
            Case(Threat.Kind.STILL_WARMING, "86 %", clean().copy(series = series(quiet + (Metric.ANSWERED to { 5 * it * it })))),
            // 100 bytes at second 10, 140 at second 20; the collector runs for 5 % of the time.
            Case(
                Threat.Kind.HEAP_GROWING,
                "40 %",
                clean().copy(
                    series = series(quiet + mapOf(Metric.HEAP_COMMITTED to { 60 + 4 * it }, Metric.GC_TIME to { 0.05 * it })),
                ),
            ),
            Case(
                Threat.Kind.COMPILER_STARVED,
                "60 s",
                clean().let { it.copy(record = it.record.copy(warmUp = WarmUpFound("certified", 60.0, false))) },
            ),
            Case(Threat.Kind.LOAD_GENERATOR, "95 %", loaded { it.copy(generator = it.generator.copy(cpuSeconds = 9.5)) }),
            Case(Threat.Kind.LOAD_GENERATOR, "1.5 ms", loaded { it.copy(generator = it.generator.copy(lagP99Ms = 1.5)) }, open),
            Case(Threat.Kind.LOAD_GENERATOR, "sent 980 of 1,000 due requests", loaded { it.copy(due = 980) }, open),
            Case(Threat.Kind.FOREIGN_CPU, "0.4 CPU", with(Metric.MACHINE_CPU, 1.0)),
            Case(Threat.Kind.STEAL, "5.0 % of a CPU", with(Metric.STEAL, 0.05)),
            // 250 of 1000 + 250.
            Case(
                Threat.Kind.ERRORS,
                "20 % of 1,250 requests failed (200 response timeout, 50 connection reset)",
                loaded { it.copy(errors = mapOf(ErrorCause.RESET to 50L, ErrorCause.TIMEOUT to 200L)) },
            ),
            Case(Threat.Kind.CENSORED, "p99", clean().copy(latencies = latencies(List(95) { 10L }, List(5) { 900L }))),
            Case(Threat.Kind.NOT_DRAINED, "1 request of the warm-up had no answer when", loaded { it.copy(leftBefore = 1) }),
            Case(Threat.Kind.NOT_DRAINED, "3 requests had no response", loaded { it.copy(leftAfter = 3) }),
            Case(Threat.Kind.ACCEPT_QUEUE, "overflowed 100 times", with(Metric.LISTEN_OVERFLOWS, 10.0)),
            Case(
                Threat.Kind.CUT_OFF,
                "before 25 requests of the burst were sent",
                loaded { it.copy(unsent = 25) },
                LoadProfile.Burst(10, 100),
            ),
            Case(Threat.Kind.THROTTLED, "60 % of the periods", with(Metric.THROTTLED_PERIODS, 6.0)),
            Case(
                Threat.Kind.LIMITS_NOT_APPLIED,
                "was not applied",
                clean().let { it.copy(record = it.record.copy(limits = limitsFound(cpus = null))) },
            ),
            Case(
                Threat.Kind.SHARED_CPU,
                "shared CPUs 1, 2",
                clean().let { it.copy(record = it.record.copy(limits = limitsFound(cpuList = "0-2", engineCpuList = "1-2,5"))) },
            ),
        ).forEach { case ->
            withClue(case.kind.word + " " + case.says) {
                val threat = threatsOf(case.trial, case.load).single()
                threat.kind shouldBe case.kind
                threat.sentence shouldContain case.says
                threat.advice.shouldNotBeBlank()
            }
        }
    }

    /** Whoever waits long has many under way when the window opens, and finishes more than were sent in it. */
    @Test
    fun `the offered rate is judged by what was sent, whatever was under way before, with room for chance`() {
        fun sent(count: Long, arrivals: Arrivals) =
            threatsOf(loaded { it.copy(due = count, inFlight = 300) }, LoadProfile.Open(100.0, arrivals)).map { it.kind }
        sent(1_000, Arrivals.CONSTANT) shouldNotContain Threat.Kind.LOAD_GENERATOR
        sent(1_020, Arrivals.CONSTANT) shouldContain Threat.Kind.LOAD_GENERATOR
        // 4 · √1000 is 126.
        sent(1_120, Arrivals.POISSON) shouldNotContain Threat.Kind.LOAD_GENERATOR
        sent(1_150, Arrivals.POISSON) shouldContain Threat.Kind.LOAD_GENERATOR
    }

    /** 1 % of a median of 200 ms is 2 ms. */
    @Test
    fun `a lag that is nothing next to the response times is no fault`() {
        val open = LoadProfile.Open(100.0)
        fun lagging(ms: Double) = loaded { it.copy(generator = it.generator.copy(lagP99Ms = ms)) }
            .copy(latencies = latencies(List(100) { 200 }))
        threatsOf(lagging(1.9), open).map { it.kind } shouldNotContain Threat.Kind.LOAD_GENERATOR
        threatsOf(lagging(2.1), open).map { it.kind } shouldContain Threat.Kind.LOAD_GENERATOR
    }

    @Test
    fun `a lagging generator is no fault in closed load`() {
        threatsOf(loaded { it.copy(generator = it.generator.copy(lagP99Ms = 1.5), due = 2000) }).shouldBeEmpty()
    }

    @Test
    fun `only what the load generator did makes a trial invalid`() {
        val analysis = analyse(testRun(listOf(with(Metric.MACHINE_CPU, 1.0), clean(2))))
        analysis.cell(baseline).shouldNotBeNull().throughput.shouldNotBeNull().n shouldBe 2
    }

    @Test
    fun `what an engine reports of its own run is a doubt with its numbers`() {
        val dropped = loaded { it.copy(complaints = mapOf("iterations dropped" to 163L, "checks failed" to 1163L)) }
        val doubt = threatsOf(dropped).single()
        doubt.kind shouldBe Threat.Kind.ENGINE_REPORT
        doubt.sentence shouldBe "dyno reports of its own run: 163 iterations dropped, 1,163 checks failed."
    }

    @Test
    fun `a server that closes each connection after the same number of responses is described`() {
        fun closed(count: Long) = threatsOf(loaded { it.copy(errors = mapOf(ErrorCause.CLOSED to count)) })
            .single { it.kind == Threat.Kind.ERRORS }.sentence
        closed(200) shouldContain "The application closes each connection, without notice, after 5 responses."
        closed(140) shouldNotContain "closes each connection"
    }

    @Test
    fun `a second in which no connection got a response is a doubt under closed load, a slow tail is none`() {
        // 10 connections at 100/s.
        fun trial(slow: Int, answered: (Double) -> Double) = clean().copy(
            latencies = latencies(List(1000 - slow) { 100L } + List(slow) { 1050L }),
            series = series(quiet + (Metric.ANSWERED to answered)),
        )
        val stands: (Double) -> Double = { 100 * (it - (it - 15).coerceIn(0.0, 1.0)) }
        fun kinds(trial: TrialFacts) = threatsOf(trial, LoadProfile.Closed(10)).map { it.kind }
        kinds(trial(10, stands)) shouldContain Threat.Kind.STALLED
        kinds(trial(10) { 100 * it }) shouldNotContain Threat.Kind.STALLED
        kinds(trial(3, stands)) shouldNotContain Threat.Kind.STALLED
    }

    // 5 of 1,005.
    @Test
    fun `requests that the client had no descriptor for measured the client`() {
        val short = loaded { it.copy(errors = mapOf(ErrorCause.CLIENT to 5L)) }
        threatsOf(short).single { it.kind == Threat.Kind.LOAD_GENERATOR }.sentence shouldContain "for 5 of 1,005 requests"
        analyse(testRun(listOf(short, clean(2)))).cell(baseline).shouldNotBeNull().throughput.shouldNotBeNull().n shouldBe 1
        threatsOf(loaded { it.copy(errors = mapOf(ErrorCause.CLIENT to 1L)) }).shouldBeEmpty()
    }

    @Test
    fun `a compiler at work does not worry a cell that waits, until its CPU runs short`() {
        val waiting = threatsOf(with(Metric.COMPILER_CPU, 0.2), lawLike = true).single()
        waiting.kind shouldBe Threat.Kind.COMPILING
        waiting.sentence shouldContain "40 % of the CPU time in the window, and of the CPU time per request"
        val busy = clean().copy(
            series = series(
                quiet + mapOf(Metric.COMPILER_CPU to { 0.2 * it }, Metric.CPU to { 0.9 * it }, Metric.MACHINE_CPU to { it }),
            ),
        )
        threatsOf(busy, lawLike = true).map { it.kind } shouldContainExactly listOf(Threat.Kind.STILL_WARMING)
    }

    @Test
    fun `a cold trial says that it was meant to be cold`() {
        val cold = with(Metric.COMPILER_CPU, 0.2).let {
            it.copy(record = it.record.copy(warmUp = WarmUpFound("none", 0.0, null)))
        }
        threatsOf(cold).single().sentence shouldContain "as expected without warm-up"
    }

    @Test
    fun `memory that was asked for and not given is said`() {
        val cell = testCell(baseline, limits = Limits(1.0, Bytes(Bytes.GIB), CpuBy.QUOTA))
        val trial = clean().let { it.copy(record = it.record.copy(limits = limitsFound(memory = Bytes(2 * Bytes.GIB)))) }
        val threats = analyse(testRun(listOf(trial), listOf(cell))).cell(baseline).shouldNotBeNull().threats
        threats.single { it.kind == Threat.Kind.LIMITS_NOT_APPLIED }.sentence shouldContain "2 GiB instead of 1 GiB"
    }

    private fun cellThreats(trials: List<TrialFacts>) =
        analyse(testRun(trials, twoCells.take(1))).cell(baseline).shouldNotBeNull().threats

    private fun kindsOf(vararg rates: Double?) = cellThreats(rounds(baseline, *rates)).map { it.kind }

    @Test
    fun `the trials of a cell show their spread, their drift and their failures`() {
        kindsOf(100.0, 101.0, 99.0, 100.0, 101.0, 100.0).shouldBeEmpty()
        kindsOf(100.0, 130.0, 90.0, 125.0, 80.0, 110.0) shouldContainExactly listOf(Threat.Kind.NOISY)
        kindsOf(100.0, 99.0, 98.0, 97.0, 96.0, 95.0) shouldContainExactly listOf(Threat.Kind.DRIFT)
        kindsOf(100.0, null, 100.0, 100.0, 100.0, 100.0) shouldContainExactly listOf(Threat.Kind.FAILED_TRIALS)
        kindsOf(100.0, null, null, null, null) shouldContainExactly listOf(Threat.Kind.FAILED_TRIALS, Threat.Kind.NO_INTERVAL)
        kindsOf(100.0, null, null, 100.0, 101.0) shouldContainExactly listOf(Threat.Kind.FAILED_TRIALS, Threat.Kind.FEW_TRIALS)
    }

    @Test
    fun `a noisy cell names a trial only if it is far from the others`() {
        fun noise(vararg perSecond: Double?) =
            cellThreats(rounds(baseline, *perSecond)).single { it.kind == Threat.Kind.NOISY }.sentence
        noise(100.0, 101.0, 99.0, 70.0, 101.0, 100.0) shouldContain "(standard deviation); trial 4 is far from the others: 70/s."
        noise(100.0, 130.0, 90.0, 125.0, 80.0, 110.0) shouldNotContain "trial"
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

    // Three measured starts.
    @Test
    fun `launches of two kinds are called bistable, not noisy`() {
        val threat = cellThreats(rounds(baseline, 4.0, 272.0, 218.0)).single { it.kind != Threat.Kind.FEW_TRIALS }
        threat.kind shouldBe Threat.Kind.BISTABLE
        threat.sentence shouldContain "1 trial at 4/s or less, 2 trials at 218/s or more"
    }

    @Test
    fun `two states 20 percent apart are seen in six trials or more, noise is not`() {
        fun isBistable(vararg perSecond: Double?) = cellThreats(rounds(baseline, *perSecond)).any {
            it.kind ==
                Threat.Kind.BISTABLE
        }
        isBistable(1000.0, 800.0, 1010.0, 990.0, 805.0, 1005.0) shouldBe true
        isBistable(1000.0, 800.0, 1010.0, 990.0, 805.0) shouldBe false
        // One trial is an outlier; three per cent are no state; neither is an even spread.
        isBistable(1000.0, 800.0, 1010.0, 990.0, 1000.0, 1005.0) shouldBe false
        isBistable(1000.0, 970.0, 1001.0, 999.0, 970.0, 1000.0) shouldBe false
        isBistable(1000.0, 950.0, 900.0, 850.0, 800.0, 750.0) shouldBe false
    }

    @Test
    fun `a doubt shared by several trials is said once, with their number`() {
        val stolen = with(Metric.STEAL, 0.05)
        val again = stolen.copy(record = stolen.record.copy(trial = stolen.record.trial.copy(round = 2)))
        val threats = cellThreats(listOf(stolen, again, clean(3)))
        threats.single { it.kind == Threat.Kind.STEAL }.sentence shouldContain
            "In 2 of 3 trials, first in trial 1: Steal time"
    }

    private fun runKinds(analysis: Analysis) = analysis.threats.map { it.kind }

    @Test
    fun `a run says what holds for all of it`() {
        val one = rounds(baseline, 100.0) + rounds(other, 100.0)
        runKinds(analyse(testRun(one))) shouldContainExactly listOf(Threat.Kind.NO_INTERVAL, Threat.Kind.LOOPBACK)
        val machine = quietMachine.copy(virtualMachine = "kvm", governor = "powersave")
        runKinds(analyse(testRun(one, environment = machine))) shouldContainExactly
            listOf(Threat.Kind.NO_INTERVAL, Threat.Kind.LOOPBACK, Threat.Kind.VIRTUAL_MACHINE, Threat.Kind.GOVERNOR)
        val three = rounds(baseline, 100.0, 100.0, 100.0) + rounds(other, 100.0, 100.0, null)
        runKinds(analyse(testRun(three))) shouldContainExactly
            listOf(Threat.Kind.FEW_TRIALS, Threat.Kind.FAILED_TRIALS, Threat.Kind.LOOPBACK)
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
    fun `lists of CPUs are read as the kernel writes them`() {
        cpusOf("0-2,5, 7") shouldBe setOf(0, 1, 2, 5, 7)
        cpusOf("") shouldBe emptySet()
        cpusOf(null) shouldBe emptySet()
    }
}
