package bootdyno.report

import bootdyno.analyse.Comparison
import bootdyno.analyse.RankedGroup
import bootdyno.analyse.Verdict
import bootdyno.analyse.isDifferent
import bootdyno.model.LoadProfile
import bootdyno.model.Measure

/**
 * Under open load all cells serve what is offered: whose p99 is lower. Null for other loads, without two cells, and where a cell does not serve the
 * rate, which the ranking says.
 */
internal fun openAnswer(report: Report, group: RankedGroup): FirstAnswer? {
    val cells = group.ranks.map { it.cell }
    val inWindows = report.analysis.comparisons.filter { it.at == null }
    val comparisons = inWindows.filter { it.candidate in cells && it.baseline in cells }
    val ratios = comparisons.filter { it.measure == Measure.P99 }
    val isServed = comparisons.none { it.measure == Measure.THROUGHPUT && it.verdict.isDifferent }
    val isOpen = cells.all { report.cell(it).cell.profile.loadInWindow is LoadProfile.Open }
    if (!isOpen || !isServed || ratios.isEmpty()) return null
    // The lowest of those that are lower; without any, what is not decided, or the least of those that are higher.
    val main = ratios.sortedBy { it.ratio.value }.minBy { SAID_FIRST.indexOf(it.verdict) }
    val certainty = certainty(report, main.verdict)
    val usual = rankingAnswer(report, group)
    return usual.copy(
        verdict = verdict(report, main),
        certainty = certainty,
        tiles = listOf(
            howMuchTile(report, main, main.baseline),
            responseTile(report, main.candidate, main.baseline),
            whyTile(report, main.baseline),
            if (main.moreErrors) failuresTile(report) else nextTile(report, listOf(main.baseline, main.candidate), certainty),
        ),
        cells = listOf(main.candidate, main.baseline),
    )
}

private val SAID_FIRST = listOf(Verdict.FASTER, Verdict.UNDECIDED, null, Verdict.SLOWER, Verdict.EQUIVALENT)

private fun verdict(report: Report, main: Comparison): String {
    val (one, other) = listOf(main.candidate, main.baseline).map(report::titled)
    return when (main.verdict) {
        Verdict.EQUIVALENT -> "$one and $other have the same p99."
        Verdict.FASTER, Verdict.SLOWER -> "${difference(main)} with $one than with $other."
        Verdict.UNDECIDED -> "Not decided: ${undecided(main, one, other)}."
        null -> "p99 is ${p99(report, main.candidate)} with $one and ${p99(report, main.baseline)} with $other."
    }
}

private fun undecided(main: Comparison, one: String, other: String): String = when {
    main.moreErrors -> "${difference(main.copy(verdict = null))} with $one than with $other, but one of them fails more requests"

    else -> main.groups?.let { "$one has ${inGroups(main, it, other)}" } ?: unknown(main, one, other)
        ?: "${between(main)} with $one than with $other"
}
