package bootdyno.cli

import bootdyno.model.Cell
import bootdyno.model.CellId
import bootdyno.model.LoadProfile
import bootdyno.model.Plan
import bootdyno.model.Stage
import bootdyno.model.Trial
import bootdyno.model.TrialFacts
import bootdyno.model.facts
import bootdyno.run.RunEvent
import bootdyno.run.twoCellPlan
import bootdyno.store.SampleRun
import com.github.ajalt.mordant.terminal.Terminal
import com.github.ajalt.mordant.terminal.TerminalRecorder
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Test
import java.nio.file.Path
import kotlin.time.Duration.Companion.seconds

class LiveProgressTest {
    private val plan = twoCellPlan().let { two ->
        two.copy(cells = two.cells.map { it.copy(profile = it.profile.copy(load = LoadProfile.Closed(400))) })
    }
    private val one = plan.cells[0]
    private val other = plan.cells[1]
    private val recorder = TerminalRecorder(width = 80, outputInteractive = true)

    private fun live(blocks: Boolean = true) =
        LiveProgress(Terminal(interactive = true, terminalInterface = recorder), 20.seconds, plan, blocks)

    private fun ended(cell: Cell, answered: Long, round: Int = 1): RunEvent.TrialEnded {
        val record = SampleRun.measuredRecord.run { copy(load = load?.copy(answered = answered, windowSeconds = 10.0)) }
        val facts = TrialFacts(record, SampleRun.latencies.facts(), SampleRun.series)
        return RunEvent.TrialEnded(Trial(1, round, cell.id), cell, facts, 20.0)
    }

    private fun LiveProgress.window(vararg rates: Double): String {
        invoke(RunEvent.RunStarted(Path.of("runs/x"), 2, 0))
        invoke(RunEvent.TrialStarted(Trial(1, 1, one.id), one))
        invoke(RunEvent.StageEntered(Trial(1, 1, one.id), Stage.WINDOW))
        rates.forEach { invoke(RunEvent.Second(Trial(1, 1, one.id), Stage.WINDOW, it, 12.0)) }
        return recorder.output()
    }

    @Test
    fun `a sparkline goes from zero to the largest value`() {
        sparkline(listOf(0.0, 400.0, 800.0)) shouldBe "▁▅█"
        sparkline(listOf(790.0, 800.0, 795.0)) shouldBe "███"
        sparkline(listOf(0.0, 0.0)) shouldBe ""
    }

    @Test
    fun `the seconds of a window are drawn, and a new stage begins a new sparkline`() {
        val live = live()
        live.window(100.0, 800.0, 400.0) shouldContain "▂█▅"
        recorder.clearOutput()
        live(RunEvent.StageEntered(Trial(1, 1, one.id), Stage.DIAGNOSIS))
        live(RunEvent.Second(Trial(1, 1, one.id), Stage.DIAGNOSIS, 800.0, 12.0))
        recorder.output() shouldNotContain "█"
    }

    @Test
    fun `a terminal without block characters gets no sparkline`() {
        live(blocks = false).window(100.0, 800.0, 400.0) shouldNotContain "█"
    }

    @Test
    fun `the line of the current cell does not wrap at 80 columns`() {
        val long = "tomcat+server.tomcat.threads.max=400/completableFutureIO@saturate"
        val rates = List(60) { 12_345.0 }
        fun NowLine.width() = name.length + stage.length + load.length + 4
        listOf("measuring", "measuring latency under open load", "waiting for GET /ready: ${"x".repeat(200)}").forEach { stage ->
            val line = Now(long, stage, "12,345/s  p99 604 ms", rates).line(79, blocks = true)
            line.width() shouldBeLessThanOrEqual 79
        }
        Now("tomcat/noop", "measuring", "790/s", rates).line(79, blocks = true).name shouldBe "tomcat/noop"
    }

    @Test
    fun `the leader so far is preliminary, and needs two measured cells`() {
        val live = live()
        live(RunEvent.RunStarted(Path.of("runs/x"), 2, 0))
        live(ended(one, 4_000))
        recorder.output() shouldNotContain "preliminary"
        live(ended(other, 8_000))
        recorder.output() shouldContain "preliminary leader: ${other.id.text} 800/s"
        recorder.output() shouldNotContain "more within"
    }

    @Test
    fun `cells within 5 percent of the leader are counted, and other work is not compared`() {
        fun text(plan: Plan, vararg answered: Double): String? {
            val soFar = SoFar()
            plan.cells.zip(answered.toList()).forEach { (cell, rate) -> soFar.add(Trial(1, 1, cell.id), rate) }
            return LeaderSoFar(plan, soFar).text(plan.cells.first())
        }
        text(plan, 790.0, 800.0) shouldBe "preliminary leader: ${other.id.text} 800/s; 1 more within 5 %"
        val open = plan.cells.map { it.copy(profile = it.profile.copy(name = "own-${it.id.text}")) }
        text(plan.copy(cells = open), 400.0, 800.0) shouldBe null
        val long = other.copy(id = CellId("tomcat+server.tomcat.threads.max=400/completableFutureIO@saturate"))
        val many = plan.copy(cells = List(12) { long.copy(id = CellId("${long.id.text}$it")) })
        text(many, *DoubleArray(12) { 12_345.0 }).orEmpty().length shouldBeLessThanOrEqual 78
    }
}
