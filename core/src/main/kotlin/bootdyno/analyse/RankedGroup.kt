package bootdyno.analyse

import bootdyno.model.Cell
import bootdyno.model.CellId
import bootdyno.model.Measure
import bootdyno.model.exact
import kotlin.time.Duration

/** Cells that were asked to do the same work in the same way: only they are ranked against each other. */
data class RankedGroup(
    val work: Work,
    val ranks: List<Rank>,
    val unranked: List<CellAnalysis>,
    /** The cell that the others are compared with; null where there is none. */
    val baseline: CellId?,
    /** Of throughput, with baselines of this group. */
    private val comparisons: List<Comparison>,
) {
    val leaders: List<Rank> get() = ranks.filter { it.rank == 1 }
    val cells: List<CellId> get() = ranks.map { it.cell } + unranked.map { it.cell.id }

    /** With the baseline of its protocol and value. */
    fun comparison(candidate: CellId): Comparison? = comparisons.find { it.candidate == candidate }
}

/** Same profile, same parameters, the same wait: the same work. Of swept parameters only the axis counts. */
data class Work(val profile: String, val holds: Duration?, val parameters: Map<String, String>) {
    internal constructor(cell: Cell) : this(
        cell.profile.name,
        cell.workload.holds,
        cell.workload.point?.let { mapOf(it.axis to exact(it.value)) } ?: cell.workload.parameters,
    )
}

/** The baseline's first, then in the experiment's order. */
internal fun rankedGroups(analysis: Analysis): List<RankedGroup> {
    val declared = analysis.run.plan.experiment.baseline
    return analysis.cells.groupBy { Work(it.cell) }.entries
        .sortedByDescending { (_, cells) -> cells.any { it.cell.id == declared } }
        .map { (work, cells) ->
            val ids = cells.map { it.cell.id }
            val ranks = rankedAmongThemselves(analysis.ranking.filter { it.cell in ids })
            val within = analysis.comparisons.filter { it.candidate in ids && it.baseline in ids }
            RankedGroup(
                work = work,
                ranks = ranks,
                unranked = cells.filter { cell -> ranks.none { it.cell == cell.cell.id } },
                baseline = declared?.takeIf { it in ids } ?: within.firstOrNull()?.baseline,
                comparisons = within.filter { it.measure == Measure.THROUGHPUT },
            )
        }
}

/** Standard competition ranks: as many better cells as there are, plus one. */
private fun rankedAmongThemselves(ranks: List<Rank>): List<Rank> = ranks.map { own ->
    Rank(1 + ranks.count { it.rank < own.rank }, ranks.count { it.rank == own.rank } > 1, own.cell)
}
