package bootdyno.report

import bootdyno.analyse.Comparison
import bootdyno.analyse.RankedGroup
import bootdyno.analyse.Verdict
import bootdyno.model.plural
import bootdyno.model.significant
import bootdyno.model.times
import bootdyno.stats.Estimate

/** Up to three findings to be seen before anything is read. The terminal has the headline instead. */
internal fun findingsSection(report: Report): Section? {
    val swept = report.analysis.groups.firstOrNull()?.isSwept(report) == true
    val cards = listOf(rankCards(report), payCards(report)).let { if (swept) it.reversed() else it }
        .firstOrNull { it.isNotEmpty() }
    val doubts = doubts(report).filter { changesAnswer(it.kind) }
    val fold =
        Folded(
            "${plural(doubts.size, "doubt")} could change this answer",
            listOf(
                Bullets(
                    doubts.map {
                        Item(it.line, Tone.WARN)
                    },
                ),
            ),
        )
    val blocks = listOfNotNull(cards?.let(::Cards), fold.takeIf { doubts.isNotEmpty() }).ifEmpty { return null }
    return Section("findings", "Main findings", null, blocks, setOf(Medium.HTML))
}

private fun rankCards(report: Report): List<Card> {
    val group = report.analysis.groups.firstOrNull { it.ranks.size > 1 } ?: return emptyList()
    return listOfNotNull(bestCard(report, group), tieCard(report, group), worstCard(report, group))
}

private fun bestCard(report: Report, group: RankedGroup): Card? {
    if (group.leaders.any { it.cell == report.experiment.baseline }) return null
    val best = group.leaders.first()
    val comparison = group.comparison(best.cell) ?: return null
    val verdict = comparison.verdict.takeIf { it != Verdict.FASTER }?.let { ", ${it.word} against the baseline" }.orEmpty()
    val title = "${best.cell} is the fastest$verdict."
    return card(report, comparison, title, comparison.verdict?.let(::tone) ?: Tone.WARN)
}

private fun worstCard(report: Report, group: RankedGroup): Card? {
    val last = group.ranks.last()
    if (last.rank == 1 || last.cell == report.experiment.baseline) return null
    val comparison = group.comparison(last.cell) ?: return null
    return card(report, comparison, "${last.cell} is the slowest.", Tone.BAD)
}

private fun card(report: Report, comparison: Comparison, title: String, tone: Tone): Card = Card(
    figure = if (comparison.ratio.value < 0.1) "÷ ${significant(1 / comparison.ratio.value)}" else times(comparison.ratio),
    range = rangeOf(comparison.ratio),
    title = title,
    text =
    report.explanation(comparison.candidate)?.bottleneck?.let { "${it.limit}: ${it.measured}" } ?: served(report, comparison),
    tone = tone,
)

/** Below a tenth the card shows the divisor, and the interval of the divisor with it. */
private fun rangeOf(ratio: Estimate): String {
    val interval = ratio.interval ?: return "of the baseline, one round"
    val ends = if (ratio.value >= 0.1) listOf(interval.low, interval.high) else listOf(1 / interval.high, 1 / interval.low)
    return (if (ratio.value >= 0.1) "of" else "below") +
        " the baseline, 95 % interval ${ends.joinToString(" to ", transform = ::significant)}"
}

private fun served(report: Report, comparison: Comparison): String {
    val rates = listOf(comparison.candidate, comparison.baseline).map { report.analysis.cell(it)?.throughput?.value }
    val candidate = rates.first()?.let(::significant) ?: "–"
    val baseline = rates.last()?.let(::significant) ?: "–"
    return "$candidate requests/s against $baseline of ${comparison.baseline}."
}

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
