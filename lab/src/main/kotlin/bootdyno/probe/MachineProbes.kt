package bootdyno.probe

import bootdyno.model.Metric
import bootdyno.system.TICKS_PER_SECOND
import bootdyno.system.countersOf
import bootdyno.system.readOrNull
import java.nio.file.Path

/** user, nice, system, irq, softirq: all except idle (3), iowait (4) and steal (7). User includes guest time (man 5 proc_stat). */
private val BUSY = listOf(0, 1, 2, 5, 6)
private const val STEAL = 7

/** CPU time of the whole machine, from the first line of `/proc/stat`; stolen time separately. */
class MachineProbe(private val proc: Path) : Probe {
    override fun read(): Map<Metric, Double> {
        val times = readOrNull(proc.resolve("stat"))?.lineSequence()?.first().orEmpty()
            .split(' ').filter { it.isNotEmpty() }.drop(1).map { it.toLongOrNull() ?: 0 }
        // A sandbox with an imitated /proc reports zeros: missing, not idle.
        if (times.sum() == 0L) return emptyMap()
        return buildMap {
            put(Metric.MACHINE_CPU, BUSY.sumOf { times.getOrElse(it) { 0 } } / TICKS_PER_SECOND)
            times.getOrNull(STEAL)?.let { put(Metric.STEAL, it / TICKS_PER_SECOND) }
        }
    }
}

/**
 * Connection attempts that found a full accept queue, from `/proc/net/netstat`: of the whole machine (its network namespace), because the
 * kernel has no other counter.
 */
class ListenProbe(private val proc: Path) : Probe {
    override fun read(): Map<Metric, Double> {
        val counts = countersOf("TcpExt", readOrNull(proc.resolve("net/netstat")).orEmpty())
        return listOf(Metric.LISTEN_OVERFLOWS to "ListenOverflows", Metric.LISTEN_DROPS to "ListenDrops")
            .mapNotNull { (metric, name) -> counts[name]?.let { metric to it.toDouble() } }.toMap()
    }
}
