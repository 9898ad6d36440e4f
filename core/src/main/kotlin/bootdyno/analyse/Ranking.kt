package bootdyno.analyse

import bootdyno.model.CellId
import bootdyno.model.Measure
import bootdyno.stats.Side
import bootdyno.stats.Zone

/**
 * Two single windows of the same warm subject differ by up to 5 % here and there (docs: how we measure); one round ties below
 * that.
 */
internal val ONE_ROUND = Zone(0.05)

/**
 * Cells by throughput, best first, ranked within their profile (rank 1 again for each). A group is its leader and the cells after
 * it that cannot be told from the leader: the 95 % interval of their within-round ratio contains 1, or lies within ±δ. Cells of a
 * group share its rank; the next group's rank counts them all (1, 1, 3). Without an interval (one round, or no round with both)
 * the ratio itself must lie within ±5 %, or ±δ where that is more. Comparing with the leader only is what keeps long chains of
 * small steps apart.
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

        else -> maxOf(
            ONE_ROUND,
            zone,
            compareBy {
                it.tolerance
            },
        ).isInside(ratio?.value ?: (other.throughput / leader.throughput))
    }
}

private fun Zone.isInside(ratio: Double) = sideOf(ratio) == Side.WITHIN
