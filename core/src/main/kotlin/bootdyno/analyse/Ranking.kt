package bootdyno.analyse

import bootdyno.model.Cell
import bootdyno.model.CellId
import bootdyno.model.Measure
import bootdyno.model.exact
import bootdyno.stats.Side
import bootdyno.stats.Zone
import kotlin.time.Duration

/**
 * Zone for a single round: two windows of the same warm subject differ by up to 5 %, depending on the machine (docs/method.md).
 */
internal val ONE_ROUND = Zone(0.05)

/**
 * Cells by throughput, best first, ranked within their profile. A group is its leader and the following cells that do not differ from it:
 * the 95 % interval of the within-round ratio contains 1, or lies within ±δ. Cells of a group share a rank; the next rank counts them all
 * (1, 1, 3). Without an interval the ratio itself must lie within ±5 %, or ±δ if that is larger. Comparing with the leader only separates
 * long chains of small steps.
 */
internal fun rankingOf(measured: Measurements): List<Rank> =
    measured.run.plan.cells.groupBy { it.profile.name }.values.flatMap { cells ->
        ranks(cells.map { it.id }, measured, zoneOf(measured, Measure.THROUGHPUT, cells.first().id))
    }

private class Placed(val cell: CellId, val throughput: Double)

private fun ranks(cells: List<CellId>, measured: Measurements, zone: Zone): List<Rank> {
    val sorted = cells
        .mapNotNull { id -> measured.figure(id, Measure.THROUGHPUT)?.let { Placed(id, it.estimate.value) } }
        .sortedByDescending { it.throughput }
    val groups = mutableListOf<MutableList<Placed>>()
    for (placed in sorted) {
        val group = groups.lastOrNull()
        if (group != null && tied(group.first(), placed, measured, zone)) group += placed else groups += mutableListOf(placed)
    }
    var rank = 1
    return groups.flatMap { group ->
        group.map { Rank(rank, group.size > 1, it.cell) }.also { rank += group.size }
    }
}

private fun tied(leader: Placed, other: Placed, measured: Measurements, zone: Zone): Boolean {
    val ratio = measured.ratio(other.cell, leader.cell, Measure.THROUGHPUT)?.figure?.estimate
    val interval = ratio?.interval
    return when {
        interval != null -> 1.0 in interval || zone.contains(interval)

        leader.throughput == 0.0 -> true

        else -> {
            val wide = Zone(maxOf(ONE_ROUND.tolerance, zone.tolerance))
            wide.sideOf(ratio?.value ?: (other.throughput / leader.throughput)) == Side.WITHIN
        }
    }
}

/** Cells with the same work and measuring method; only these are ranked together. */
data class RankedGroup(
    val work: Work,
    val ranks: List<Rank>,
    val unranked: List<CellAnalysis>,
    /** The cell that the others are compared with; null without one. */
    val baseline: CellId?,
    /** Throughput comparisons with the baselines of this group. */
    private val comparisons: List<Comparison>,
) {
    val leaders: List<Rank> get() = ranks.filter { it.rank == 1 }
    val cells: List<CellId> get() = ranks.map { it.cell } + unranked.map { it.cell.id }

    /** The comparison of [candidate] with the baseline of its protocol and axis value. */
    fun comparison(candidate: CellId): Comparison? = comparisons.find { it.candidate == candidate }
}

/** Cells with equal profile, holding time and parameters do the same work. Of swept parameters only the axis counts. */
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
