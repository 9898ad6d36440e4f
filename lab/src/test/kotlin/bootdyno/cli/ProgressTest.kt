package bootdyno.cli

import bootdyno.launch.Awaited
import bootdyno.model.CellId
import bootdyno.model.Ending
import bootdyno.model.LatencyHistograms
import bootdyno.model.Stage
import bootdyno.model.Trial
import bootdyno.model.TrialFacts
import bootdyno.model.facts
import bootdyno.run.FakeParts
import bootdyno.run.ManualClock
import bootdyno.run.RunEvent
import bootdyno.run.TrialRules
import bootdyno.run.TrialRunner
import bootdyno.run.run
import bootdyno.run.twoCellPlan
import bootdyno.store.SampleRun
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.HdrHistogram.Histogram
import org.junit.jupiter.api.Test
import kotlin.time.Duration.Companion.seconds

class ProgressTest {
    private val plan = twoCellPlan()
    private val cell = plan.cells.first()

    private fun ended(round: Int): RunEvent.TrialEnded {
        val trial = Trial(round, round, cell.id)
        val runner = TrialRunner(FakeParts(ManualClock()), ManualClock(), TrialRules(plan)) {}
        val record = runner.run(cell).record
        return RunEvent.TrialEnded(
            trial,
            cell,
            TrialFacts(record.copy(ending = Ending.NotRun("No native-image.")), null, SampleRun.series),
            0.0,
        )
    }

    @Test
    fun `why a variant cannot run here is said once, not in every round`() {
        trialLine(ended(1)).substringAfter("round 1 ") shouldBe "  not run: No native-image."
        trialLine(ended(2)).substringAfter("round 2 ") shouldBe "  not run, as before"
    }

    @Test
    fun `an added round says what it is for, and what is left out`() {
        roundText(RunEvent.RoundAdded(4, 1)) shouldBe "round 4: 1 more trial"
        roundText(RunEvent.RoundAdded(4, 3, listOf(CellId("b/w")), listOf("a/w (0.97 to 1.05 of base/w)"))) shouldBe
            "round 4: 3 more trials, undecided: a/w (0.97 to 1.05 of base/w); settled: b/w"
        roundText(RunEvent.RoundAdded(4, 9, undecided = ('a'..'e').map { "$it" })) shouldBe
            "round 4: 9 more trials, undecided: a, b, c, 2 more"
    }

    @Test
    fun `the interval of a cell is of its counted trials, the last attempt of each and both of the baseline`() {
        val soFar = SoFar()
        soFar.add(Trial(1, 1, cell.id), 2_260.0) shouldBe "2,260/s"
        soFar.add(Trial(2, 2, cell.id), 10.0).substringBefore(" ±") shouldBe "10/s"
        soFar.add(Trial(2, 2, cell.id, attempt = 2), 2_260.0) shouldBe "2,260/s ± 0 %"
        // 2,260 and the mean of 2,260 and 2,300: t = 12.7 times 0.0088 / 2 on the logarithm is 0.056.
        soFar.add(Trial(3, 2, cell.id, again = true), 2_300.0) shouldBe "2,300/s ± 5.9 %"
    }

    @Test
    fun `a row does not wrap at 80 columns`() {
        val long = cell.copy(id = CellId("tomcat+server.tomcat.threads.max=400/completableFutureIO@saturate"))
        val facts = TrialFacts(SampleRun.measuredRecord, SampleRun.latencies.facts(), SampleRun.series)
        val soFar = SoFar().apply { add(Trial(1, 1, long.id), 1.0) }
        val row = trialLine(RunEvent.TrialEnded(Trial(30, 15, long.id, again = true, attempt = 2), long, facts, 152.0), soFar)
        row.length shouldBeLessThanOrEqual 78
        row shouldContain "round 15"
    }

    @Test
    fun `only a terminal that can redraw lines gets a live view`() {
        redraws("true", "xterm-256color") shouldBe true
        redraws("true", "dumb") shouldBe false
        redraws(null, "xterm-256color") shouldBe false
    }

    @Test
    fun `the p99 of a row counts requests without a response, as the report does`() {
        val trial = Trial(1, 1, cell.id)
        val allAnswered = SampleRun.latencies.copy(unanswered = Histogram(3))
        fun row(latencies: LatencyHistograms): String {
            val facts = TrialFacts(SampleRun.measuredRecord, latencies.facts(), SampleRun.series)
            return trialLine(RunEvent.TrialEnded(trial, cell, facts, 20.0))
        }
        row(allAnswered) shouldContain "p99 510 ms"
        row(SampleRun.latencies) shouldContain "p99 ≥ 2 s"
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
