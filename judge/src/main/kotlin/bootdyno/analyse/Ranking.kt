package bootdyno.analyse

import bootdyno.model.Cell
import bootdyno.model.CellId
import bootdyno.model.Measure
import bootdyno.model.Work
import bootdyno.stats.compactLetters

/**
 * Cells that do the same work by [rankedBy], the best figure first. Cells that their comparisons do not tell apart share a letter; without intervals
 * (one round) none do.
 */
internal fun rankingOf(measured: Measurements, comparisons: Comparisons): List<Rank> =
    measured.run.plan.cells.groupBy { it.profile.name }.values.flatMap { cells ->
        cells.groupBy(measured.run.plan::workOf).values.flatMap { ranks(it, measured, comparisons) }
    }

private fun ranks(cells: List<Cell>, measured: Measurements, comparisons: Comparisons): List<Rank> {
    val measure = cells.first().rankedBy
    val byFigure = cells.mapNotNull { cell -> measured.figure(cell.id, measure)?.let { cell.id to it } }
        .sortedBy { (_, figure) -> figure.estimate.value * if (measure.moreIsBetter) -1 else 1 }
        // Before those that were not reached.
        .sortedBy { (_, figure) -> figure.bound }.map { (id, _) -> id }
    // The faster and the slower one of each pair that differs.
    val apart = byFigure.flatMapIndexed { nth, one ->
        byFigure.drop(nth + 1).mapNotNull { other ->
            comparisons.faster(one, other, measure)?.let { it to if (it == one) other else one }
        }
    }.toSet()
    // Means over different rounds may have another order than the ratios within rounds.
    val ordered = byFigure.fold(emptyList<CellId>()) { placed, id ->
        val at = placed.indexOfFirst { (id to it) in apart }.takeIf { it >= 0 } ?: placed.size
        placed.take(at) + id + placed.drop(at)
    }
    val letters = compactLetters(ordered.size) { one, other ->
        (ordered[one] to ordered[other]) in apart || (ordered[other] to ordered[one]) in apart
    }
    val slower = apart.map { (_, slower) -> slower }.toSet()
    return ordered.mapIndexed { nth, id -> Rank(letters[nth], mayBeBest = id !in slower, id) }
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
    /** The cells that may be the best. */
    val leaders: List<Rank> get() = ranks.filter { it.mayBeBest }
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
