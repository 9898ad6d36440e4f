package bootdyno.analyse

import bootdyno.model.Arrivals
import bootdyno.model.Bytes
import bootdyno.model.CpuBy
import bootdyno.model.ErrorCause
import bootdyno.model.Limits
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
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds

class TrialThreatsTest {
    private val limits = Limits(1.0, null, CpuBy.QUOTA)

    private fun threatsOf(trial: TrialFacts, load: LoadProfile = LoadProfile.Closed(400), holds: Duration? = null): List<Threat> =
        threatsOf(trial, testCell(baseline, load, limits = limits, holds = holds))

    @Test
    fun `a trial is repeated only if the disturbance may have changed its figure by more than matters`() {
        fun reason(foreign: Double, millis: Long, cpu: Double): ReasonToRepeat? {
            val trial = cleanWith(Metric.CPU to { it * cpu }, Metric.MACHINE_CPU to { it * (cpu + 0.1 + foreign) })
                .copy(latencies = latencies(List(100) { millis }))
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
            cleanWith(
                Metric.CPU to { it * cpu },
                Metric.COMPILER_CPU to { it * compiler },
                Metric.MACHINE_CPU to { it * (cpu + 0.1 + foreign) },
                Metric.STEAL to { it * steal },
            ).copy(latencies = latencies(List(100) { millis })),
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
            Case(Threat.Kind.STILL_WARMING, "4.0 %", cleanWith(Metric.COMPILER_CPU to { 0.02 * it })),
            // 100/s at second 10, rising by 10/s each second: 205/s seen at 19.5, 105/s at 10.5: up by 86 % over the window's
            // readings.
            Case(Threat.Kind.STILL_WARMING, "86 %", cleanWith(Metric.ANSWERED to { 5 * it * it })),
            // 100 bytes at second 10, 140 at second 20; the collector runs for 5 % of the time.
            Case(
                Threat.Kind.HEAP_GROWING,
                "40 %",
                cleanWith(Metric.HEAP_COMMITTED to { 60 + 4 * it }, Metric.GC_TIME to { 0.05 * it }),
            ),
            Case(Threat.Kind.COMPILER_STARVED, "60 s", clean().recorded { copy(warmUp = WarmUpFound("certified", 60.0, false)) }),
            Case(Threat.Kind.LOAD_GENERATOR, "95 %", loaded { copy(generator = generator.copy(cpuSeconds = 9.5)) }),
            Case(Threat.Kind.LOAD_GENERATOR, "1.5 ms", loaded { copy(generator = generator.copy(lagP99Ms = 1.5)) }, open),
            Case(Threat.Kind.LOAD_GENERATOR, "sent 980 of 1,000 due requests", loaded { copy(due = 980) }, open),
            Case(Threat.Kind.FOREIGN_CPU, "0.4 CPU", cleanWith(Metric.MACHINE_CPU to { 1.0 * it })),
            Case(Threat.Kind.STEAL, "5.0 % of a CPU", cleanWith(Metric.STEAL to { 0.05 * it })),
            // 250 of 1000 + 250.
            Case(
                Threat.Kind.ERRORS,
                "20 % of 1,250 requests failed (200 response timeout, 50 connection reset)",
                loaded { copy(errors = mapOf(ErrorCause.RESET to 50L, ErrorCause.TIMEOUT to 200L)) },
            ),
            Case(Threat.Kind.CENSORED, "p99 is a", clean().copy(latencies = latencies(List(95) { 10L }, List(5) { 900L }))),
            Case(Threat.Kind.NOT_DRAINED, "1 request of the warm-up had no answer when", loaded { copy(leftBefore = 1) }),
            Case(Threat.Kind.NOT_DRAINED, "3 requests had no response", loaded { copy(leftAfter = 3) }),
            Case(Threat.Kind.ACCEPT_QUEUE, "overflowed 100 times", cleanWith(Metric.LISTEN_OVERFLOWS to { 10.0 * it })),
            Case(
                Threat.Kind.CUT_OFF,
                "before 25 requests of the burst were sent",
                loaded { copy(unsent = 25) },
                LoadProfile.Burst(10, 100),
            ),
            Case(Threat.Kind.THROTTLED, "60 % of the periods", cleanWith(Metric.THROTTLED_PERIODS to { 6.0 * it })),
            Case(Threat.Kind.LIMITS_NOT_APPLIED, "was not applied", clean().recorded { copy(limits = limitsFound(cpus = null)) }),
            Case(
                Threat.Kind.SHARED_CPU,
                "shared CPUs 1, 2",
                clean().recorded { copy(limits = limitsFound(cpuList = "0-2", engineCpuList = "1-2,5")) },
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
            threatsOf(loaded { copy(due = count, inFlight = 300) }, LoadProfile.Open(100.0, arrivals)).map { it.kind }
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
        fun lagging(ms: Double) = loaded { copy(generator = generator.copy(lagP99Ms = ms)) }
            .copy(latencies = latencies(List(100) { 200 }))
        threatsOf(lagging(1.9), open).map { it.kind } shouldNotContain Threat.Kind.LOAD_GENERATOR
        threatsOf(lagging(2.1), open).map { it.kind } shouldContain Threat.Kind.LOAD_GENERATOR
    }

    @Test
    fun `a lagging generator is no fault in closed load`() {
        threatsOf(loaded { copy(generator = generator.copy(lagP99Ms = 1.5), due = 2000) }).shouldBeEmpty()
    }

    @Test
    fun `only what the load generator did makes a trial invalid`() {
        val analysis = analyse(testRun(listOf(cleanWith(Metric.MACHINE_CPU to { 1.0 * it }), clean(2))))
        analysis.cell(baseline).shouldNotBeNull().throughput.shouldNotBeNull().n shouldBe 2
    }

    @Test
    fun `what an engine reports of its own run is a doubt with its numbers`() {
        val dropped = loaded { copy(complaints = mapOf("iterations dropped" to 163L, "checks failed" to 1163L)) }
        val doubt = threatsOf(dropped).single()
        doubt.kind shouldBe Threat.Kind.ENGINE_REPORT
        doubt.sentence shouldBe "dyno reports of its own run: 163 iterations dropped, 1,163 checks failed."
    }

    @Test
    fun `a server that closes each connection after the same number of responses is described`() {
        fun closed(count: Long) = threatsOf(loaded { copy(errors = mapOf(ErrorCause.CLOSED to count)) })
            .single { it.kind == Threat.Kind.ERRORS }.sentence
        closed(200) shouldContain "The application closes each connection, without notice, after 5 responses."
        closed(140) shouldNotContain "closes each connection"
    }

    @Test
    fun `a second in which no connection got a response is a doubt under closed load, a slow tail is none`() {
        // 10 connections at 100/s.
        fun trial(slow: Int, answered: (Double) -> Double) = cleanWith(Metric.ANSWERED to answered)
            .copy(latencies = latencies(List(1000 - slow) { 100L } + List(slow) { 1050L }))
        val stands: (Double) -> Double = { 100 * (it - (it - 15).coerceIn(0.0, 1.0)) }
        fun kinds(trial: TrialFacts) = threatsOf(trial, LoadProfile.Closed(10)).map { it.kind }
        kinds(trial(10, stands)) shouldContain Threat.Kind.STALLED
        kinds(trial(10) { 100 * it }) shouldNotContain Threat.Kind.STALLED
        kinds(trial(3, stands)) shouldNotContain Threat.Kind.STALLED
    }

    // 5 of 1,005.
    @Test
    fun `requests that the client had no descriptor for measured the client`() {
        val short = loaded { copy(errors = mapOf(ErrorCause.CLIENT to 5L)) }
        threatsOf(short).single { it.kind == Threat.Kind.LOAD_GENERATOR }.sentence shouldContain "for 5 of 1,005 requests"
        analyse(testRun(listOf(short, clean(2)))).cell(baseline).shouldNotBeNull().throughput.shouldNotBeNull().n shouldBe 1
        threatsOf(loaded { copy(errors = mapOf(ErrorCause.CLIENT to 1L)) }).shouldBeEmpty()
    }

    @Test
    fun `a compiler at work does not worry a cell that waits, until its CPU runs short`() {
        val waiting = threatsOf(cleanWith(Metric.COMPILER_CPU to { 0.2 * it }), holds = 500.milliseconds).single()
        waiting.kind shouldBe Threat.Kind.COMPILING
        waiting.sentence shouldContain "40 % of the CPU time in the window, and of the CPU time per request"
        val busy = cleanWith(Metric.COMPILER_CPU to { 0.2 * it }, Metric.CPU to { 0.9 * it }, Metric.MACHINE_CPU to { it })
        threatsOf(busy, holds = 500.milliseconds).map { it.kind } shouldContainExactly listOf(Threat.Kind.STILL_WARMING)
    }

    @Test
    fun `a cold trial says that it was meant to be cold`() {
        val cold = cleanWith(Metric.COMPILER_CPU to { 0.2 * it }).recorded { copy(warmUp = WarmUpFound("none", 0.0, null)) }
        threatsOf(cold).single().sentence shouldContain "as expected without warm-up"
    }

    @Test
    fun `memory that was asked for and not given is said`() {
        val cell = testCell(baseline, limits = Limits(1.0, Bytes(Bytes.GIB), CpuBy.QUOTA))
        val trial = clean().recorded { copy(limits = limitsFound(memory = Bytes(2 * Bytes.GIB))) }
        val threats = analyse(testRun(listOf(trial), listOf(cell))).cell(baseline).shouldNotBeNull().threats
        threats.single { it.kind == Threat.Kind.LIMITS_NOT_APPLIED }.sentence shouldContain "2 GiB instead of 1 GiB"
    }

    @Test
    fun `lists of CPUs are read as the kernel writes them`() {
        cpusOf("0-2,5, 7") shouldBe setOf(0, 1, 2, 5, 7)
        cpusOf("") shouldBe emptySet()
        cpusOf(null) shouldBe emptySet()
    }
}
