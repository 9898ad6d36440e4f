package bootdyno.probe

import bootdyno.model.Metric
import bootdyno.system.numberAfter
import bootdyno.system.readOrNull
import bootdyno.system.threadIds
import java.nio.file.Path

/**
 * Context switches of all threads of a process, how many of them want a CPU, and what its threads are for, from `/proc/PID/task/TID/status`.
 *
 * It reads the kernel's names, cut to 15 characters, and not the whole ones over JMX: that would cost the subject, this costs only us.
 */
class ThreadsProbe(private val pid: Long, private val proc: Path) : Probe {
    private class Seen(val name: String, val runnable: Boolean, val voluntary: Long, val involuntary: Long)

    // The three below are guarded by this object's lock: the sampler and the conductor both come here.
    private val voluntary = GrowingTotal()
    private val involuntary = GrowingTotal()
    private val most = sortedMapOf<ThreadFamily, Int>()

    @Synchronized
    override fun read(): Map<Metric, Double> {
        val threads = look()
        if (threads.isEmpty()) return emptyMap()
        return mapOf(
            Metric.RUNNABLE to threads.values.count { it.runnable }.toDouble(),
            Metric.VOLUNTARY_SWITCHES to voluntary.of(threads.mapValues { it.value.voluntary }).toDouble(),
            Metric.INVOLUNTARY_SWITCHES to involuntary.of(threads.mapValues { it.value.involuntary }).toDouble(),
        )
    }

    /** The most threads seen at once of each family, now included. */
    @Synchronized
    fun mostSeen(): Map<ThreadFamily, Int> {
        look()
        return most.toMap()
    }

    private fun look(): Map<Long, Seen> {
        val threads = threadIds(pid, proc).mapNotNull { thread -> seen(thread)?.let { thread to it } }.toMap()
        threadFamilies(threads.values.map { it.name }).forEach { (family, count) -> most.merge(family, count, ::maxOf) }
        return threads
    }

    private fun seen(thread: Long): Seen? {
        val status = readOrNull(proc.resolve("$pid/task/$thread/status")) ?: return null
        return Seen(
            name = status.substringBefore('\n').substringAfter("Name:").trim(),
            runnable = status.substringAfter("State:", "").trimStart().startsWith('R'),
            voluntary = numberAfter("voluntary_ctxt_switches", status) ?: return null,
            involuntary = numberAfter("nonvoluntary_ctxt_switches", status) ?: return null,
        )
    }
}
