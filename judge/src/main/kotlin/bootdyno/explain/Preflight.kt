package bootdyno.explain

import bootdyno.model.Cell
import bootdyno.model.Environment
import bootdyno.model.Plan
import bootdyno.model.count
import kotlin.math.roundToLong
import kotlin.time.DurationUnit

/** Number of cells that a warning lists before "and n more". */
private const val NAMED = 4

/** Cells of one profile that the same load limits. */
private class EquallyLimited(val cells: List<Cell>, val binding: Ceiling)

/**
 * A warning before the run if the load cannot distinguish cells: the load is the lowest known ceiling of two or more cells. Includes advice.
 * Null without a problem. Cells with unknown holding times are ignored.
 */
fun preflight(plan: Plan): String? {
    val groups = equallyLimited(plan.cells).sortedBy { it.binding.allows }
    if (groups.isEmpty()) return null
    val limited = "The load limits ${groups.sumOf { it.cells.size }} of ${plan.cells.size} cells"
    val advice = "Throughput cannot distinguish them. Compare latency and CPU time per request, or raise the load"
    val only = groups.singleOrNull()
    if (only == null) {
        // One sentence for all, without their names.
        return "$limited: ${groups.joinToString { "${it.cells.size} by ${it.binding.division()}" }}. $advice."
    }
    val ids = only.cells.take(NAMED).joinToString { it.id.text }
    val more = if (only.cells.size > NAMED) " and ${only.cells.size - NAMED} more" else ""
    return "$limited ($ids$more): ${only.binding.division()}. $advice${separation(only)}"
}

private fun equallyLimited(cells: List<Cell>): List<EquallyLimited> {
    val bounded = cells.mapNotNull { cell -> knownCeilings(cell).firstOrNull()?.takeIf { it.ofLoad }?.let { cell to it } }
    return bounded.groupBy { (cell, ceiling) -> cell.profile to ceiling.allows }.values
        .filter { group -> group.distinctBy { (cell, _) -> cell.variant.name to cell.workload.name }.size > 1 }
        .map { group -> EquallyLimited(group.map { it.first }, group.first().second) }
}

private fun knownCeilings(cell: Cell) = configuredCeilings(cell).filter { it.allows != null }

/** The load that reaches the next ceiling of one of the cells. */
private fun separation(equallyLimited: EquallyLimited): String {
    val next = equallyLimited.cells.mapNotNull { cell -> knownCeilings(cell).getOrNull(1) }
        .minByOrNull { it.allows ?: Double.MAX_VALUE }
    val allows = next?.allows
    val held = equallyLimited.binding.heldFor
    if (allows == null || held == null) return " above what the CPU can serve."
    val change = equallyLimited.binding.instruction((allows * held.toDouble(DurationUnit.SECONDS)).roundToLong().toInt())
    return ". $change: the next known limit is ${next.division()}, if the CPU serves that many."
}

/** File descriptors of a JVM besides its connections (jars, pipes, event loops), with a reserve for the application. */
private const val OWN_FILES = 500L

/** Above this share of the range, finding a free port takes long, also because ports of closed connections are blocked for a while. */
private const val PORTS_USABLE = 0.9

/**
 * Sentences, with advice, about loads that need more connections than a process may open files, or than there are local ports. [Environment.openFiles] holds for the engine and the subject separately: a JVM raises its soft limit
 * to the hard limit (`-XX:+MaxFDLimit`, on by default). Open load is not checked, because its connections are not known.
 */
fun shortages(plan: Plan, environment: Environment): List<String> {
    val most = plan.cells.maxOfOrNull { it.profile.load.clients ?: 0 } ?: return emptyList()
    val needed = most + OWN_FILES
    val connections = "${count(most)} connections at once"
    return listOfNotNull(
        environment.openFiles?.takeIf { it < needed }?.let {
            "$connections take about ${count(needed)} open files on either side, and a process may have " +
                "${count(it)} here. Raise the hard limit: `ulimit -n $needed` as root, or LimitNOFILE, or nofile in " +
                "/etc/security/limits.conf; or use fewer connections."
        },
        environment.localPorts?.takeIf { most > it * PORTS_USABLE }?.let {
            "$connections to one server need as many local ports, and this machine has ${count(it)}. Widen the range: " +
                "`sysctl -w net.ipv4.ip_local_port_range=\"1024 65535\"`; or use fewer connections."
        },
    )
}
