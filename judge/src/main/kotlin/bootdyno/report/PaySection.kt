package bootdyno.report

import bootdyno.analyse.RankedGroup
import bootdyno.analyse.Sweep
import bootdyno.analyse.SweptComparison
import bootdyno.analyse.SweptLine
import bootdyno.analyse.SweptRatio
import bootdyno.model.CellId
import bootdyno.model.LoadProfile
import bootdyno.model.Measure
import bootdyno.model.exact
import bootdyno.model.significant
import bootdyno.stats.Estimate
import bootdyno.stats.Passing
import bootdyno.stats.Reach

/** Ratios to the plain handler at both ends of the axis, and the value from which a line is better. */
internal fun payTable(report: Report, sweep: Sweep): Table? {
    val compared = report.measuredOf(sweep).filter { it.against.isNotEmpty() }
    if (compared.isEmpty()) return null
    val ends = valuesOf(sweep).let { listOf(it.first(), it.last()) }.distinct()
    fun pays(swept: SweptLine, measure: Measure) = swept.against(measure)?.let { Words(paysFrom(sweep, it) ?: "–") } ?: nothing
    return table("Where it pays, by ${sweep.axis}", compared) {
        text("line") { nameOf(report, it) }
        text("against", importance = 5) { Words(it.baseline.orEmpty(), Tone.DIM) }
        ends.forEach { value -> figure("at ${exact(value)}", importance = 2) { ratioAt(it, value) } }
        text("more requests/s", importance = 1) { pays(it, Measure.THROUGHPUT) }
        if (compared.any { it.against(Measure.P99) != null }) text("lower p99", importance = 3) { pays(it, Measure.P99) }
    }
}

private fun ratioAt(swept: SweptLine, value: Double): Words =
    swept.against(Measure.THROUGHPUT)?.ratios?.find { it.value == value }
        ?.let { of -> ratioOf(of.ratio).copy(text = of.bound.sign + times(of.ratio)) } ?: nothing

/** `from 21,000 [9,400, 40,000]`, `from the smallest on`, `not at 300,000`, `undecided`; null without enough data. */
internal fun paysFrom(sweep: Sweep, comparison: SweptComparison): String? = when (val pays = comparison.pays) {
    null -> null

    is Passing.Everywhere -> "from ${exact(valuesOf(sweep).first())} on"

    is Passing.Nowhere -> "not at ${exact(valuesOf(sweep).last())}"

    is Passing.Undecided -> "undecided"

    is Passing.At ->
        "from " + (pays.reach?.let { "${significant(pays.x)} ${range(it, sweep)}" } ?: "about ${significant(pays.x)}")
}

private fun range(reach: Reach, sweep: Sweep): String {
    val low = reach.low?.let { significant(it) } ?: "below ${exact(valuesOf(sweep).first())}"
    val high = reach.high?.let { significant(it) } ?: "above ${exact(valuesOf(sweep).last())}"
    return "[$low, $high]"
}

/** The line of each stack with the largest gain at the far end of a sweep. */
private class Gain(val sweep: Sweep, val line: SweptLine, val last: SweptRatio, val comparison: SweptComparison) {
    val ratio: Estimate get() = last.ratio

    /** Whether the line is shown to pay. */
    val isKnown: Boolean get() = comparison.pays is Passing.At || comparison.pays is Passing.Everywhere

    /** A lower bound, if the other line answered nothing in some rounds. */
    val times: String get() = last.bound.sign + times(ratio)
    val at: String get() = "${sweep.axis} ${exact(valuesOf(sweep).last())}"

    /** Of both lines, over the whole axis. */
    val cells: List<CellId>
        get() = sweep.lines.filter { it.name == line.name || it.name == line.baseline }.flatMap { it.points }.map { it.cell }

    /** The value from which it pays, as the end of a sentence. */
    val pays: String
        get() = when (comparison.pays) {
            null -> ""
            is Passing.Nowhere -> "; that is no gain"
            is Passing.Undecided -> "; whether that is a difference is undecided"
            is Passing.Everywhere -> "; it is ahead from the smallest ${sweep.axis} on"
            is Passing.At -> "; it pays ${paysFrom(sweep, comparison)}"
        }
}

/** Not for open load, whose throughput is the offered rate. */
private fun gains(report: Report): List<Gain> = report.drawnSweeps.filterNot { report.isOpen(it) }.flatMap { sweep ->
    report.measuredOf(sweep).mapNotNull { gain(sweep, it) }.groupBy { it.line.baseline to report.stackOf(it.line) }.values
        .mapNotNull { ofStack -> ofStack.maxWithOrNull(compareBy({ it.isKnown }, { it.ratio.value })) }
}

private fun Report.isOpen(sweep: Sweep): Boolean =
    sweep.lines.flatMap { it.points }.any { analysis.cell(it.cell)?.cell?.profile?.loadInWindow is LoadProfile.Open }

private fun gain(sweep: Sweep, line: SweptLine): Gain? {
    val comparison = line.against(Measure.THROUGHPUT) ?: return null
    return comparison.ratios.find { it.value == valuesOf(sweep).last() }?.let { Gain(sweep, line, it, comparison) }
}

/** Along an axis: where a line pays. Null for other runs. */
internal fun sweptAnswer(report: Report, group: RankedGroup): FirstAnswer? {
    if (!group.isSwept(report)) return null
    val usual = rankingAnswer(report, group)
    val gain = gains(report).firstOrNull() ?: return usual
    val interval = gain.ratio.interval
    val certainty = when {
        report.indicative -> Certainty.ONE_ROUND
        interval == null || gain.comparison.pays is Passing.Undecided -> Certainty.NOT_DECIDED
        gain.comparison.pays == null && 1.0 in interval -> Certainty.NOT_DECIDED
        else -> Certainty.SURE
    }
    val ratio = howMuch(gain.times, "${intervalWords(gain.ratio)}, at ${gain.at}.")
    return usual.copy(
        verdict = paySentences(report).first(),
        certainty = certainty,
        tiles = listOf(ratio) + usual.tiles.drop(1).dropLast(1) + nextTile(report, usual.cells, certainty),
        cells = gain.cells,
    )
}

/** The answer of a swept experiment: one sentence per stack and protocol. */
internal fun paySentences(report: Report): List<String> = gains(report).map { gain ->
    val opening = if (report.drawnSweeps.size == 1) "" else "${gain.sweep.profile.replaceFirstChar { it.uppercase() }}: "
    val ratio = gain.times + range(gain.ratio)?.let { " $it" }.orEmpty()
    "$opening${gain.line.name} serves $ratio the requests of ${gain.line.baseline} at ${gain.at}${gain.pays}" +
        "${report.unsteadyAmong(gain.cells)?.let { " ($it)" }.orEmpty()}."
}
