package bootdyno.system

import kotlin.jvm.optionals.getOrNull
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/** Sends SIGKILL. Its output stays readable, unlike after the JDK's `destroyForcibly`. */
fun Process.kill() {
    toHandle().destroyForcibly()
}

/** Sends SIGKILL to each of [pids] except ourselves. */
fun killAll(pids: Collection<Long>) = living(pids).forEach { it.destroyForcibly() }

/** Sends SIGTERM to [pids]; after [grace] SIGKILL to those that still run. True if all have ended. */
fun endAll(pids: Collection<Long>, grace: Duration): Boolean {
    living(pids).forEach { it.destroy() }
    if (waitUntil(grace) { noneLives(pids) }) return true
    killAll(pids)
    return waitUntil(5.seconds) { noneLives(pids) }
}

/** [pid] and its current descendants. */
fun familyOf(pid: Long): List<Long> {
    val head = ProcessHandle.of(pid).getOrNull() ?: return listOf(pid)
    return listOf(pid) + head.descendants().map { it.pid() }.toList()
}

private fun noneLives(pids: Collection<Long>) = pids.all { startMark(it) == null }

private fun living(pids: Collection<Long>) =
    pids.filter { it != ProcessHandle.current().pid() && startMark(it) != null }.mapNotNull { ProcessHandle.of(it).getOrNull() }
