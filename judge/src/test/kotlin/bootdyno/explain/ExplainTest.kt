package bootdyno.explain

import bootdyno.analyse.analyse
import bootdyno.analyse.experiment
import bootdyno.analyse.failedTrial
import bootdyno.analyse.limited
import bootdyno.analyse.protocol
import bootdyno.analyse.recorded
import bootdyno.analyse.seen
import bootdyno.analyse.testRun
import bootdyno.model.CallsFound
import bootdyno.model.DiagnosedTrials
import bootdyno.model.Ending
import bootdyno.model.EngineSpec
import bootdyno.model.ErrorCause
import bootdyno.model.LoadProfile
import bootdyno.model.Occupied
import bootdyno.model.ServedCounts
import bootdyno.model.ServiceFound
import bootdyno.model.Stack
import bootdyno.model.ThinkTime
import bootdyno.model.TrialFacts
import bootdyno.model.WarmUpFound
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

class ExplainTest {
    private val blocking = cell(Stack.TOMCAT, Occupied.REQUEST_THREAD)
    private val loop = cell(Stack.NETTY, Occupied.REQUEST_THREAD)

    /** N = X·R: 379/s times 1.055 s are 399.8 requests, 400 connections. */
    private val bound = Measured(379.0, meanMs = 1055.0, cpus = 0.2)

    @Test
    fun `a pool binds when throughput is near its ceiling, the CPU idle and Little's law agrees`() {
        val explanation = explained(blocking, bound)
        explanation.bottleneck shouldBe
            Bottleneck(LimitName("200 Tomcat threads", isPlural = true), "200 threads ÷ 500 ms = 400/s (measured 379/s).")
        explanation.missing shouldBe null
        explanation.next?.sentence shouldBe "Set server.tomcat.threads.max to 400 or enable virtual threads. " +
            "The limit is then 400 client connections ÷ 500 ms = 800/s."
    }

    @Test
    fun `without a declared holding time and a diagnosis no pool is named, and a flag that was already given is no advice`() {
        val unsaid = cell(Stack.TOMCAT, Occupied.REQUEST_THREAD, holds = null)
        val trial = Measured(392.0, meanMs = 1020.0, minMs = 510.0, cpus = 0.2).trial(unsaid)
        explained(unsaid, trial).run { bottleneck to missing } shouldBe
            (null to "0.2 of 1 CPU used. Threads were not observed; use --diagnose once.")
        val diagnosing = experiment(listOf(unsaid), protocol().copy(diagnose = DiagnosedTrials.ONCE))
        explain(analyse(testRun(listOf(trial), listOf(unsaid), diagnosing))).single().missing shouldBe
            "0.2 of 1 CPU used. Threads were not observed: no trial of this cell has a diagnosis."
    }

    @Test
    fun `a load whose requests take no longer than alone is the limit, without a diagnosis too`() {
        val unsaid = cell(Stack.UNKNOWN, null, holds = null)
        explained(unsaid, Measured(780.0, meanMs = 513.0, minMs = 500.0, cpus = 0.2)).bottleneck?.sentence shouldBe
            "400 client connections: 400 connections ÷ 513 ms = 780/s. The application could serve more: a single request takes 500 ms."
    }

    @Test
    fun `clients that think are neither in the system nor missing in Little's law`() {
        val thinking = blocking.copy(workload = blocking.workload.copy(think = ThinkTime.Exponential(1500.milliseconds)))
        // 198/s × (510 ms + 1.5 s) = 398 of 400 clients.
        explained(thinking, Measured(198.0, meanMs = 510.0, cpus = 0.2)).bottleneck shouldBe
            Bottleneck(LimitName("400 client connections", isPlural = true), "400 connections ÷ 2 s = 200/s (measured 198/s).")
        val unsaid = cell(Stack.UNKNOWN, null, holds = null)
        val users = unsaid.copy(workload = unsaid.workload.copy(think = ThinkTime.Uniform(1.seconds, 2.seconds)))
        val sentence = explained(users, Measured(200.0, meanMs = 500.0, minMs = 490.0, cpus = 0.2)).bottleneck?.sentence.orEmpty()
        sentence shouldContain
            "400 client connections: 400 connections ÷ 2 s = 200/s. The application could serve more: a single request takes 490 ms"
        sentence shouldContain "Each client waits 1.5 s on average before a request (`think`)."
    }

    @Test
    fun `a script is bound by no load of ours, and what is known of the workload need not hold for it`() {
        val engine = EngineSpec("jmeter", "/at/plan.jmx", bringsLoad = true)
        val scripted = blocking.copy(profile = blocking.profile.copy(engine = engine))
        explained(scripted, bound).bottleneck?.limit?.text shouldBe "200 Tomcat threads"
        // More than 200 threads could serve of requests that take half a second, so it asks for something else.
        val other = explained(scripted, Measured(3_000.0, meanMs = 1.0, cpus = 0.98))
        other.bottleneck?.limit?.text shouldBe "1 CPU"
        other.ceilings.map { it.limit.text } shouldBe listOf("1 CPU", "8,192 Tomcat connections")
        explained(scripted, Measured(12.0, meanMs = 500.0, cpus = 0.02)).missing shouldBe
            "12/s measured, 0.02 of 1 CPU used. The script plan.jmx may limit the request rate."
    }

    @Test
    fun `a full CPU is no limit where each request repeats its calls to a service`() {
        fun missing(received: Long): String? {
            val calls =
                CallsFound(ServedCounts(9.0, 100, 100, 0), ServedCounts(21.0, 100 + received, 100 + received, 0), 330, 330)
            val service = ServiceFound("prices", 7, listOf("java"), null, emptyMap(), null, window = calls)
            val trial = Measured(33.0, meanMs = 12_000.0, cpus = 0.98).trial(blocking)
            return explained(blocking, trial.recorded { copy(services = listOf(service)) }).missing
        }
        missing(received = 19_500).orEmpty() shouldContain
            "each request makes 59.1 calls to prices, where the plan says 1. If it repeats"
        missing(received = 500) shouldBe null
    }

    @Test
    fun `a pool is full of requests whose clients have given up as well`() {
        // 3,200 answered after 1 s and 80 that waited for 10 s: 400 at a time.
        fun bottleneck(timedOut: Long) = Measured(320.0, meanMs = 1000.0, cpus = 0.2).trial(blocking).unanswered(80)
            .recorded { copy(load = load?.copy(errors = mapOf(ErrorCause.TIMEOUT to timedOut))) }
            .let { explained(blocking, it).bottleneck }
        bottleneck(timedOut = 600) shouldBe
            Bottleneck(
                LimitName("200 Tomcat threads", isPlural = true),
                "200 threads ÷ 500 ms = 400/s (measured 320/s, and 60/s timed out).",
            )
        bottleneck(timedOut = 100) shouldBe null
    }

    // The second was not run because the cell had settled; in the third the load generator had no CPU left.
    @Test
    fun `only trials that count are evidence of the warm-up and of requests that timed out`() {
        val certified = Measured(320.0, meanMs = 1000.0).trial(blocking)
            .recorded { copy(warmUp = WarmUpFound("certified", 20.0, true)) }
        val left = failedTrial(blocking.id, 2).recorded { copy(ending = Ending.NotRun("It needs no further round.")) }
        val invalid = certified.limited().recorded {
            copy(trial = trial.copy(round = 3), load = load?.copy(errors = mapOf(ErrorCause.TIMEOUT to 600L)))
        }
        val analysis = analyse(testRun(listOf(certified, left, invalid), listOf(blocking)))
        evidence(analysis, analysis.cells.single()).shouldNotBeNull().run { warm to timedOut } shouldBe (true to 0.0)
    }

    @Test
    fun `each kind of limit is named, with the setting that raises it and what that predicts`() {
        fun next(occupies: Occupied, perSecond: Double, stack: Stack = Stack.NETTY) =
            explained(cell(stack, occupies), Measured(perSecond, 400e3 / perSecond, cpus = 0.1)).next?.sentence
        next(Occupied.DISPATCHERS_IO, 125.0) shouldBe
            "Start with -Dkotlinx.coroutines.io.parallelism=400 or use a dispatcher of its own. " +
            "The limit is then 400 client connections ÷ 500 ms = 800/s."
        next(Occupied.BOUNDED_ELASTIC, 19.6) shouldBe
            "Start with -Dreactor.schedulers.defaultBoundedElasticSize=400 or use a scheduler " +
            "of its own. The limit is then 400 client connections ÷ 500 ms = 800/s."
        next(Occupied.REQUEST_THREAD, 7.7) shouldBe
            "Do not block event loops: enable virtual threads or use a scheduler of 400 threads. " +
            "The limit is then 400 client connections ÷ 500 ms = 800/s."
        next(Occupied.CACHED_POOL, 760.0) shouldBe "Use 800 connections. " +
            "The limit is then 800 client connections ÷ 500 ms = 1,600/s."
    }

    @Test
    fun `the load's own ceiling is named as what was measured`() {
        explained(cell(Stack.TOMCAT, Occupied.CACHED_POOL), Measured(776.0, 515.0, cpus = 0.4)).bottleneck?.sentence shouldBe
            "400 client connections: 400 connections ÷ 500 ms = 800/s (measured 776/s)."
    }

    @Test
    fun `throughput well below every ceiling names nothing but says how many were served at a time`() {
        val explanation = explained(cell(Stack.UNKNOWN, null), Measured(392.0, 1020.0, cpus = 0.3))
        explanation.bottleneck shouldBe null
        explanation.next shouldBe null
        // 392/s · 0.5 s = 196
        explanation.missing shouldBe
            "392/s measured, 49 % of the lowest known limit (400 client connections ÷ 500 ms = 800/s), 0.3 of 1 CPU used. " +
            "An unknown limit delays requests: it serves about 196 at a time, 500 ms each."
    }

    @Test
    fun `at 89 percent of a ceiling it is not named, at 91 it is`() {
        explained(blocking, Measured(356.0, meanMs = 1124.0, cpus = 0.2)).bottleneck shouldBe null
        explained(blocking, Measured(364.0, meanMs = 1099.0, cpus = 0.2)).bottleneck?.limit?.text shouldBe "200 Tomcat threads"
    }

    @Test
    fun `more than a ceiling allows means that an assumption is wrong`() {
        explained(blocking, Measured(760.0, meanMs = 526.0, cpus = 0.2)).missing shouldContain
            "more than the lowest known limit allows"
    }

    @Test
    fun `where Little's law disagrees nothing is named`() {
        // 379/s · 0.501 s = 190 of 400 connections: half of them did not wait for this subject.
        explained(blocking, bound.copy(meanMs = 501.0)).missing shouldBe
            "Little's law does not hold: 190 requests were in flight on average, 400 connections sent them."
        explained(blocking, bound.copy(meanMs = null)).missing shouldContain "Response times are missing"
    }

    @Test
    fun `requests without an answer count in Little's law`() {
        // A 10 s window: 80 answers after 5 s on average and 390 requests still waiting after 10 s: (400 + 3900) / 10 = 430, 7.5 % above 400.
        val measured = Measured(8.0, meanMs = 5000.0, cpus = 0.05)
        explained(loop, measured.trial(loop).unanswered(390)).bottleneck?.sentence shouldBe
            "4 event loops: 4 loops ÷ 500 ms = 8/s (measured 8/s)."
        // By the answered alone it would be 8/s · 5 s = 40 of 400.
        explained(loop, measured).bottleneck shouldBe null
    }

    @Test
    fun `without the CPU's share nothing is named, unless no CPU limit is known`() {
        explained(blocking, bound.copy(cpus = null)).missing shouldContain "CPU use is unknown"
        val unlimited = cell(Stack.TOMCAT, Occupied.REQUEST_THREAD, cpus = null)
        explained(unlimited, bound.copy(cpus = null)).bottleneck?.limit?.text shouldBe "200 Tomcat threads"
    }

    @Test
    fun `an open load that was answered is the limit itself, one that was not is not`() {
        val open = cell(Stack.TOMCAT, Occupied.REQUEST_THREAD, load = LoadProfile.Open(300.0))
        val explanation = explained(open, Measured(299.0, 510.0, cpus = 0.2))
        explanation.bottleneck?.sentence shouldBe "300/s offered: 299/s answered."
        explanation.next?.sentence shouldBe "Offer 600/s. The limit is then 200 Tomcat threads ÷ 500 ms = 400/s."
        explained(open, Measured(280.0, 510.0, cpus = 0.2)).bottleneck shouldBe null
    }

    @Test
    fun `a cell without a measurement keeps the ceilings of its plan`() {
        val explanation = explain(analyse(testRun(emptyList(), listOf(blocking)))).single()
        explanation.missing shouldBe "Nothing was measured."
        explanation.ceilings shouldBe configuredCeilings(blocking)
    }

    /** With so many requests that wait since the begin of the window. */
    private fun TrialFacts.unanswered(count: Int): TrialFacts =
        copy(latencies = latencies?.copy(unanswered = seen(*LongArray(count) { 10_000 })))
}
