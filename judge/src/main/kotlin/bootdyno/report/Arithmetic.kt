package bootdyno.report

import bootdyno.analyse.Bound
import bootdyno.analyse.RankedGroup
import bootdyno.analyse.SPREAD_OF_ONE_ROUND
import bootdyno.catalogue.ResourceKind
import bootdyno.explain.Ceiling
import bootdyno.model.CellId
import bootdyno.model.exact
import bootdyno.model.perSecond

/**
 * What one round proves, in two sentences: the limit of the baseline, and what the best cells serve beyond it. Empty for several rounds, bursts,
 * sweeps and a single cell.
 */
internal fun arithmetic(report: Report, group: RankedGroup): List<String> {
    if (!report.indicative || group.isBurst || group.isSwept(report) || group.cells.size < 2) return emptyList()
    val best = equalToBest(report, group)
    val baseline = group.baseline?.takeIf { report.rate(it) != null }
    return when (baseline) {
        null, in best -> listOf(together(report, best), limitOfAll(report, best))
        else -> listOf(limitOfBaseline(report, baseline), beyond(report, group, baseline, best))
    }
}

/** The best cell, and those that single rounds cannot separate from it; the best first. */
internal fun equalToBest(report: Report, group: RankedGroup): List<CellId> {
    val rates = group.ranks.mapNotNull { rank -> report.rate(rank.cell)?.let { rank.cell to it } }
    val most = rates.maxOf { (_, rate) -> rate }
    return rates.filter { (_, rate) -> rate * (1 + SPREAD_OF_ONE_ROUND) >= most }.map { (cell, _) -> cell }
}

private fun served(report: Report, cells: List<CellId>) = "${spread(cells.mapNotNull(report::rate))} requests/s"

private fun limitOfBaseline(report: Report, baseline: CellId): String {
    val rate = perSecond(report.rate(baseline) ?: 0.0)
    val limit = report.explanation(baseline)?.bottleneck?.limit
        ?: return "The baseline ${report.called(baseline)} serves $rate. Its limit was not found."
    val allows = report.binding(baseline)?.allows
        ?: return "$limit ${limit.verb("limit")} the baseline ${report.called(baseline)} to $rate."
    val name = listOfNotNull(baseline.text, unsteadyWords(report.cell(baseline))).joinToString()
    return "$limit ${limit.verb("allow")} ${perSecond(allows)} ($name: $rate)."
}

private fun beyond(report: Report, group: RankedGroup, baseline: CellId, best: List<CellId>): String {
    val limit = report.explanation(baseline)?.bottleneck?.limit
    val limits = best.map { report.explanation(it)?.bottleneck?.limit }
    val one = best.size == 1
    val verb = when {
        limit == null || null in limits -> if (one) "serves more" else "serve more"
        limits.all { it == limit } -> if (one) "serves more within this limit" else "serve more within this limit"
        limit in limits -> "serve more"
        else -> if (one) "lifts this limit" else "lift this limit"
    }
    val ratio = group.comparison(best.first())?.takeIf { it.bound == Bound.EXACT && it.baseline == baseline }
        ?.let { " (${times(it.ratio)})" }.orEmpty()
    return "${named(report, best)} $verb: ${served(report, best)}$ratio, ${reason(report, best) ?: "and their limits differ"}."
}

/** Why [cells] serve no more; null if their limits differ. */
private fun reason(report: Report, cells: List<CellId>): String? {
    val limits = cells.map { report.explanation(it)?.bottleneck?.limit }.distinct()
    if (limits.size > 1) return null
    val limit = limits.single() ?: return "and no limit was found"
    val load = report.binding(cells.first())?.takeIf(Ceiling::ofLoad)
    return when (load?.kind) {
        null -> "the most that $limit ${limit.verb("allow")}"
        ResourceKind.OFFERED_RATE -> "all that is offered"
        else -> "all that ${exact(load.size)} clients can ask for"
    }
}

private fun together(report: Report, best: List<CellId>): String =
    "${named(report, best)} ${if (best.size == 1) "serves" else "serve"} the most: ${served(report, best)}."

private fun limitOfAll(report: Report, best: List<CellId>): String {
    val limits = best.map { report.explanation(it)?.bottleneck?.limit }.distinct()
    if (limits.size > 1) return "Their limits differ, see below."
    return if (limits.single() == null) "No limit was found." else "This is ${reason(report, best)}."
}
