package bootdyno.cli

import bootdyno.analyse.ConfirmationOutcome
import bootdyno.explain.Advice
import bootdyno.explain.Bottleneck
import bootdyno.explain.CellExplanation
import bootdyno.explain.LimitName
import bootdyno.measure.ExitCode
import bootdyno.model.Bytes
import bootdyno.model.Change
import bootdyno.model.Plan
import bootdyno.model.Prediction
import bootdyno.model.Trial
import bootdyno.plan.Machine
import bootdyno.plan.planText
import bootdyno.probe.environment
import bootdyno.store.RunFolder
import bootdyno.store.SampleRun
import bootdyno.store.keep
import com.github.ajalt.clikt.testing.test
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.createDirectory
import kotlin.io.path.name
import kotlin.io.path.writeText

class ConfirmTest(@param:TempDir private val runs: Path) {
    private val plan = SampleRun.plan.run { copy(experiment = experiment.copy(gates = emptyList())) }
    private val cells = plan.cells.map { it.id }
    private val change = Change.Setting("pool", "20")

    private fun prediction(run: String? = null) = Prediction(change, 1.9, 2.1, "Predicted: twice as many.", run)

    /** Three rounds: 1,000 requests of the first cell, [second] of the second one. */
    private fun run(name: String, plan: Plan, second: Long, rounds: Int = 3): RunFolder {
        val folder = SampleRun.folder(runs, name, plan, planText(plan)).also { it.writeEnvironment(environment()) }
        for (round in 1..rounds) {
            cells.forEachIndexed { i, cell ->
                val trial = Trial(2 * round + i - 1, round, cell)
                folder.keep(SampleRun.outcome(trial, answered = if (i == 0) 1000 + round.toLong() else second))
            }
        }
        return folder
    }

    @Test
    fun `a run that measures a prediction reports the outcome, and so does the run that proposed it`() {
        val proposed = run("x", plan, 1000)
        judge(proposed) {}.confirmations.shouldBeEmpty()
        val confirming = run("x-confirm", plan.copy(prediction = prediction(proposed.path.name)), 2000)
        run("x-confirm", plan.copy(prediction = prediction("another run")), 2000)
        runs.resolve("2026-11-22T101500-x-confirm").createDirectory().resolve("plan.json").writeText("{")

        for (folder in listOf(proposed, confirming)) {
            val found = judge(RunFolder.open(folder.path)) {}.confirmations.single()
            found.outcome shouldBe ConfirmationOutcome.CONFIRMED
            found.prediction shouldBe prediction(proposed.path.name)
            found.folder shouldBe "${confirming.path}"
        }
    }

    @Test
    fun `an undecided prediction ends with exit code 4, a refuted one with 0`() {
        fun code(second: Long, rounds: Int): Int {
            val folder = run("x-confirm", plan.copy(prediction = prediction()), second, rounds)
            val said = dyno(Home(runs)).test(listOf("report", "${folder.path}"))
            said.stdout shouldContain "1.9 to 2.1"
            return said.statusCode
        }
        code(2000, rounds = 1) shouldBe ExitCode.UNDECIDED
        code(1200, rounds = 3) shouldBe ExitCode.FINE
        code(2000, rounds = 3) shouldBe ExitCode.FINE
    }

    @Test
    fun `a plan with a prediction needs the original and the change`() {
        val folder = run("x-confirm", plan.copy(prediction = prediction().copy(low = -1.0)), 2000, rounds = 0)
        val said = dyno(Home(runs)).test(listOf("report", "${folder.path}"))
        said.statusCode shouldBe ExitCode.INPUT
        said.stderr shouldContain "plan.json"
    }

    @Test
    fun `without a proposed change nothing is started, and the reason is said`() {
        val folder = run("x", plan, 1000, rounds = 0)
        val said = dyno(Home(runs)).test(listOf("confirm", "${folder.path}"))
        said.statusCode shouldBe ExitCode.INPUT
        said.stderr shouldContain "No change is proposed for ${cells.first()}: Nothing was measured.\nNothing was started."
        dyno(Home(runs)).test(listOf("confirm", "${folder.path}", "--cell", "other/*")).stderr shouldContain
            "`other/*` matches no cell; cells: ${cells.joinToString()}"
        Files.list(runs).use { it.count() } shouldBe 1
    }

    @Test
    fun `fewer than three rounds, which decide nothing, are refused`() {
        val folder = run("x", plan, 1000, rounds = 0)
        dyno(Home(runs)).test(listOf("confirm", "${folder.path}", "--rounds", "2")).stderr shouldContain "--rounds"
    }

    private fun explained(cell: Int, prediction: Prediction?, advice: Boolean = true) = CellExplanation(
        cells[cell],
        emptyList(),
        Bottleneck(LimitName("10 connections"), "98/s"),
        null,
        Advice("Allow more", "", prediction).takeIf { advice },
    )

    private fun proposal(vararg explanations: CellExplanation, pattern: String? = null) =
        proposalOf(plan, explanations.toList(), pattern, Machine(2, Bytes(Bytes.GIB)))

    private fun reason(proposal: Proposal) = (proposal as Proposal.None).sentence.substringAfter(": ")

    @Test
    fun `the change of the baseline comes first, or that of the named cell`() {
        val both = arrayOf(explained(0, prediction()), explained(1, prediction().copy(high = 3.0)))
        proposal(*both) shouldBe Proposal.Some(plan.cells[0], prediction())
        proposalOf(plan.copy(prediction = prediction()), both.toList(), null, Machine(2, null)) shouldBe
            Proposal.Some(plan.cells[1], prediction().copy(high = 3.0))
        proposal(*both, pattern = "*@open") shouldBe Proposal.Some(plan.cells[1], prediction().copy(high = 3.0))
        proposal(explained(0, null), both[1]) shouldBe Proposal.Some(plan.cells[1], prediction().copy(high = 3.0))
    }

    @Test
    fun `a cell without a change that can be made says why`() {
        reason(proposal(explained(0, null))) shouldBe "“Allow more” cannot be made from outside, or its effect is unknown."
        reason(proposal(explained(0, null, advice = false))) shouldBe "Nothing is known that would lift its limit."
        reason(proposal(CellExplanation(cells[0], emptyList(), null, "Two limits are near.", null))) shouldBe
            "Two limits are near."
        reason(proposal(explained(0, prediction().copy(change = Change.Cpus(2.0))))) shouldBe
            "2 CPUs and one for the load generator are more than the 2 of this machine."
    }
}
