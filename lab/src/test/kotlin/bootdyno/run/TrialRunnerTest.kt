package bootdyno.run

import bootdyno.launch.Awaited
import bootdyno.model.Cell
import bootdyno.model.Ending
import bootdyno.model.EngineSpec
import bootdyno.model.Expectation
import bootdyno.model.LoadProfile
import bootdyno.model.OpenRate
import bootdyno.model.Stage
import bootdyno.model.Step
import bootdyno.model.SubjectFound
import bootdyno.model.Trial
import bootdyno.model.WarmUp
import bootdyno.store.TrialOutcome
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.types.shouldBeInstanceOf
import org.junit.jupiter.api.Test
import java.net.URI
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds

class TrialRunnerTest {
    private val clock = ManualClock()

    @Test
    fun `a trial goes through its stages in order and its window starts where the engine began to count`() {
        val parts = FakeParts(clock)
        val record = run(parts, waitingCell(holds = 500.milliseconds)).record

        parts.diary.shouldContainExactly(
            "start tomcat/wait",
            "ready? /noop",
            "verify wait",
            "drive /wait?ms=5 5s + 0s",
            "drive /wait?ms=500 2s + 10s",
            "end of sampling",
            "probes away",
            "stop",
        )
        record.ending shouldBe Ending.Measured
        // 2 s until ready, 5 s warm-up, 2 s settling: the window is 9 to 19 s after the trial began.
        record.phases.single { it.stage == Stage.WINDOW }.let { it.from to it.to } shouldBe (10.0 to 20.0)
        record.load?.leftBefore shouldBe 3
        record.subject?.aloneSeconds shouldBe 0.5
        record.subject?.threadFamilies shouldBe mapOf("tomcat" to 200)
        record.warmUp?.method shouldBe "seconds"
    }

    @Test
    fun `a script that sends no request to the application is ended with its first hundred`() {
        val cell = waitingCell(holds = null).let { it.copy(profile = it.profile.copy(engine = EngineSpec("k6", "/load.js"))) }
        val parts = FakeParts(clock)
        val failed = run(parts, cell, WarmUp.Cold).record.ending.shouldBeInstanceOf<Ending.Failed>()
        failed.stage shouldBe Stage.WINDOW
        failed.reason shouldContain "The application received no connection from k6: /load.js sends to another address"
        parts.drives shouldBe 1
    }

    @Test
    fun `a cold trial sends its first request into the window`() {
        val parts = FakeParts(clock)
        run(parts, waitingCell(holds = null), WarmUp.Cold).record.warmUp?.method shouldBe "none"
        parts.diary.filter { it.startsWith("drive") }.shouldContainExactly("drive /wait?ms=500 0s + 10s")
    }

    @Test
    fun `a burst warms under closed load, as open load does, and its window opens with its first request`() {
        val closed = waitingCell(holds = 500.milliseconds)
        val cell = closed.copy(profile = closed.profile.copy(load = LoadProfile.Burst(10_000, 100)))
        val parts = FakeParts(clock)
        val record = run(parts, cell).record

        parts.diary.filter { it.startsWith("drive") }.shouldContainExactly(
            "drive /wait?ms=5 5s + 0s",
            "drive /wait?ms=500 0s + 10s",
        )
        // 2 s until ready and 5 s of warm-up: nothing settles.
        record.phases.single { it.stage == Stage.WINDOW }.from shouldBe 8.0
        val base = URI("http://127.0.0.1:9000")
        warmUpOrder(cell, base, 1.seconds, cheap = true, 1).load shouldBe LoadProfile.Closed(100)
        windowOrder(cell, base, Duration.ZERO, 1).load shouldBe LoadProfile.Burst(10_000, 100)
        val open = cell.copy(profile = cell.profile.copy(load = LoadProfile.Open(50.0)))
        warmUpOrder(open, base, 1.seconds, cheap = true, 1).load shouldBe LoadProfile.Closed(100)
        // 800 a second, each under way for 500 ms.
        val many = cell.copy(profile = cell.profile.copy(load = LoadProfile.Open(800.0)))
        warmUpOrder(many, base, 1.seconds, cheap = true, 1).load shouldBe LoadProfile.Closed(400)
    }

    @Test
    fun `after its window a trial goes on with open load`() {
        val parts = FakeParts(clock)
        val rates = listOf(OpenRate.Share(0.5), OpenRate.PerSecond(80.0))
        val cell = waitingCell(holds = 500.milliseconds).copy(latencyAt = rates)
        val plan = twoCellPlan().copy(cells = listOf(cell))
        val outcome = run(parts, cell, openRates = OpenRates(plan))

        // The window answers 1000 requests in 10 s: 100 a second.
        parts.diary.filter { "+ 10s" in it }.shouldContainExactly(
            "drive /wait?ms=500 2s + 10s",
            "drive /wait?ms=500 2s + 10s at 50.0/s",
            "drive /wait?ms=500 2s + 10s at 80.0/s",
        )
        outcome.record.openPoints.map { it.share to it.perSecond } shouldBe listOf(0.5 to 50.0, null to 80.0)
        outcome.openLatencies.size shouldBe 2
        outcome.record.phases.count { it.stage == Stage.LATENCY_AT } shouldBe 2
    }

    @Test
    fun `expected answers and headers follow the parameters asked with`() {
        val step = Step("wait", path = "/wait", headers = mapOf("X-Wait" to "{ms}"), expect = Expectation(body = "waited {ms}"))
        val cell = waitingCell(holds = null).let { it.copy(workload = it.workload.copy(steps = listOf(step))) }
        val base = URI("http://127.0.0.1:9000")
        val orders = listOf(windowOrder(cell, base, Duration.ZERO, 1), warmUpOrder(cell, base, 1.seconds, cheap = true, 1))
        orders.map { it.steps.single() }.map { it.expect.body to it.headers["X-Wait"] } shouldBe
            listOf("waited 500" to "500", "waited 5" to "5")
    }

    @Test
    fun `whatever stage fails the subject is stopped and the record says stage and reason`() {
        val reasons = mapOf(Stage.READY to "no answer", Stage.VERIFY to "expected body", Stage.WINDOW to "killed for memory")
        reasons.forEach { (stage, reason) ->
            val parts = FakeParts(clock, fails = stage)
            val failed = run(parts, waitingCell(holds = null), WarmUp.Cold).record.ending.shouldBeInstanceOf<Ending.Failed>()
            failed.stage shouldBe stage
            failed.reason shouldContain reason
            parts.diary.last() shouldBe "stop"
        }
    }

    @Test
    fun `an interrupt ends the observation and the subject`() {
        val parts = FakeParts(clock)
        val runner = TrialRunner(parts, clock, COLD) {
            if (it is RunEvent.StageEntered && it.stage == Stage.VERIFY) throw InterruptedException()
        }
        shouldThrow<InterruptedException> { runner.run(waitingCell(holds = null)) }
        parts.diary.takeLast(2).shouldContainExactly("probes away", "stop")
    }

    @Test
    fun `a subject that cannot be started is a failed trial`() {
        run(FakeParts(clock, fails = Stage.LAUNCH), waitingCell(holds = null)).record.ending shouldBe
            Ending.Failed(Stage.LAUNCH, "no such jar", emptyList())
    }

    @Test
    fun `an engine that breaks fails the trial and stops the subject`() {
        val parts = FakeParts(clock, fails = Stage.DRAIN)
        val failed = run(parts, waitingCell(holds = null), WarmUp.Cold).record.ending.shouldBeInstanceOf<Ending.Failed>()
        failed.reason shouldBe "the engine is gone"
        parts.diary shouldContain "stop"
    }

    @Test
    fun `a subject whose start-up is not measured gets its CPU limit when it is ready, and has no start-up time`() {
        fun started(parts: FakeParts, measured: Boolean): SubjectFound {
            val rules = TrialRules({ WarmUp.Cold }, seed = 1, measuresStartUp = { measured })
            return TrialRunner(parts, clock, rules) {}.run(waitingCell(holds = null)).record.subject.shouldNotBeNull()
        }

        val lifted = FakeParts(clock)
        started(lifted, measured = false).run {
            startedOnAllCpus shouldBe true
            startupSeconds.shouldBeNull()
            frameworkStartupSeconds.shouldBeNull()
        }
        lifted.diary.drop(1).take(3) shouldBe listOf("start on all CPUs", "ready? /noop", "restore")

        started(FakeParts(clock), measured = true).run {
            startedOnAllCpus shouldBe false
            frameworkStartupSeconds shouldBe 1.8
        }
        started(FakeParts(clock).apply { startsOnAllCpus = false }, measured = false).startedOnAllCpus shouldBe false
    }

    @Test
    fun `a trial fails whose CPU limit cannot be put back after the start`() {
        val parts = FakeParts(clock).apply { restores = false }
        val ending = TrialRunner(parts, clock, TrialRules({ WarmUp.Cold }, seed = 1, measuresStartUp = { false })) {}
            .run(waitingCell(holds = null)).record.ending
        ending.shouldBeInstanceOf<Ending.Failed>().stage shouldBe Stage.READY
    }

    @Test
    fun `what a subject is waited for with is told, and it has the time that it says it needs`() {
        val events = mutableListOf<RunEvent>()
        fun waited(cell: Cell): RunEvent.Waiting {
            TrialRunner(FakeParts(clock), clock, COLD, listener = events::add).run(cell)
            return events.filterIsInstance<RunEvent.Waiting>().last()
        }
        val cell = waitingCell(holds = null)
        waited(cell) shouldBe
            RunEvent.Waiting(Trial(1, 1, cell.id), "tomcat", Awaited("GET /noop", "connection refused", 2.minutes))
        waited(cell.copy(subject = cell.subject.copy(readyWithin = 5.minutes))).awaited.soFar shouldBe 5.minutes
    }

    private fun run(
        parts: FakeParts,
        cell: Cell,
        warmUp: WarmUp = WarmUp.Certified(lawLike = 5.seconds, budget = 30.seconds),
        openRates: OpenRates? = null,
    ): TrialOutcome = TrialRunner(parts, clock, TrialRules({ warmUp }, seed = 1), openRates) {}.run(cell)
}
