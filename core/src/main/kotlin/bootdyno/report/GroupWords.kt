package bootdyno.report

import bootdyno.analyse.RankedGroup
import bootdyno.analyse.Work
import bootdyno.model.time

/** What sets the work of [group] apart from that of the others; null where there is one group. */
internal fun Report.title(group: RankedGroup): String? {
    val all = analysis.groups.map { it.work }
    return if (all.size == 1) null else title(group.work, all)
}

private fun title(work: Work, all: List<Work>): String = listOfNotNull(
    work.profile.takeIf { all.distinctBy { it.profile }.size > 1 },
    work.holds?.let { "waiting ${time(it)}" }
        ?: "no waiting".takeIf { all.any { it.holds != null } },
    work.parameters.entries.joinToString(", ") { "${it.key} = ${it.value}" }
        .takeIf {
            it.isNotEmpty() &&
                all.distinctBy { other -> other.parameters to other.holds }.size > all.distinctBy { other -> other.holds }.size
        },
).joinToString(", ")

/** Whether the curves of a sweep show all of it. */
internal fun RankedGroup.isSwept(report: Report): Boolean {
    val drawn = report.drawnSweeps.flatMap { it.lines }.flatMap { it.points }.map { it.cell }
    return cells.all { it in drawn }
}
