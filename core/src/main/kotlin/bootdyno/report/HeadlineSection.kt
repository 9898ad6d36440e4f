package bootdyno.report

import bootdyno.analyse.Comparison
import bootdyno.analyse.Rank
import bootdyno.analyse.Verdict
import bootdyno.model.CellId
import bootdyno.model.Preset
import bootdyno.model.percent
import bootdyno.model.plural
import bootdyno.model.significant
import bootdyno.stats.Estimate

/** The answer to the question, in a sentence or two: who leads, by how much, and how sure that is. */
internal fun headlineSection(report: Report): Section =
    Section("answer", "Answer", null, headline(report).map { Paragraph(it, Tone.STRONG) })

internal fun headline(report: Report): List<String> {
    val group = rankedGroups(report).firstOrNull { it.ranks.isNotEmpty() }
    if (group == null) {
        val damaged = report.analysis.run.damaged.isNotEmpty() && report.analysis.failures.isEmpty()
        return listOf(
            "Nothing was measured. " +
                if (damaged) "The damaged trials are listed below." else "The failures below say where each trial ended.",
        )
    }
    val leads = listOfNotNull(leadSentence(report, group), againstBaseline(report, group))
    val sentences = if (group.isSwept(report)) paySentences(report).ifEmpty { leads } else leads + paySentences(report)
    val start = listOfNotNull(startUpSentence(report))
    if (!report.indicative) return start + sentences
    return start + listOf("Indicative, no interval (one round): " + sentences.joinToString(" ")) +
        "For a verdict, run it again with ${if (report.experiment.protocol.preset == Preset.QUICK) "--preset standard" else "--rounds 6"}."
}

private fun leadSentence(report: Report, group: RankedGroup): String {
    val leaders = group.leaders
    val best = leaders.first().cell
    if (group.cells.size == 1) return "$best serves ${served(report, best)}."
    if (leaders.size == 1) return "${named(report, best)} serves the most: ${served(report, best)}."
    val names = if (leaders.size > 4) "${leaders.size} cells" else listed(leaders.map { named(report, it.cell) })
    val rates = leaders.mapNotNull { report.analysis.cell(it.cell)?.throughput?.value }
    return "$names serve the most and cannot be told apart: ${spread(rates)} requests/s."
}

private fun spread(rates: List<Double>): String {
    val least = significant(rates.min())
    val most = significant(rates.max())
    return if (least == most) least else "$least to $most"
}

private fun named(report: Report, cell: CellId): String =
    if (cell == report.experiment.baseline) "$cell (the baseline)" else cell.text

private fun served(report: Report, cell: CellId): String {
    val throughput = report.analysis.cell(cell)?.throughput ?: error("a ranked cell without throughput: $cell")
    return "${significant(throughput.value)} requests/s" + (range(throughput)?.let { " $it" } ?: "")
}

private fun againstBaseline(report: Report, group: RankedGroup): String? {
    val baseline = report.experiment.baseline ?: return null
    val best = group.leaders.firstOrNull { it.cell != baseline } ?: return runnerUp(report, group)
    val comparison = group.comparison(report, best.cell) ?: return null
    return sentence(comparison, if (group.leaders.size == 1) "That" else best.cell.text)
}

/** The baseline leads alone: how far behind the next one is. */
private fun runnerUp(report: Report, group: RankedGroup): String? {
    val next: Rank = group.ranks.firstOrNull { it.rank > 1 } ?: return null
    val comparison = group.comparison(report, next.cell) ?: return null
    return "Next is ${next.cell} at ${times(comparison.ratio)} the baseline's throughput${certainty(comparison)}."
}

private fun sentence(comparison: Comparison, subject: String): String {
    val against = "the baseline, ${comparison.baseline}"
    val ratio = times(comparison.ratio)
    return when (comparison.verdict) {
        null -> "$subject is $ratio $against."

        Verdict.FASTER, Verdict.SLOWER -> "$subject is $ratio $against${certainty(comparison)}."

        Verdict.EQUIVALENT -> "$subject is equivalent to $against: $ratio${certainty(comparison)}."

        Verdict.UNDECIDED -> "Whether $subject differs from $against, is undecided: $ratio${certainty(comparison)}" +
            (comparison.furtherRounds?.let { "; about ${plural(it, "more round")} would decide." } ?: ".")
    }.replace("Whether That", "Whether that")
}

internal fun times(ratio: Estimate): String = "${point(ratio)}×" + (range(ratio)?.let { " $it" } ?: "")

private fun certainty(comparison: Comparison): String {
    val interval = comparison.ratio.interval ?: return ""
    return " (${percent(interval.level)} interval, ${plural(comparison.ratio.n, "round")})"
}
