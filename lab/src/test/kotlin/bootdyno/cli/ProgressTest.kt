package bootdyno.cli

import bootdyno.launch.Awaited
import bootdyno.model.CellId
import bootdyno.model.Ending
import bootdyno.model.Stage
import bootdyno.model.Trial
import bootdyno.run.FakeParts
import bootdyno.run.ManualClock
import bootdyno.run.RunEvent
import bootdyno.run.TrialRules
import bootdyno.run.TrialRunner
import bootdyno.run.twoCellPlan
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import java.nio.file.Path
import kotlin.time.Duration.Companion.seconds

class ProgressTest {
    private val plan = twoCellPlan { it }
    private val cell = plan.cells.first()

    private fun ended(round: Int): RunEvent.TrialEnded {
        val trial = Trial(round, round, cell.id)
        val runner = TrialRunner(FakeParts(ManualClock()), ManualClock(), TrialRules(plan)) {}
        val record = runner.run(trial, cell, Path.of("unused.log")).record
        return RunEvent.TrialEnded(trial, cell, record.copy(ending = Ending.NotRun("No native-image.")), null, 0.0)
    }

    @Test
    fun `why a variant cannot run here is said once, not in every round`() {
        trialLine(ended(1)).substringAfter("round 1") shouldBe "  not run: No native-image."
        trialLine(ended(2)).substringAfter("round 2") shouldBe "  not run, as before"
    }

    @Test
    fun `what a subject is waited for with is said after 15 s, when it changes and every half minute`() {
        val lines = mutableListOf<String>()
        val progress = LineProgress { lines += it.trim() }
        fun wait(heard: String, seconds: Int, who: String = "tomcat") =
            progress(RunEvent.Waiting(Trial(1, 1, cell.id), who, Awaited("GET /ready", heard, seconds.seconds)))
        (3..48).forEach { wait("connection refused", it) }
        (49..50).forEach { wait("status 503", it) }
        wait("status 503", 51, who = "downstream")
        lines.shouldContainExactly(
            "waiting for GET /ready of tomcat: connection refused (15 s)",
            "waiting for GET /ready of tomcat: connection refused (45 s)",
            "waiting for GET /ready of tomcat: status 503 (49 s)",
            "waiting for GET /ready of downstream: status 503 (51 s)",
        )
    }

    @Test
    fun `a log has a line for each half minute of load`() {
        val lines = mutableListOf<String>()
        val progress = LineProgress { lines += it.trim() }
        repeat(70) { progress(RunEvent.Second(Trial(1, 1, cell.id), Stage.LATENCY_AT, 500.0, 12.0)) }
        lines.shouldContainExactly(
            "${cell.id} latency-at: 500/s after 30 s of load",
            "${cell.id} latency-at: 500/s after 60 s of load",
        )
    }

    @Test
    fun `what takes its time before a trial is said when it begins`() {
        val lines = mutableListOf<String>()
        LineProgress(lines::add).invoke(RunEvent.StageEntered(Trial(1, 1, CellId("cached/noop")), Stage.PREPARE))
        lines.single().trim() shouldBe "preparing cached/noop (one-time)"
    }
}
