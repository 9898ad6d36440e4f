package bootdyno.cli

import bootdyno.flags.confirming
import bootdyno.measure.ExitCode
import bootdyno.measure.InputProblem
import bootdyno.model.Plan
import bootdyno.model.shellPath
import bootdyno.report.Report
import com.github.ajalt.clikt.core.ProgramResult
import java.nio.file.Path
import kotlin.io.path.Path
import kotlin.io.path.name

/** Rounds in which a change is measured against its original, by default: more than the first only while they are needed. */
internal val CONFIRM_ROUNDS = 3..5

/** Numbers of steps that may be asked for. */
internal val STEPS = 1..10

/** Measures the changes that a run proposes, each in a run of its own in [out]. */
internal class Confirming(
    private val measuring: MeasureAndReport,
    private val output: OutputOptions,
    private val mayLoad: List<String>,
    private val out: Path,
    private val say: (String) -> Unit,
) {
    /**
     * Measures [first], a proposal of the run with [plan] and [report]; then the next proposal for the changed cell, up to [steps]. Ends the
     * command with its exit code, [soFar] or that of a step.
     */
    fun go(plan: Plan, report: Report, first: Proposal.Some, rounds: IntRange, steps: Int, soFar: Int = ExitCode.FINE) {
        val run = report.folder?.let { Path(it).name }
        val measured = mutableListOf<Report>()
        var from = plan
        var proposal = first
        for (step in 1..steps) {
            from = confirming(from, proposal.cell, proposal.prediction.copy(run = run), rounds)
            measured += step(from, "Step $step of $steps: ".takeIf { steps > 1 }.orEmpty(), measured.lastOrNull() ?: report)
            if (step == steps) break
            proposal = when (val more = proposalOf(from, measured.last().explanations, from.cells.last().id.text, machine())) {
                is Proposal.Some -> more

                is Proposal.None -> {
                    say(more.sentence)
                    break
                }
            }
        }
        end(report, measured, soFar)
    }

    /** Measures the change that the run of [before] proposes. */
    private fun step(plan: Plan, which: String, before: Report): Report = try {
        val environment = environmentOfRun()
        refuseWhatCannotRun(plan, environment, mayLoad)
        say("$which${plan.experiment.title}: ${extent(plan)}. ${plan.prediction?.sentence}")
        measuring.measured(plan) { newRun(out, plan, environment) }.also { if (!output.json) measuring.print(it) }
    } catch (refused: InputProblem) {
        // For example another measurement has begun in between.
        throw InputProblem("${refused.message}\nMeasure the change later: $COMMAND confirm ${shellPath(before.folder.orEmpty())}")
    }

    private fun end(report: Report, measured: List<Report>, soFar: Int) {
        val whole = report.copy(confirmations = report.confirmations + measured.flatMap { it.confirmations })
        report.folder?.let { writeReports(whole, openRun(Path(it)), say) }
        if (output.json) measuring.print(whole)
        throw ProgramResult(exitCode(listOf(soFar) + measured.map { exitCode(it, output.undecidedFails) }))
    }
}
