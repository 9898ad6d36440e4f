package bootdyno.report

import bootdyno.analyse.CellAnalysis
import bootdyno.analyse.Comparison
import bootdyno.analyse.Rank
import bootdyno.model.Cell
import bootdyno.model.CellId
import bootdyno.model.Measure
import bootdyno.model.exact
import bootdyno.model.timeOfMillis
import kotlin.time.Duration
import kotlin.time.DurationUnit

/** Cells that were asked to do the same work in the same way: only they are ranked against each other. */
internal data class RankedGroup(val title: String?, val ranks: List<Rank>, val unranked: List<CellAnalysis>) {
    val leaders: List<Rank> get() = ranks.filter { it.rank == 1 }
    val cells: List<CellId> get() = ranks.map { it.cell } + unranked.map { it.cell.id }
}

/** Whether the curves of a sweep show all of it. */
internal fun RankedGroup.isSwept(report: Report): Boolean {
    val drawn = report.drawnSweeps.flatMap { it.lines }.flatMap { it.points }.map { it.cell }
    return cells.all { it in drawn }
}

/** Same profile, same parameters, the same wait: the same work. Of swept parameters only the axis counts. */
private data class Work(val profile: String, val holds: Duration?, val parameters: Map<String, String>)

private fun work(cell: Cell): Work {
    val point = cell.workload.point
    val parameters = if (point == null) cell.workload.parameters else mapOf(point.axis to exact(point.value))
    return Work(cell.profile.name, cell.workload.holds, parameters)
}

/** The groups, the baseline's first, then in the experiment's order. */
internal fun rankedGroups(report: Report): List<RankedGroup> {
    val works = report.analysis.cells.groupBy { work(it.cell) }
    val baseline = report.experiment.baseline
    return works.entries
        .sortedByDescending { (_, cells) -> cells.any { it.cell.id == baseline } }
        .map { (work, cells) ->
            val ids = cells.map { it.cell.id }
            val ranks = rankedAmongThemselves(report.analysis.ranking.filter { it.cell in ids })
            val ranked = ranks.map { it.cell }
            RankedGroup(if (works.size == 1) null else title(work, works.keys), ranks, cells.filter { it.cell.id !in ranked })
        }
}

/** Standard competition ranks: as many better cells as there are, plus one. */
private fun rankedAmongThemselves(ranks: List<Rank>): List<Rank> = ranks.map { own ->
    Rank(1 + ranks.count { it.rank < own.rank }, ranks.count { it.rank == own.rank } > 1, own.cell)
}

private fun title(work: Work, all: Set<Work>): String = listOfNotNull(
    work.profile.takeIf { all.distinctBy { it.profile }.size > 1 },
    work.holds?.let { "waiting ${timeOfMillis(it.toDouble(DurationUnit.MILLISECONDS))}" }
        ?: "no waiting".takeIf { all.any { it.holds != null } },
    work.parameters.entries.joinToString(", ") { "${it.key} = ${it.value}" }
        .takeIf {
            it.isNotEmpty() &&
                all.distinctBy { other -> other.parameters to other.holds }.size > all.distinctBy { other -> other.holds }.size
        },
).joinToString(", ")

/** The comparison of [candidate] with the baseline of its protocol and value, if both did the same work. */
internal fun RankedGroup.comparison(report: Report, candidate: CellId): Comparison? = report.analysis.comparisons.find {
    it.candidate == candidate && it.measure == Measure.THROUGHPUT && it.baseline in cells
}

/** The cell that the others of the group are compared with; null where there is none. */
internal fun RankedGroup.baseline(report: Report): CellId? = report.experiment.baseline?.takeIf { it in cells }
    ?: report.analysis.comparisons.find { it.candidate in cells && it.baseline in cells }?.baseline
