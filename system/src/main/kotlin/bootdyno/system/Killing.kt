package bootdyno.system

import kotlin.jvm.optionals.getOrNull
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/** SIGKILL. What it printed can still be read: the JDK's own `destroyForcibly` throws that away. */
fun Process.kill() {
    toHandle().destroyForcibly()
}

/** SIGKILL to each of [pids], never to ourselves. */
fun killAll(pids: Collection<Long>) = living(pids).forEach { it.destroyForcibly() }

/** SIGTERM to all of [pids]; after [grace] SIGKILL to those still there. True when none is left. */
fun endAll(pids: Collection<Long>, grace: Duration): Boolean {
    living(pids).forEach { it.destroy() }
    if (waitUntil(grace) { noneLives(pids) }) return true
    killAll(pids)
    return waitUntil(5.seconds) { noneLives(pids) }
}

/** [pid] and all it started, as far as they are still its descendants. */
fun familyOf(pid: Long): List<Long> {
    val head = ProcessHandle.of(pid).getOrNull() ?: return listOf(pid)
    return listOf(pid) + head.descendants().map { it.pid() }.toList()
}

private fun noneLives(pids: Collection<Long>) = pids.all { startMark(it) == null }

private fun living(pids: Collection<Long>) =
    pids.filter { it != ProcessHandle.current().pid() && startMark(it) != null }.mapNotNull { ProcessHandle.of(it).getOrNull() }
