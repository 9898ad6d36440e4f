package bootdyno.cli

import bootdyno.measure.ExitCode
import bootdyno.measure.InputProblem
import bootdyno.measure.asInput
import bootdyno.report.RunNames
import bootdyno.report.format.renderJson
import bootdyno.report.page
import bootdyno.report.sharedBy
import com.github.ajalt.clikt.core.ProgramResult
import com.github.ajalt.clikt.core.terminal
import com.github.ajalt.clikt.parameters.arguments.argument
import com.github.ajalt.clikt.parameters.arguments.multiple
import com.github.ajalt.clikt.parameters.groups.provideDelegate
import com.github.ajalt.clikt.parameters.options.option
import com.github.ajalt.clikt.parameters.types.choice
import com.github.ajalt.clikt.parameters.types.path

private val OF_SEVERAL = listOf(null, "terminal", Format.HTML.word, Format.MARKDOWN.word)

/** Analyses a run again from its folder. */
internal class ReportCommand :
    DynoCommand("report", "Judge a run again and rebuild its reports, or show several runs side by side") {
    private val output by OutputOptions()
    private val runs by argument("RUN", help = "The folder of a run; several are shown side by side, compared with the first")
        .path().multiple(required = true)
    private val format by option(metavar = "FORMAT", help = "What to print: terminal (default), ${formats()}")
        .choice("terminal", *Format.entries.map { it.word }.toTypedArray())
    private val word: String? get() = format ?: Format.JSON.word.takeIf { output.json }

    override fun run() {
        if (runs.size > 1) return sideBySide()
        val folder = openRun(runs.single())
        val report = asInput { judge(folder, ::say) }
        writeReports(report, folder, ::say)
        output.history?.let { appendHistory(report, it, ::say) }
        val chosen = Format.entries.find { it.word == word }
        printResult(chosen?.render?.invoke(report) ?: terminalText(report, terminal, output.verbose))
        throw ProgramResult(exitCode(report, output.undecidedFails))
    }

    /** Shows what the runs share. Nothing is written into their folders; a worse run is no failure, because no rule was given. */
    private fun sideBySide() {
        val isJson = word == Format.JSON.word && runs.size == 2
        if (output.history != null || (word !in OF_SEVERAL && !isJson)) {
            throw InputProblem(
                "Several runs are shown side by side: --format terminal, html or md, of two runs also json.\n" +
                    "For other formats and --history give one run.",
            )
        }
        val later = asInput { comparedRuns(runs.first(), runs.drop(1), emptyList(), ::say) }
        if (sharedBy(later).isEmpty()) throw InputProblem("No cell is comparable in all ${runs.size} runs.\nLeave one out.")
        val page = page(later, runs.map { "$it" }, COMMAND)
        val names = RunNames("${runs.first()}", "${runs.last()}", COMMAND)
        printResult(if (isJson) renderJson(later.single(), names) else rendered(page, word, terminal))
        throw ProgramResult(ExitCode.TRIAL_FAILED.takeIf { code -> later.any { exitCode(it) == code } } ?: ExitCode.FINE)
    }
}

private fun formats() = Format.entries.joinToString { it.word }
