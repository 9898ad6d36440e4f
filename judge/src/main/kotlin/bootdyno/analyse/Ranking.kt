package bootdyno.analyse

import bootdyno.model.Cell
import bootdyno.model.CellId
import bootdyno.model.Measure
import bootdyno.model.Work

/**
 * Cells by [rankedBy], ranked among those that do the same work. First the set of cells that may be the best: no other cell is *faster*
 * than they are. Then the same among the rest, and so on (a cell's rank is one more than the cells before its set). The comparisons are
 * those of the verdicts. Without intervals (one round) nothing is told apart, and all share rank 1 in the order of their figures.
 */
internal fun rankingOf(measured: Measurements, comparisons: Comparisons): List<Rank> =
    measured.run.plan.cells.groupBy { it.profile.name }.values.flatMap { cells ->
        cells.groupBy(measured.run.plan::workOf).values.flatMap { ranks(it, measured, comparisons) }
    }

private fun ranks(cells: List<Cell>, measured: Measurements, comparisons: Comparisons): List<Rank> {
    val measure = cells.first().rankedBy
    val left = cells.mapNotNull { cell -> measured.figure(cell.id, measure)?.let { cell.id to it } }
        .sortedBy { (_, figure) -> figure.estimate.value * if (measure.moreIsBetter) -1 else 1 }
        // Before those that were not reached.
        .sortedBy { (_, figure) -> figure.bound }.map { (id, _) -> id }.toMutableList()
    fun isSlower(cell: CellId) = left.any { it != cell && comparisons.isFaster(it, cell, measure) }
    val ranks = mutableListOf<Rank>()
    while (left.isNotEmpty()) {
        val best = left.filterNot(::isSlower).ifEmpty { left.toList() }
        val rank = ranks.size + 1
        best.mapTo(ranks) { Rank(rank, best.size > 1, it) }
        left -= best.toSet()
    }
    return ranks
}

/** Cells that were asked to do the same work in the same way: only they are ranked against each other. */
data class RankedGroup(
    val work: Work,
    val ranks: List<Rank>,
    val unranked: List<CellAnalysis>,
    /** The cell that the others are compared with; null where there is none. */
    val baseline: CellId?,
    /** What its cells are ranked by. */
    val measure: Measure,
    /** Of [measure], with baselines of this group. */
    private val comparisons: List<Comparison>,
) {
    val leaders: List<Rank> get() = ranks.filter { it.rank == 1 }
    val cells: List<CellId> get() = ranks.map { it.cell } + unranked.map { it.cell.id }

    /** With the baseline of its protocol and value. */
    fun comparison(candidate: CellId): Comparison? = comparisons.find { it.candidate == candidate }
}

/** The baseline's first, then in the experiment's order. */
internal fun rankedGroups(analysis: Analysis): List<RankedGroup> {
    val declared = analysis.run.plan.experiment.baseline
    return analysis.cells.groupBy { analysis.run.plan.workOf(it.cell) }.entries
        .sortedByDescending { (_, cells) -> cells.any { it.cell.id == declared } }
        .map { (work, cells) ->
            val ids = cells.map { it.cell.id }
            val ranks = analysis.ranking.filter { it.cell in ids }
            val within = analysis.comparisons.filter { it.candidate in ids && it.baseline in ids }
            val measure = cells.first().cell.rankedBy
            RankedGroup(
                work = work,
                ranks = ranks,
                unranked = cells.filter { cell -> ranks.none { it.cell == cell.cell.id } },
                baseline = declared?.takeIf { it in ids } ?: within.firstOrNull()?.baseline,
                measure = measure,
                comparisons = within.filter { it.measure == measure },
            )
        }
}
