package bootdyno.cli

import com.github.ajalt.clikt.core.CliktCommand
import com.github.ajalt.clikt.core.Context
import com.github.ajalt.clikt.core.ProgramResult
import com.github.ajalt.clikt.core.terminal
import com.github.ajalt.clikt.parameters.arguments.argument
import com.github.ajalt.clikt.parameters.options.flag
import com.github.ajalt.clikt.parameters.options.option
import com.github.ajalt.clikt.parameters.types.choice
import com.github.ajalt.clikt.parameters.types.path

/** Judges a run again, from its folder alone. */
internal class ReportCommand : CliktCommand(name = "report") {
    private val run by argument("RUN", help = "The folder of a run").path(mustExist = true, canBeFile = false)
    private val format by option(metavar = "FORMAT", help = "What to print: terminal (the default), html, md, json or csv")
        .choice("terminal", *Format.entries.map { it.word }.toTypedArray())
    private val json by option(help = "The same as --format json").flag()
    private val undecidedFails by option("--fail-on-undecided", help = "Exit 4 when a gate of the experiment is undecided").flag()

    override fun help(context: Context) = "Judge a run again and rebuild its reports"

    override fun run() {
        val folder = openRun(run)
        val report = judge(folder, ::say)
        writeReports(report, folder)
        val word = format ?: Format.JSON.word.takeIf { json }
        val chosen = Format.entries.find { it.word == word }
        echo(Printed(chosen?.render?.invoke(report) ?: terminalText(report, terminal)), trailingNewline = false)
        throw ProgramResult(exitCode(report, undecidedFails))
    }

    private fun say(line: String) = echo(line, err = true)
}
