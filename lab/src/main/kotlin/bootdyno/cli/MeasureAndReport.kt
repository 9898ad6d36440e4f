package bootdyno.cli

import bootdyno.measure.ExitCode
import bootdyno.measure.InputProblem
import bootdyno.measure.OpenedRun
import bootdyno.measure.RunToMeasure
import bootdyno.measure.asInput
import bootdyno.measure.interruptible
import bootdyno.measure.measure
import bootdyno.model.Plan
import bootdyno.model.shellPath
import bootdyno.report.Report
import bootdyno.report.summary
import bootdyno.run.RunEvent
import bootdyno.store.RunFolder
import bootdyno.store.RunFolderException
import bootdyno.system.withheldVariables
import com.github.ajalt.clikt.core.ProgramResult
import com.github.ajalt.clikt.core.terminal
import com.github.ajalt.clikt.parameters.groups.OptionGroup
import com.github.ajalt.clikt.parameters.options.flag
import com.github.ajalt.clikt.parameters.options.option
import com.github.ajalt.clikt.parameters.types.path
import com.github.ajalt.mordant.terminal.Terminal

/** Output flags of all commands that print the report of a run. */
internal class OutputOptions : OptionGroup("What to print") {
    val json by option(help = "One JSON document on stdout (docs/report.schema.json), progress on stderr").flag()
    val verbose by option(help = "Print all sections of the report, not only the summary").flag()
    val history by option(metavar = "FILE", help = "Append the figures to this CSV file, once per run").path(canBeDir = false)
    val undecidedFails by option("--fail-on-undecided", help = "Exit 4 when a gate of the experiment is undecided").flag()
}

/** Whether lines can be drawn again: not in pipes, and not on a dumb [terminal]. */
internal fun redraws(isTerminal: String?, terminal: String?): Boolean = isTerminal == "true" && terminal != "dumb"

/** Which variables of the shell are not passed on; null without one that is known to matter. */
internal fun withheld(): String? = withheldVariables().ifEmpty { null }?.let {
    "These environment variables of your shell are not passed on: ${it.joinToString()}. " +
        "Set what should count: `settings`, `jvm` or `env` (--setting, --jvm, --env)."
}

/** Measures the missing trials of a run, then prints its report: the common part of `run` and `resume`. */
internal class MeasureAndReport(private val command: DynoCommand, private val output: OutputOptions) {
    /** [open] returns the run's folder; it is called while the machine's lock is held, and may throw [InputProblem]. */
    fun go(plan: Plan, open: () -> OpenedRun) {
        noteWithheld()
        end(measured(plan, open))
    }

    /** Like [go], without printing. */
    fun measured(plan: Plan, open: () -> OpenedRun): Report {
        output.history?.let(::historyLines)
        val run = RunToMeasure(open)
        val progress = progress(plan)
        val folder = asInput {
            try {
                (progress as? AutoCloseable).use {
                    interruptible({ interrupted(run, progress) }) { measure(plan, run, progress, ::say) }
                }
            } catch (full: RunFolderException) {
                say("${full.message}\nFinished trials are kept. Fix this, then run: ${resume(run.kept ?: throw full)}")
                throw ProgramResult(ExitCode.TRIAL_FAILED)
            }
        }
        return judged(folder)
    }

    private fun interrupted(run: RunToMeasure, progress: (RunEvent) -> Unit) {
        (progress as? AutoCloseable)?.close()
        val kept = run.kept ?: return say("Interrupted before the first trial. Nothing is kept.")
        say("Interrupted. Finished trials are kept; go on with: ${resume(kept)}")
    }

    private fun resume(kept: RunFolder) = "$COMMAND resume ${shellPath("${kept.path}")}"

    /** Judges the run in [folder], and writes its reports. */
    fun judged(folder: RunFolder): Report = judge(folder, ::say).also { report ->
        writeReports(report, folder, ::say)
        writeStepSummary(summary(report), ::say)
        output.history?.let { appendHistory(report, it, ::say) }
    }

    fun print(report: Report) = with(command) {
        printResult(if (output.json) Format.JSON.render(report) else terminalText(report, terminal, output.verbose))
    }

    /** Prints [report], and ends the command with its exit code. */
    fun end(report: Report): Nothing {
        print(report)
        throw ProgramResult(exitCode(report, output.undecidedFails))
    }

    private fun progress(plan: Plan): (RunEvent) -> Unit {
        if (!redraws(System.getProperty("dyno.stderr.tty"), System.getenv("TERM"))) return LineProgress(::say)
        val stderr = StderrInterface(command.terminal.terminalInterface)
        val terminal = Terminal(colours(isTerminal = true, System::getenv), interactive = true, terminalInterface = stderr)
        return LiveProgress(terminal, expected(plan) / (plan.cells.size * plan.experiment.repetition.rounds), plan)
    }

    /** Prints which variables of the shell are not passed on. */
    fun noteWithheld() {
        withheld()?.let { say(note(it, command.terminal)) }
    }

    private fun say(line: String) = command.echo(line, err = true)
}
