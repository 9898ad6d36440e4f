package bootdyno.cli

import bootdyno.analyse.CellAnalysis
import bootdyno.analyse.GateOutcome
import bootdyno.analyse.analyse
import bootdyno.explain.explain
import bootdyno.report.Report
import bootdyno.report.page
import bootdyno.report.renderCsv
import bootdyno.report.renderHtml
import bootdyno.report.renderJson
import bootdyno.report.renderMarkdown
import bootdyno.report.renderTerminal
import bootdyno.report.summary
import bootdyno.report.wrapped
import bootdyno.store.RunFolder
import bootdyno.store.RunFolderException
import com.github.ajalt.mordant.rendering.AnsiLevel
import com.github.ajalt.mordant.terminal.Terminal
import java.nio.charset.StandardCharsets
import java.nio.file.Path

/** The run folder the user named, or an [InputProblem]. */
internal fun openRun(path: Path): RunFolder = asInput { RunFolder.open(path) }

/** What [action] cannot do with the folder the user named is the user's input to change. */
internal fun <T> asInput(action: () -> T): T = try {
    action()
} catch (unusable: RunFolderException) {
    throw InputProblem(unusable.message.orEmpty())
}

/** A form a report can take. */
internal enum class Format(val word: String, val file: String, val render: (Report) -> String) {
    HTML("html", "report.html", { renderHtml(page(it)) }),
    JSON("json", "report.json", ::renderJson),
    MARKDOWN("md", "report.md", { renderMarkdown(page(it)) }),
    CSV("csv", "report.csv", ::renderCsv),
}

/** Judges everything readable in [folder]; what is damaged is told to [say], and the report lists it. */
internal fun judge(folder: RunFolder, say: (String) -> Unit): Report {
    val read = folder.read()
    read.problems.forEach(say)
    if (read.problems.isNotEmpty()) say("Measure damaged trials again: ./dyno resume ${folder.path}")
    val analysis = analyse(read.facts)
    return Report(analysis, explain(analysis), folder.path.toString())
}

/** Writes every form of the report into the run folder, from which it can be made again: where that cannot be, the report is as good. */
internal fun writeReports(report: Report, folder: RunFolder, say: (String) -> Unit) = try {
    Format.entries.forEach { format -> folder.writeReport(format.file, format.render(report)) }
} catch (unwritable: RunFolderException) {
    say("${unwritable.message} The report's files are missing or old.")
}

/** One screen, or with [verbose] every section. */
internal fun terminalText(report: Report, terminal: Terminal, verbose: Boolean): String = renderTerminal(
    if (verbose) page(report) else summary(report),
    width = terminal.textWidth,
    colour = terminal.terminalInfo.ansiLevel != AnsiLevel.NONE,
    unicode = System.out.charset() == StandardCharsets.UTF_8,
)

/** Characters in a line. A pseudo-terminal of 0 columns exists, and would empty every table; a pipe has none, and 100 suit a file. */
private val Terminal.textWidth: Int get() = size.width.takeIf { terminalInfo.outputInteractive && it >= 60 } ?: 100

/** Something to know before a run, as a paragraph. */
internal fun note(text: String, terminal: Terminal): String = wrapped("Note: $text", terminal.textWidth).joinToString("\n")

/** The exit code a finished run deserves. */
internal fun exitCode(report: Report, failOnUndecided: Boolean): Int {
    val gates = report.analysis.gates.map { it.outcome }
    return when {
        report.analysis.failures.isNotEmpty() || report.analysis.run.damaged.isNotEmpty() ||
            report.analysis.cells.any(::allFailed) -> ExitCode.TRIAL_FAILED

        GateOutcome.FAIL in gates -> ExitCode.GATE_FAILED

        failOnUndecided && GateOutcome.UNDECIDED in gates -> ExitCode.UNDECIDED

        else -> ExitCode.FINE
    }
}

/** A subject that refuses everybody was measured, too, but nobody who asks a script wants to hear that all is fine. */
private fun allFailed(cell: CellAnalysis): Boolean = cell.answered == 0L && cell.errors.values.sum() > 0
