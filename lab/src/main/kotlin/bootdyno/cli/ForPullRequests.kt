package bootdyno.cli

import bootdyno.analyse.FIRST_HISTORY_COLUMNS
import bootdyno.analyse.HISTORY_COLUMNS
import bootdyno.measure.InputProblem
import bootdyno.model.csvText
import bootdyno.report.Page
import bootdyno.report.Report
import bootdyno.report.format.historyOf
import bootdyno.report.format.renderMarkdown
import bootdyno.store.failureReason
import java.io.IOException
import java.nio.file.Path
import java.nio.file.StandardOpenOption.APPEND
import java.nio.file.StandardOpenOption.CREATE
import kotlin.io.path.Path
import kotlin.io.path.name
import kotlin.io.path.readLines
import kotlin.io.path.writeText

/** Variables in which GitHub and GitLab name the commit. */
private val COMMITS = listOf("GITHUB_SHA", "CI_COMMIT_SHA")

/** Appends [summary] to the file that GitHub shows on the page of the job; nothing elsewhere. */
internal fun writeStepSummary(summary: Page, say: (String) -> Unit, file: String? = System.getenv("GITHUB_STEP_SUMMARY")) {
    val path = file?.takeIf { it.isNotEmpty() }?.let(::Path) ?: return
    try {
        path.writeText(renderMarkdown(summary) + "\n", Charsets.UTF_8, CREATE, APPEND)
    } catch (unwritable: IOException) {
        say("The summary could not be written to $path (GITHUB_STEP_SUMMARY): ${failureReason(unwritable)}.")
    }
}

/**
 * Appends the figures of [report] to the history [file], once per run.
 * @throws InputProblem if it cannot be written, or is another file
 */
internal fun appendHistory(report: Report, file: Path, say: (String) -> Unit) {
    val run = report.folder?.let { Path(it).name }.orEmpty()
    val commit = COMMITS.firstNotNullOfOrNull { System.getenv(it) }.orEmpty()
    val before = historyLines(file)
    if (before.any { ",$run," in it }) return say("$file has the run $run already.")
    val columns = before.firstOrNull()?.split(',') ?: HISTORY_COLUMNS
    val records = historyOf(report, run, commit).asSequence().map { it.take(columns.size) }
    val lines = if (before.isEmpty()) sequenceOf(columns) + records else records
    writingHistory(file) { file.writeText(csvText(lines), Charsets.UTF_8, CREATE, APPEND) }
}

/**
 * The lines of the history [file], which is made if it is missing.
 * @throws InputProblem if it cannot be written, or is another file
 */
internal fun historyLines(file: Path): List<String> = writingHistory(file) {
    file.writeText("", Charsets.UTF_8, CREATE, APPEND)
    val lines = file.readLines()
    val columns = lines.firstOrNull()?.split(',') ?: HISTORY_COLUMNS
    if (columns != HISTORY_COLUMNS && columns != FIRST_HISTORY_COLUMNS) {
        val header = HISTORY_COLUMNS.joinToString(",")
        throw InputProblem("$file is no history of Boot Dyno: its first line is not `$header`.\nName another file.")
    }
    lines
}

private fun <T> writingHistory(file: Path, action: () -> T): T =
    writing("The history $file", "Name another file with --history.", action)
