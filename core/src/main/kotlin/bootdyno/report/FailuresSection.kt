package bootdyno.report

import bootdyno.analyse.TrialFailure
import bootdyno.model.listed

/** The trials that did not end in a measurement, same failures of a cell together. */
internal fun failuresSection(report: Report): Section? {
    val failures = report.analysis.failures
    if (failures.isEmpty()) return null
    val blocks = failures.groupBy { SameFailure(it.cell.text, it.stage.word, it.reason) }.values.flatMap(::blocks)
    return Section("failures", "Failed trials", null, blocks)
}

private data class SameFailure(val cell: String, val stage: String, val reason: String)

private fun blocks(same: List<TrialFailure>): List<Block> {
    val first = same.first()
    val which = (if (same.size == 1) "trial " else "trials ") + listed(same.map { "${it.number}" })
    val item = Bullets(listOf(Item("${first.cell}, $which, failed at ${first.stage.word}: ${first.reason}", Tone.BAD)))
    val lines = first.lastLines.takeLast(LINES)
    return if (lines.isEmpty()) listOf(item) else listOf(item, Verbatim(lines))
}

private const val LINES = 6
