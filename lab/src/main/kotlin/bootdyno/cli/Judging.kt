package bootdyno.cli

import bootdyno.analyse.Confirmation
import bootdyno.analyse.ConfirmationOutcome
import bootdyno.analyse.GateOutcome
import bootdyno.analyse.analyse
import bootdyno.explain.explain
import bootdyno.flags.CONFIRMS
import bootdyno.measure.ExitCode
import bootdyno.measure.InputProblem
import bootdyno.measure.asInput
import bootdyno.model.plural
import bootdyno.model.shellPath
import bootdyno.report.Page
import bootdyno.report.Report
import bootdyno.report.format.Screen
import bootdyno.report.format.renderBencher
import bootdyno.report.format.renderBiggerIsBetter
import bootdyno.report.format.renderCsv
import bootdyno.report.format.renderHtml
import bootdyno.report.format.renderJson
import bootdyno.report.format.renderJunit
import bootdyno.report.format.renderMarkdown
import bootdyno.report.format.renderSmallerIsBetter
import bootdyno.report.format.renderSummary
import bootdyno.report.format.renderSvg
import bootdyno.report.format.renderTerminal
import bootdyno.report.format.wrapped
import bootdyno.report.isWhole
import bootdyno.report.page
import bootdyno.store.RunFolder
import bootdyno.store.RunFolderException
import bootdyno.system.nullOn
import com.github.ajalt.mordant.rendering.AnsiLevel
import com.github.ajalt.mordant.terminal.Terminal
import java.nio.charset.StandardCharsets
import java.nio.file.Path
import kotlin.io.path.isReadable
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name

/** Further damaged trials are counted. */
private const val MOST_SAID = 3

/** Opens the run folder at [path]. @throws InputProblem if it is not one */
fun openRun(path: Path): RunFolder = asInput { RunFolder.open(path) }

/** Output format of a report. [file]: its name in the run folder; null: only printed. */
internal enum class Format(val word: String, val file: String?, val render: (Report) -> String) {
    HTML("html", "report.html", { renderHtml(page(it)) }),
    JSON("json", "report.json", ::renderJson),
    MARKDOWN("md", "report.md", { renderMarkdown(page(it)) }),
    CSV("csv", "report.csv", ::renderCsv),
    SVG("svg", null, ::renderSvg),
    JUNIT("junit", null, ::renderJunit),
    BENCHER("bencher", null, ::renderBencher),
    BIGGER("bigger-is-better", null, ::renderBiggerIsBetter),
    SMALLER("smaller-is-better", null, ::renderSmallerIsBetter),
}

/** Analyses all readable trials in [folder]; [say] gets the damaged ones, which the report lists too. */
internal fun judge(folder: RunFolder, say: (String) -> Unit): Report {
    val facts = folder.read()
    val problems = folder.problems(facts)
    problems.take(MOST_SAID).forEach(say)
    val others = problems.size - MOST_SAID
    if (others > 0) say("${plural(others, "more trial")} cannot be read: report.json lists all.")
    if (problems.isNotEmpty()) {
        val isMerged = facts.otherMachines.isNotEmpty()
        val damaged = if (isMerged) "the run that was merged, then merge again" else shellPath("${folder.path}")
        say("Measure damaged trials again: $COMMAND resume $damaged")
    }
    val analysis = analyse(facts)
    val path = folder.path.toString()
    val confirmations = listOfNotNull(analysis.confirmation?.copy(folder = path)) + confirmationsBeside(folder)
    return Report(analysis, explain(analysis), path, confirmations, COMMAND)
}

/** What later runs beside [folder] found about the changes that it proposed. Unreadable ones are ignored. */
private fun confirmationsBeside(folder: RunFolder): List<Confirmation> {
    val ownPath = folder.path.toAbsolutePath().normalize()
    val others = ownPath.parent?.takeIf { it.isReadable() }?.listDirectoryEntries("*$CONFIRMS*").orEmpty().sorted()
    return others.filter { it != ownPath }.mapNotNull { path ->
        // Another run's folder never breaks this report.
        nullOn(Exception::class) {
            val other = RunFolder.open(folder.path.resolveSibling(path.name))
            if (other.plan().prediction?.run != ownPath.name) return@mapNotNull null
            analyse(other.read()).confirmation?.copy(folder = other.path.toString())
        }
    }
}

/** Writes the formats of the report that have a file into the run folder. A failure is only reported, because they can be written again. */
internal fun writeReports(report: Report, folder: RunFolder, say: (String) -> Unit) = try {
    val formats = Format.entries.filter { it.file != null }
    // By all CPUs: of a large run each takes a second.
    val texts = formats.parallelStream().map { it.render(report) }.toList()
    formats.zip(texts).forEach { (format, text) -> format.file?.let { folder.writeReport(it, text) } }
} catch (unwritable: RunFolderException) {
    say("${unwritable.message} The report's files are missing or old.")
}

/** The summary, or with [verbose] every section. */
internal fun terminalText(report: Report, terminal: Terminal, verbose: Boolean): String =
    if (verbose) terminalText(page(report), terminal) else renderSummary(report, terminal.screen)

internal fun terminalText(page: Page, terminal: Terminal): String =
    terminal.screen.let { renderTerminal(page, it.width, it.colour, it.unicode) }

/** [page] in the [format] `html` or `md`, otherwise as text. */
internal fun rendered(page: Page, format: String?, terminal: Terminal): String = when (format) {
    Format.HTML.word -> renderHtml(page)
    Format.MARKDOWN.word -> renderMarkdown(page)
    else -> terminalText(page, terminal)
}

private val Terminal.screen: Screen
    get() = Screen(textWidth, terminalInfo.ansiLevel != AnsiLevel.NONE, System.out.charset() == StandardCharsets.UTF_8)

/** Width in characters; 100 for pipes, and for pseudo-terminals that report 0 columns. */
private val Terminal.textWidth: Int get() = size.width.takeIf { terminalInfo.outputInteractive && it >= 60 } ?: 100

/** A note before a run, as a paragraph. */
internal fun note(text: String, terminal: Terminal): String = wrapped("Note: $text", terminal.textWidth).joinToString("\n")

/**
 * The exit code of a finished run, whatever command judges it; a cell whose trials are all invalid was not measured, as if they had failed. Of a
 * comparison of builds and of a predicted change, a decision is wanted also without [failOnUndecided].
 */
internal fun exitCode(report: Report, failOnUndecided: Boolean): Int {
    val gates = report.analysis.gates.map { it.outcome }
    return when {
        !isWhole(report) -> ExitCode.TRIAL_FAILED
        GateOutcome.FAIL in gates -> ExitCode.GATE_FAILED
        (failOnUndecided || report.wantsDecision) && GateOutcome.UNDECIDED in gates -> ExitCode.UNDECIDED
        report.analysis.confirmation?.outcome == ConfirmationOutcome.UNDECIDED -> ExitCode.UNDECIDED
        else -> ExitCode.FINE
    }
}

/** Of several runs of one command, whose exit codes are [codes]: what weighs most in one run does so here. */
internal fun exitCode(codes: List<Int>): Int = codes.filter { it != ExitCode.FINE }.minOrNull() ?: ExitCode.FINE
