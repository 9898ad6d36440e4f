package bootdyno.probe

import bootdyno.model.Metric
import bootdyno.system.ProcStat
import bootdyno.system.numberAfter
import bootdyno.system.readOrNull
import bootdyno.system.threadIds
import java.nio.file.Path
import kotlin.math.roundToLong

internal const val NANOS = 1e9

internal fun nanosOf(seconds: Double) = (seconds * NANOS).roundToLong()

/**
 * Sums the counters of threads that come and go, so that the sum never falls.
 *
 * The kernel forgets an ended thread's counters; here it keeps the last count that was seen. What it did between that moment and its
 * end is lost, so the total is a little low where threads are short-lived.
 */
internal class GrowingTotal {
    private var last: Map<Long, Long> = emptyMap()
    private var ended = 0L

    /** The total, given the counters [now] by thread id. A count below the last one means that the id is a new thread's. */
    fun of(now: Map<Long, Long>): Long {
        ended += last.entries.sumOf { (thread, count) -> if (count > (now[thread] ?: -1)) count else 0 }
        last = now
        return ended + now.values.sum()
    }
}

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

/**
 * CPU time of the JIT's threads (`C1 CompilerThre`, `C2 CompilerThre`), from `/proc/PID/task/TID/schedstat`, in ns.
 *
 * Where the kernel keeps no schedstat it is `/proc/PID/task/TID/stat`, in ticks of 10 ms. The JVM ends idle compiler threads; what they
 * used is kept. A process without such threads has no such metrics.
 */
class CompilerProbe(private val pid: Long, private val proc: Path) : Probe {
    // All of these are guarded by this object's lock.
    private val c1 = Kind("C1 Comp")
    private val c2 = Kind("C2 Comp")
    private var names: Map<Long, String> = emptyMap()
    private var settled: Set<Long> = emptySet()
    private var fine: Boolean? = null

    @Synchronized
    override fun read(): Map<Metric, Double> {
        val threads = threadIds(pid, proc)
        if (threads.isEmpty()) return emptyMap()
        learnNames(threads)
        val c1Seconds = c1.seconds()
        val c2Seconds = c2.seconds()
        return buildMap {
            if (c1.seen || c2.seen) put(Metric.COMPILER_CPU, c1Seconds + c2Seconds)
            if (c2.seen) put(Metric.C2_CPU, c2Seconds)
        }
    }

    private inner class Kind(private val prefix: String) {
        private val total = GrowingTotal()
        var seen = false

        fun seconds(): Double {
            val nanos = names.filterValues { it.startsWith(prefix) }.keys
                .mapNotNull { thread -> cpuNanos(thread)?.let { thread to it } }.toMap()
            seen = seen || nanos.isNotEmpty()
            return total.of(nanos) / NANOS
        }
    }

    /** A thread is born with its parent's name, so a name counts as final the second time it is read, and is not read again. */
    private fun learnNames(threads: List<Long>) {
        val before = names
        names = threads.mapNotNull { thread ->
            val name = if (thread in settled) before[thread] else readOrNull(proc.resolve("$pid/task/$thread/comm"))?.trim()
            name?.let { thread to it }
        }.toMap()
        settled = names.keys.filterTo(HashSet()) { before[it] == names[it] }
    }

    private fun cpuNanos(thread: Long): Long? {
        val exact = fine ?: ((schedstatNanos(thread) ?: 0) > 0).also { fine = it }
        if (exact) return schedstatNanos(thread)
        return readOrNull(proc.resolve("$pid/task/$thread/stat"))?.let { ProcStat(it).cpuSeconds }?.let(::nanosOf)
    }

    /** The first field: time spent on the CPU, ns (Documentation/scheduler/sched-stats of Linux). Zero where the kernel keeps none. */
    private fun schedstatNanos(thread: Long): Long? =
        readOrNull(proc.resolve("$pid/task/$thread/schedstat"))?.substringBefore(' ')?.toLongOrNull()
}
