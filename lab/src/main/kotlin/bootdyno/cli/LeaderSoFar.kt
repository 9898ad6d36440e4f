package bootdyno.cli

import bootdyno.analyse.SPREAD_OF_ONE_ROUND
import bootdyno.model.Cell
import bootdyno.model.LoadProfile
import bootdyno.model.Plan
import bootdyno.model.exact
import bootdyno.model.fitted
import bootdyno.model.perSecond

/**
 * The cell with the highest throughput so far, before any judgement. Only of closed load: open load offers the same rate to all, and a burst is
 * ranked by its time.
 */
internal class LeaderSoFar(private val plan: Plan, private val soFar: SoFar) {
    private val works by lazy { plan.cells.filter { it.profile.loadInWindow is LoadProfile.Closed }.groupBy(plan::workOf) }

    /**
     * `preliminary leader: webflux/mono 790/s; 1 more within 5 %`, at most 78 characters, of the cells that do the work of [last]; null before
     * two of them are measured.
     */
    fun text(last: Cell): String? {
        val means = works[plan.workOf(last)].orEmpty().mapNotNull { cell -> soFar.mean(cell.id)?.let { cell.id to it } }
        if (means.size < 2) return null
        val (leader, most) = means.maxBy { (_, mean) -> mean }
        val near = means.count { (cell, mean) -> cell != leader && mean * (1 + SPREAD_OF_ONE_ROUND) >= most }
        val others = if (near == 0) "" else "; $near more within ${exact(100 * SPREAD_OF_ONE_ROUND)} %"
        return "preliminary leader: ${fitted(leader.text, NAME)} ${perSecond(most)}$others"
    }
}
