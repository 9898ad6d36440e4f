package bootdyno.cli

import bootdyno.measure.asInput
import com.github.ajalt.clikt.core.ProgramResult
import com.github.ajalt.clikt.core.terminal
import com.github.ajalt.clikt.parameters.arguments.argument
import com.github.ajalt.clikt.parameters.groups.provideDelegate
import com.github.ajalt.clikt.parameters.options.option
import com.github.ajalt.clikt.parameters.types.choice
import com.github.ajalt.clikt.parameters.types.path

/** Analyses a run again from its folder. */
internal class ReportCommand : DynoCommand("report", "Judge a run again and rebuild its reports") {
    private val output by OutputOptions()
    private val run by argument("RUN", help = "The folder of a run").path()
    private val format by option(metavar = "FORMAT", help = "What to print: terminal (default), ${formats()}")
        .choice("terminal", *Format.entries.map { it.word }.toTypedArray())

    override fun run() {
        val folder = openRun(run)
        val report = asInput { judge(folder, ::say) }
        writeReports(report, folder, ::say)
        output.history?.let { appendHistory(report, it, ::say) }
        val word = format ?: Format.JSON.word.takeIf { output.json }
        val chosen = Format.entries.find { it.word == word }
        echo(Printed(chosen?.render?.invoke(report) ?: terminalText(report, terminal, output.verbose)), trailingNewline = false)
        throw ProgramResult(exitCode(report, output.undecidedFails))
    }
}

private fun formats() = Format.entries.joinToString { it.word }
