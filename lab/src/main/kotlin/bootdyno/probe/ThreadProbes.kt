package bootdyno.probe

import bootdyno.model.Metric
import bootdyno.model.associateWithNotNull
import bootdyno.system.ProcStat
import bootdyno.system.Schedstat
import bootdyno.system.numberAfter
import bootdyno.system.readOrNull
import bootdyno.system.threadIds
import java.nio.file.Path
import kotlin.math.roundToLong

private const val C1 = "C1 Comp"
private const val C2 = "C2 Comp"

internal const val NANOS = 1e9

internal fun nanosOf(seconds: Double) = (seconds * NANOS).roundToLong()

/**
 * Sums the counters of threads, including ended ones, so that the sum never decreases.
 *
 * The kernel removes the counters of an ended thread; the last value read is kept. Its growth after that reading is lost, so the total is
 * slightly low with short-lived threads.
 */
internal class GrowingTotal {
    private var last: Map<Long, Long> = emptyMap()
    private var ended = 0L

    /** The total for counters [now] by thread id. A decreased counter belongs to a new thread with the same id. */
    fun of(now: Map<Long, Long>): Long {
        ended += last.entries.sumOf { (thread, count) -> if (count > (now[thread] ?: -1)) count else 0 }
        last = now
        return ended + now.values.sum()
    }
}

/**
 * Context switches, runnable threads and thread families of a process, from `/proc/PID/task/TID/status`.
 *
 * Uses the kernel's names with 15 characters instead of the full names over JMX, which would cost the subject CPU time.
 */
class ThreadsProbe(private val pid: Long, private val proc: Path) : Probe {
    private class Seen(val name: String, val runnable: Boolean, val voluntary: Long, val involuntary: Long)

    // Guarded by this object's lock, because the sampler and the thread of the trial call it.
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

    /** Maximum number of threads of each family so far. */
    @Synchronized
    fun mostSeen(): Map<ThreadFamily, Int> {
        look()
        return most.toMap()
    }

    private fun look(): Map<Long, Seen> {
        val threads = threadIds(pid, proc).associateWithNotNull(::seen)
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
 * CPU time of the JIT compiler threads (`C1 CompilerThre`, `C2 CompilerThre`) and of those that answer over JMX (`RMI TCP Connecti`, `RMI
 * Scheduler`). Of C2 also the time that its threads waited for a CPU. Both are ns in `/proc/PID/task/TID/schedstat`.
 *
 * Kernels without schedstat: CPU time only, from `/proc/PID/task/TID/stat`, in ticks of 10 ms. The JVM ends idle compiler threads; their
 * time stays counted. Processes without such threads lack these metrics.
 */
class CompilerProbe(private val pid: Long, private val proc: Path) : Probe {
    // All of these are guarded by this object's lock.
    private val c1 = Kind(C1)
    private val c2 = Kind(C2)
    private val c2Wait = GrowingTotal()
    private val jmx = Kind("RMI ")
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
        val jmxSeconds = jmx.seconds()
        return buildMap {
            if (c1.seen || c2.seen) put(Metric.COMPILER_CPU, c1Seconds + c2Seconds)
            if (c2.seen) put(Metric.C2_CPU, c2Seconds)
            if (c2.seen && fine == true) put(Metric.C2_WAIT, c2Wait.of(nanosOfThreads(C2) { schedstat(it)?.waited }) / NANOS)
            if (jmx.seen) put(Metric.PROBE_CPU, jmxSeconds)
        }
    }

    private fun nanosOfThreads(prefix: String, nanos: (Long) -> Long?): Map<Long, Long> =
        names.filterValues { it.startsWith(prefix) }.keys.associateWithNotNull(nanos)

    private inner class Kind(private val prefix: String) {
        private val total = GrowingTotal()
        var seen = false

        fun seconds(): Double {
            val nanos = nanosOfThreads(prefix, ::cpuNanos)
            seen = seen || nanos.isNotEmpty()
            return total.of(nanos) / NANOS
        }
    }

    /** A new thread first has its parent's name, so a name is final when it is read for the second time. */
    private fun learnNames(threads: List<Long>) {
        val before = names
        names = threads.associateWithNotNull { thread ->
            if (thread in settled) before[thread] else readOrNull(proc.resolve("$pid/task/$thread/comm"))?.trim()
        }
        settled = names.keys.filterTo(HashSet()) { before[it] == names[it] }
    }

    private fun cpuNanos(thread: Long): Long? {
        val exact = fine ?: ((schedstat(thread)?.ran ?: 0) > 0).also { fine = it }
        if (exact) return schedstat(thread)?.ran
        return readOrNull(proc.resolve("$pid/task/$thread/stat"))?.let { ProcStat(it).cpuSeconds }?.let(::nanosOf)
    }

    private fun schedstat(thread: Long): Schedstat? = Schedstat.of(proc.resolve("$pid/task/$thread"))
}
