package bootdyno.probe

import bootdyno.model.Metric
import bootdyno.system.ProcStat
import bootdyno.system.readOrNull
import bootdyno.system.threadIds
import java.nio.file.Path

/**
 * CPU time of the JIT's threads (`C1 CompilerThre`, `C2 CompilerThre`), from `/proc/PID/task/TID/schedstat`, in ns.
 *
 * Where the kernel keeps no schedstat it is `/proc/PID/task/TID/stat`, in ticks of 10 ms. The JVM ends idle compiler threads; what they
 * used is kept. A process without such threads has no such metrics.
 */
class CompilerProbe(private val pid: Long, private val proc: Path) : Probe {
    // All of these are guarded by this object's lock.
    private val c1 = GrowingTotal()
    private val c2 = GrowingTotal()
    private var names: Map<Long, String> = emptyMap()
    private var settled: Set<Long> = emptySet()
    private var seenC1 = false
    private var seenC2 = false
    private var fine: Boolean? = null

    @Synchronized
    override fun read(): Map<Metric, Double> {
        val threads = threadIds(pid, proc)
        if (threads.isEmpty()) return emptyMap()
        learnNames(threads)
        val ofC1 = cpuOf("C1 Comp")
        val ofC2 = cpuOf("C2 Comp")
        seenC1 = seenC1 || ofC1.isNotEmpty()
        seenC2 = seenC2 || ofC2.isNotEmpty()
        val c1Seconds = c1.of(ofC1) / NANOS
        val c2Seconds = c2.of(ofC2) / NANOS
        return buildMap {
            if (seenC1 || seenC2) put(Metric.COMPILER_CPU, c1Seconds + c2Seconds)
            if (seenC2) put(Metric.C2_CPU, c2Seconds)
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

    private fun cpuOf(prefix: String): Map<Long, Long> = names.filterValues { it.startsWith(prefix) }.keys
        .mapNotNull { thread -> cpuNanos(thread)?.let { thread to it } }.toMap()

    private fun cpuNanos(thread: Long): Long? {
        val exact = fine ?: ((schedstatNanos(thread) ?: 0) > 0).also { fine = it }
        return if (exact) schedstatNanos(thread) else statNanos(thread)
    }

    /** The first field: time spent on the CPU, ns (Documentation/scheduler/sched-stats of Linux). Zero where the kernel keeps none. */
    private fun schedstatNanos(thread: Long): Long? =
        readOrNull(proc.resolve("$pid/task/$thread/schedstat"))?.substringBefore(' ')?.toLongOrNull()

    private fun statNanos(thread: Long): Long? = readOrNull(proc.resolve("$pid/task/$thread/stat"))?.let {
        ProcStat(it).cpuSeconds
    }?.let {
        (
            it *
                NANOS
            ).toLong()
    }

    private companion object {
        const val NANOS = 1e9
    }
}
