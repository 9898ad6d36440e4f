package bootdyno.explain

import bootdyno.model.Cell
import bootdyno.model.NamedProfile
import bootdyno.model.Plan
import kotlin.math.roundToLong

/** How many cells a warning names before it says "and n more". */
private const val NAMED = 4

/** Cells of one profile that the load itself bounds alike. */
private data class Alike(val profile: NamedProfile, val binding: Bound, val cells: List<Cell>)

/**
 * Says, before anything runs, where the load cannot tell cells apart: its own ceiling is the tightest known of two or more of them, so
 * they would all measure the load; and what would tell them apart. Null where it can. Cells whose holding time nobody knows yet are
 * not judged.
 */
fun preflight(plan: Plan): String? {
    val groups = alike(plan.cells)
    return when (groups.size) {
        0 -> null
        1 -> sentence(groups.single(), plan.cells.size)
        else -> sentence(groups, plan.cells.size)
    }
}

private fun alike(cells: List<Cell>): List<Alike> {
    val bounded = cells.mapNotNull { cell -> tightest(cell)?.takeIf { it.ceiling.ofLoad }?.let { cell to it } }
    return bounded.groupBy { (cell, bound) -> cell.profile to bound.ceiling.allows }.values
        .filter { group -> group.distinctBy { (cell, _) -> cell.variant.name to cell.workload.name }.size > 1 }
        .map { group -> Alike(group.first().first.profile, group.first().second, group.map { it.first }) }
}

private fun tightest(cell: Cell): Bound? = known(cell).firstOrNull()

private fun known(cell: Cell) = bounds(Setup(cell, Seen.nothing)).filter { it.ceiling.allows != null }

private fun sentence(alike: Alike, all: Int): String {
    val ids = alike.cells.take(NAMED).joinToString(", ") { it.id.text }
    val more = if (alike.cells.size > NAMED) " and ${alike.cells.size - NAMED} more" else ""
    return "The load limits ${alike.cells.size} of $all cells ($ids$more): ${alike.binding.ceiling.division()}. $COMPARE " +
        separation(alike)
}

private const val COMPARE = "Throughput cannot distinguish them. Compare latency and CPU time per request,"

/** One for all: which load bounds how many, without their names. */
private fun sentence(groups: List<Alike>, all: Int): String {
    val limits = groups.sortedBy { it.binding.ceiling.allows }
        .joinToString(", ") { "${it.cells.size} by ${it.binding.ceiling.division()}" }
    return "The load limits ${groups.sumOf { it.cells.size }} of $all cells: $limits. $COMPARE or raise the load."
}

/** The load at which the next ceiling of one of the cells would show. */
private fun separation(alike: Alike): String {
    val next = alike.cells.mapNotNull { cell -> known(cell).drop(1).firstOrNull()?.ceiling }
        .minByOrNull { it.allows ?: Double.MAX_VALUE }
    val allows = next?.allows
    val held = alike.binding.ceiling.heldFor
    if (allows == null || held == null) return "or raise the load above what the CPU can serve."
    val knob = alike.binding.knob.turnTo((allows * (held.inWholeNanoseconds / 1e9)).roundToLong().toInt())
    return "or raise the load. $knob: the next known limit is ${next.division()}, if the CPU serves that many."
}
