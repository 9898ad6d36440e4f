package bootdyno.run

import bootdyno.model.Cell
import bootdyno.model.Ending
import bootdyno.model.Origin
import bootdyno.model.Phase
import bootdyno.model.Service
import bootdyno.model.Stage
import bootdyno.model.Subject
import bootdyno.model.Variant
import bootdyno.model.WarmUp
import bootdyno.store.TrialOutcome
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.types.shouldBeInstanceOf
import org.junit.jupiter.api.Test
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/** The services that a cell calls, in a trial. */
class TrialServicesTest {
    private val clock = ManualClock()

    private fun calling(vararg names: String) = FakeParts(clock).apply {
        services = names.map { Service(Variant(it, "s"), Subject("s", Origin.Jar("/s.jar"))) }
    }

    @Test
    fun `services are there before the subject is told their address, and go after it`() {
        val parts = calling("slow", "search")
        val cell = waitingCell(holds = null).let { it.copy(variant = it.variant.copy(settings = mapOf("url" to "{slow}/v1"))) }
        val record = run(parts, cell, COLD).record

        parts.diary.take(3).shouldContainExactly(
            "start service slow slow.log",
            "start service search search.log",
            "start tomcat/wait http://127.0.0.1:7/v1",
        )
        parts.diary.takeLast(3).shouldContainExactly("stop", "stop service search", "stop service slow")
        record.phases.first() shouldBe Phase(Stage.SERVICES, 0.0, 2.0)
        record.services.map { it.name }.shouldContainExactly("slow", "search")
    }

    @Test
    fun `the requests of a window are recorded as services counted them and as the engine sent them`() {
        val window = run(calling("slow"), waitingCell(holds = 500.milliseconds)).record.services.single().window.shouldNotBeNull()

        // 5 s of warm-up: 504 requests; then 2 s of settling and 10 s of window: 1,200 answered, 4 in flight.
        window.before.received shouldBe 504
        window.after.received - window.before.received shouldBe 1204
        listOf(window.answered, window.sent) shouldBe listOf(1200L, 1204L)
        // Ready after 1 + 2 s, 5 s of warm-up; 12 s of load.
        listOf(window.before.at, window.after.at) shouldBe listOf(9.0, 21.0)
    }

    @Test
    fun `a service that dies fails the trial, whatever its subject says by then`() {
        val parts = calling("slow").apply { servicesDieAfter = 2 }
        val outcome = run(parts, waitingCell(holds = 500.milliseconds))
        val failed = outcome.record.ending.shouldBeInstanceOf<Ending.Failed>()
        failed.stage shouldBe Stage.WINDOW
        failed.reason shouldBe "The service slow is dead."
        failed.lastLines.shouldContainExactly("slow's last words")
        outcome.latencies.shouldBeNull()
        parts.diary.takeLast(2).shouldContainExactly("stop", "stop service slow")

        val wronglyAnswering = FakeParts(clock, fails = Stage.VERIFY).apply {
            services = parts.services
            servicesDieAfter = 0
        }
        run(wronglyAnswering, waitingCell(holds = null)).record.ending shouldBe
            Ending.Failed(Stage.VERIFY, "The service slow is dead.", listOf("slow's last words"))
    }

    @Test
    fun `a service that does not come up fails the trial before its subject starts`() {
        val parts = calling("slow", "search").apply { serviceBecomesReady = false }
        val record = run(parts, waitingCell(holds = null)).record
        record.ending shouldBe Ending.Failed(Stage.SERVICES, "slow is not there", listOf("slow's last words"))
        parts.diary.shouldContainExactly("start service slow slow.log", "stop service slow")
        record.services.map { it.name }.shouldContainExactly("slow")
    }

    private fun run(
        parts: FakeParts,
        cell: Cell,
        rules: TrialRules = TrialRules({ WarmUp.Certified(lawLike = 5.seconds, budget = 30.seconds) }, seed = 1),
    ): TrialOutcome = TrialRunner(parts, clock, rules) {}.run(cell)
}
