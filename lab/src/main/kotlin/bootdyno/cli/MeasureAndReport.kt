package bootdyno.cli

import bootdyno.launch.LaunchFailed
import bootdyno.load.EngineFailed
import bootdyno.model.Plan
import bootdyno.model.redactText
import bootdyno.process.withheldVariables
import bootdyno.run.MachineBusy
import bootdyno.run.RunEvent
import bootdyno.store.RunFolder
import bootdyno.store.RunFolderException
import com.github.ajalt.clikt.core.CliktCommand
import com.github.ajalt.clikt.core.ProgramResult
import com.github.ajalt.clikt.core.terminal
import com.github.ajalt.clikt.parameters.groups.OptionGroup
import com.github.ajalt.clikt.parameters.options.flag
import com.github.ajalt.clikt.parameters.options.option
import com.github.ajalt.mordant.terminal.Terminal

/** The flags that shape the answer; the same for `run` and `resume`. */
internal class OutputOptions : OptionGroup("What to print") {
    val json by option(help = "One JSON document on stdout (docs/report.schema.json), progress on stderr").flag()
    val undecidedFails by option("--fail-on-undecided", help = "Exit 4 when a gate of the experiment is undecided").flag()
}

/** Measures what is missing of a run, then judges all of it: the common end of `run` and `resume`. */
internal class MeasureAndReport(private val command: CliktCommand, private val output: OutputOptions) {
    fun go(plan: Plan, folder: RunFolder, already: Set<Int>) {
        withheld()?.let { say(note(it, command.terminal)) }
        if (!measureWithProgress(plan, folder, already)) return
        val report = judge(folder, ::say)
        writeReports(report, folder)
        command.echo(
            Printed(if (output.json) Format.JSON.render(report) else terminalText(report, command.terminal)),
            trailingNewline = false,
        )
        throw ProgramResult(exitCode(report, output.undecidedFails))
    }

    private fun measureWithProgress(plan: Plan, folder: RunFolder, already: Set<Int>): Boolean {
        val progress = progress(plan)
        return try {
            measure(plan, folder, already, progress, ::say) {
                (progress as? AutoCloseable)?.close()
                say("Interrupted. What is finished is kept; go on with: ./dyno resume ${folder.path}")
            }
        } catch (busy: MachineBusy) {
            throw InputProblem("${busy.message}\n${busy.hint}")
        } catch (missing: EngineFailed) {
            throw InputProblem(missing.message.orEmpty())
        } catch (absent: LaunchFailed) {
            throw InputProblem((listOf(absent.reason) + absent.lastLines).joinToString("\n    ", transform = ::redactText))
        } catch (full: RunFolderException) {
            say("${full.message}\nWhat is finished is kept; when that is put right, go on with: ./dyno resume ${folder.path}")
            throw ProgramResult(ExitCode.TRIAL_FAILED)
        } finally {
            (progress as? AutoCloseable)?.close()
        }
    }

    private fun progress(plan: Plan): (RunEvent) -> Unit {
        if (System.getProperty("dyno.stderr.tty") != "true") return LineProgress(::say)
        val terminal = Terminal(interactive = true, terminalInterface = StderrInterface(command.terminal.terminalInterface))
        return LiveProgress(terminal, expected(plan) / (plan.cells.size * plan.experiment.protocol.rounds))
    }

    /** Said once a run: what the shell says elsewhere counts is not what counts here. */
    private fun withheld(): String? = withheldVariables().takeIf { it.isNotEmpty() }?.let {
        "These environment variables of your shell are not passed on: ${it.joinToString()}. " +
            "Set what should count in the experiment, by `settings`, `jvm` or `env`."
    }

    private fun say(line: String) = command.echo(line, err = true)
}
