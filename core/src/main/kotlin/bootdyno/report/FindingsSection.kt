package bootdyno.report

import bootdyno.analyse.Comparison
import bootdyno.analyse.RankedGroup
import bootdyno.analyse.Verdict
import bootdyno.model.CellId
import bootdyno.model.plural
import bootdyno.model.significant

/** Up to three findings to be seen before anything is read. The terminal has the headline instead. */
internal fun findingsSection(report: Report): Section? {
    val swept = report.analysis.groups.firstOrNull()?.isSwept(report) == true
    val cards = listOf(rankCards(report), payCards(report)).let { if (swept) it.reversed() else it }
        .firstOrNull { it.isNotEmpty() }
    val doubts = answerDoubts(report)
    val fold = Folded("${plural(doubts.size, "doubt")} could change this answer", listOf(Bullets(doubts)))
    val blocks = listOfNotNull(cards?.let(::Cards), fold.takeIf { doubts.isNotEmpty() }).ifEmpty { return null }
    return Section("findings", "Main findings", null, blocks, setOf(Medium.HTML))
}

private fun rankCards(report: Report): List<Card> {
    val group = report.analysis.groups.firstOrNull { it.ranks.size > 1 } ?: return emptyList()
    return listOfNotNull(bestCard(report, group), tieCard(report, group), worstCard(report, group))
}

private fun bestCard(report: Report, group: RankedGroup): Card? {
    if (group.leaders.any { it.cell == report.experiment.baseline }) return null
    val comparison = group.comparison(group.leaders.first().cell) ?: return null
    val verdict = comparison.verdict.takeIf { it != Verdict.FASTER }?.let { ", ${it.word} against the baseline" }.orEmpty()
    val title = "${comparison.candidate} is the fastest$verdict."
    return card(report, comparison, title, comparison.verdict?.let(::tone) ?: Tone.WARN)
}

private fun worstCard(report: Report, group: RankedGroup): Card? {
    val last = group.ranks.last().takeIf { it.rank > 1 && it.cell != report.experiment.baseline } ?: return null
    return group.comparison(last.cell)?.let { card(report, it, "${last.cell} is the slowest.", Tone.BAD) }
}

/** Below a tenth the card shows the divisor, and the interval of the divisor with it. */
private fun card(report: Report, comparison: Comparison, title: String, tone: Tone): Card {
    val ratio = comparison.ratio.value
    val ends = comparison.ratio.interval?.let { if (ratio < 0.1) listOf(1 / it.high, 1 / it.low) else listOf(it.low, it.high) }
    val interval = ends?.joinToString(" to ", "95 % interval ", transform = ::significant)
    return Card(
        figure = if (ratio < 0.1) "÷ ${significant(1 / ratio)}" else times(comparison.ratio),
        range = if (interval ==
            null
        ) {
            "of the baseline, one round"
        } else {
            "${if (ratio < 0.1) "below" else "of"} the baseline, $interval"
        },
        title = title,
        text = report.explanation(comparison.candidate)?.bottleneck?.let { "${it.limit}: ${it.measured}" }
            ?: "${rate(
                report,
                comparison.candidate,
            )} requests/s against ${rate(report, comparison.baseline)} of ${comparison.baseline}.",
        tone = tone,
    )
}

private fun rate(report: Report, cell: CellId): String = report.analysis.cell(cell)?.throughput?.value?.let(::significant) ?: "–"

/** The best-placed cells that share a rank: what not to choose by. */
private fun tieCard(report: Report, group: RankedGroup): Card? {
    val tied = group.ranks.filter { it.tied }.groupBy { it.rank }.values.firstOrNull() ?: return null
    val rates = tied.mapNotNull { report.analysis.cell(it.cell)?.throughput?.value }
    return Card(
        figure = "no difference",
        range = "${significant(rates.min())}–${significant(rates.max())} requests/s",
        title = "${cells(tied.map { it.cell }, group.cells.size)} share rank ${tied.first().rank}.",
        text = (if (report.indicative) "One round does not" else "The intervals do not") +
            " show a difference: do not choose between them by throughput.",
        tone = Tone.PLAIN,
    )
}
