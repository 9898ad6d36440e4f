package bootdyno.explain

import bootdyno.model.Environment
import bootdyno.model.LoadProfile
import bootdyno.model.Plan
import bootdyno.model.count

/** Descriptors a JVM holds besides its connections: jars, pipes, event loops; a few dozen, with room for an application's own. */
private const val OWN_FILES = 500L

/** From this share of the range on, a free port takes long to find, and ports of closed connections rest for a while. */
private const val PORTS_USABLE = 0.9

/**
 * What the machine cannot hold of a plan, in sentences with what to do: a load that asks for more connections than a process may
 * have open, or than there are ports to leave from, would measure the generator's own limits. Each process has its own limit of
 * open files, and a JVM raises it from the soft to the hard one by itself (`-XX:+MaxFDLimit`, on by default), so
 * [Environment.openFiles] holds for the engine and for the subject alike. How many connections open load will need nobody knows.
 */
fun shortages(plan: Plan, environment: Environment): List<String> {
    val most = plan.cells.maxOfOrNull { connections(it.profile.load) } ?: return emptyList()
    return listOfNotNull(tooFewFiles(most, environment.openFiles), tooFewPorts(most, environment.localPorts))
}

private fun connections(load: LoadProfile): Long = when (load) {
    is LoadProfile.Closed -> load.connections.toLong()
    is LoadProfile.Burst -> load.users.toLong()
    is LoadProfile.Open -> 0
}

private fun tooFewFiles(connections: Long, openFiles: Long?): String? {
    val needed = connections + OWN_FILES
    if (openFiles == null || openFiles >= needed) return null
    return "${count(
        connections,
    )} connections at once take about ${count(needed)} open files on either side, and a process may have " +
        "${count(openFiles)} here. Raise the hard limit: `ulimit -n $needed` as root, or LimitNOFILE, or nofile in " +
        "/etc/security/limits.conf; or use fewer connections."
}

private fun tooFewPorts(connections: Long, localPorts: Long?): String? {
    if (localPorts == null || connections <= localPorts * PORTS_USABLE) return null
    return "${count(connections)} connections at once to one server need as many local ports, and this machine has " +
        "${count(
            localPorts,
        )}. Widen the range: `sysctl -w net.ipv4.ip_local_port_range=\"1024 65535\"`; or use fewer connections."
}
