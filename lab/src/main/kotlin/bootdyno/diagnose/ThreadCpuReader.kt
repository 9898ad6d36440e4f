package bootdyno.diagnose

import bootdyno.model.ThreadCpu
import bootdyno.probe.NANOS
import bootdyno.system.ProcStat
import bootdyno.system.Schedstat
import bootdyno.system.readOrNull
import bootdyno.system.threadFolders
import bootdyno.system.threadName
import java.nio.file.Path
import kotlin.io.path.name

/** CPUs. */
private const val LEAST_CPUS = 0.0005

/** CPU time and run-queue wait of the threads of process [pid] since this was made, by name. */
internal class ThreadCpuReader(private val pid: Long, private val proc: Path) {
    private class Times(val name: String, val cpu: Double, val waited: Double?)

    private val before = times()

    /**
     * After [seconds]. Threads that ended meanwhile, those of our own observation and those that hardly used a CPU are left out. Empty without
     * `/proc`.
     */
    fun read(seconds: Double): List<ThreadCpu> {
        if (seconds <= 0) return emptyList()
        val grown = times().mapNotNull { (thread, now) ->
            val then = before[thread]
            if (then == null && before.isEmpty()) return@mapNotNull null
            val cpu = (now.cpu - (then?.cpu ?: 0.0)).coerceAtLeast(0.0) / seconds
            Times(withoutNumber(now.name), cpu, now.waited?.let { ((it - (then?.waited ?: 0.0)) / seconds).coerceAtLeast(0.0) })
        }.filter { thread -> OBSERVERS.none { thread.name.startsWith(it) } }
        return grown.groupBy { it.name }.map { (name, threads) ->
            ThreadCpu(
                name = name,
                threads = threads.size,
                cpus = threads.sumOf { it.cpu },
                busiest = threads.maxOf { it.cpu },
                waiting = threads.mapNotNull { it.waited }.takeIf { it.size == threads.size }?.sum(),
            )
        }.filter { it.cpus >= LEAST_CPUS || (it.waiting ?: 0.0) >= LEAST_CPUS }.sortedByDescending { it.cpus }
    }

    /** From schedstat in ns; kernels without it: CPU time in ticks of 10 ms. */
    private fun times(): Map<Long, Times> = threadFolders(pid, proc).mapNotNull { folder ->
        val schedstat = Schedstat.of(folder)?.takeIf { it.ran > 0 }
        val cpu = schedstat?.let { it.ran / NANOS } ?: readOrNull(folder.resolve("stat"))?.let { ProcStat(it).cpuSeconds }
        cpu?.let { folder.name.toLong() to Times(threadName(folder), it, schedstat?.let { it.waited / NANOS }) }
    }.toMap()
}
