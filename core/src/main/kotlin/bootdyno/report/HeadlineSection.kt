package bootdyno.report

import bootdyno.analyse.Comparison
import bootdyno.analyse.Rank
import bootdyno.analyse.RankedGroup
import bootdyno.analyse.Verdict
import bootdyno.model.CellId
import bootdyno.model.Preset
import bootdyno.model.listed
import bootdyno.model.percent
import bootdyno.model.plural
import bootdyno.model.significant
import bootdyno.stats.Estimate

/** The answer to the question, in a sentence or two: which cell leads, by how much, and how sure that is. */
internal fun headlineSection(report: Report): Section =
    Section("answer", "Answer", null, headline(report).map { Paragraph(it, Tone.STRONG) })

internal fun headline(report: Report): List<String> {
    val group = report.analysis.groups.firstOrNull { it.ranks.isNotEmpty() } ?: return listOf(nothingMeasured(report))
    val leads = listOfNotNull(leadSentence(report, group), againstBaseline(report, group))
    val sentences = if (group.isSwept(report)) paySentences(report).ifEmpty { leads } else leads + paySentences(report)
    return listOfNotNull(startUpSentence(report)) + sentences +
        listOfNotNull(ONE_ROUND.takeIf { report.indicative }?.let { it + longer(report) })
}

private const val ONE_ROUND = "One round gives no interval: the figures are indicative. For a verdict, run with "

private fun longer(report: Report) =
    if (report.experiment.repetition.preset == Preset.QUICK) "--preset standard." else "--rounds 6."

private fun nothingMeasured(report: Report): String {
    val onlyDamaged = report.analysis.run.damaged.isNotEmpty() && report.analysis.failures.isEmpty()
    return "Nothing was measured. See " + if (onlyDamaged) "“Damaged trials” below." else "“Failed trials” below."
}

private fun leadSentence(report: Report, group: RankedGroup): String {
    val leaders = group.leaders
    val best = leaders.first().cell
    if (group.cells.size == 1) return "$best serves ${served(report, best)}."
    if (leaders.size == 1) return "${named(report, best)} serves the most requests: ${served(report, best)}."
    val names = if (leaders.size > 4) "${leaders.size} cells" else listed(leaders.map { named(report, it.cell) })
    val rates = leaders.mapNotNull { report.analysis.cell(it.cell)?.throughput?.value }
    return "$names serve the most requests, with no measurable difference: ${spread(rates)} requests/s."
}

/** `781 to 797`. */
internal fun spread(values: List<Double>): String =
    listOf(values.min(), values.max()).map(::significant).distinct().joinToString(" to ")

private fun named(report: Report, cell: CellId): String =
    if (cell == report.experiment.baseline) "$cell (the baseline)" else cell.text

private fun served(report: Report, cell: CellId): String {
    val throughput = report.analysis.cell(cell)?.throughput ?: error("a ranked cell without throughput: $cell")
    return "${significant(throughput.value)} requests/s" + interval(throughput)
}

private fun againstBaseline(report: Report, group: RankedGroup): String? {
    val baseline = report.experiment.baseline ?: return null
    val best = group.leaders.firstOrNull { it.cell != baseline } ?: return runnerUp(report, group)
    return group.comparison(best.cell)?.let(::sentence)
}

/** The baseline leads alone: how far behind the next one is. */
private fun runnerUp(report: Report, group: RankedGroup): String? {
    val next: Rank = group.ranks.firstOrNull { it.rank > 1 } ?: return null
    val ratio = group.comparison(next.cell)?.ratio ?: return null
    return "${next.cell} is second with ${times(ratio)} the throughput of the baseline${interval(ratio)}."
}

private fun sentence(comparison: Comparison): String {
    val candidate = comparison.candidate
    val baseline = "the baseline ${comparison.baseline}"
    val ratio = comparison.ratio
    return when (comparison.verdict) {
        null, Verdict.FASTER, Verdict.SLOWER ->
            "$candidate serves ${times(ratio)} the requests of $baseline${interval(ratio)}."

        Verdict.EQUIVALENT -> "$candidate and $baseline are equally fast: ${times(ratio)}${interval(ratio)}."

        Verdict.UNDECIDED -> "It is undecided whether $candidate or $baseline is faster: ${times(ratio)}${interval(ratio)}." +
            comparison.furtherRounds?.let { " About ${plural(it, "more round")} would decide." }.orEmpty()
    }
}

internal fun times(ratio: Estimate): String = "${point(ratio)}×"

/** ` (95 % interval 1.97 to 2.01, 6 rounds)`; nothing without an interval. */
internal fun interval(estimate: Estimate, n: String = "round"): String = estimate.interval?.let {
    val text = inStep(estimate)
    " (${percent(it.level)} interval ${text(it.low)} to ${text(it.high)}, ${plural(estimate.n, n)})"
}.orEmpty()
