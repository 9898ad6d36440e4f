package bootdyno.probe

import bootdyno.model.Bytes
import bootdyno.model.Metric
import bootdyno.model.associateWithNotNull
import bootdyno.system.cpuSecondsOf
import bootdyno.system.limits.Group
import bootdyno.system.numberAfter
import bootdyno.system.readLong
import bootdyno.system.readOrNull
import java.nio.file.Path

/** CPU, resident memory and thread count of a process, from `/proc/PID`. [withCpu]: false if a cgroup counts it better. */
class ProcProbe(private val pid: Long, private val proc: Path, private val withCpu: Boolean) : Probe {
    @Volatile
    private var lastPeak: Bytes? = null

    override fun read(): Map<Metric, Double> = buildMap {
        if (withCpu) cpuSeconds()?.let { put(Metric.CPU, it) }
        val status = readOrNull(proc.resolve("$pid/status")) ?: return@buildMap
        rememberPeak(status)
        numberAfter("VmRSS", status)?.let { put(Metric.RSS, (it * Bytes.KIB).toDouble()) }
        numberAfter("Threads", status)?.let { put(Metric.THREADS, it.toDouble()) }
    }

    fun cpuSeconds(): Double? = cpuSecondsOf(pid, proc)

    fun rss(): Bytes? = numberAfter("VmRSS", readOrNull(proc.resolve("$pid/status")).orEmpty())?.let { Bytes(it * Bytes.KIB) }

    /** `VmHWM`; the last value read if the process has ended. */
    fun peakRss(): Bytes? {
        readOrNull(proc.resolve("$pid/status"))?.let(::rememberPeak)
        return lastPeak
    }

    private fun rememberPeak(status: String) {
        numberAfter("VmHWM", status)?.let { lastPeak = Bytes(it * Bytes.KIB) }
    }
}

/**
 * Open file descriptors of a process, from `/proc/PID/fd`. Finding out which of ten thousand are connections would cost much CPU time; only
 * connections change under load.
 */
class OpenFilesProbe(private val pid: Long, private val proc: Path) : Probe {
    override fun read(): Map<Metric, Double> {
        val folder = proc.resolve("$pid/fd").toFile()
        // Since Linux 6.2 the size of the folder is the number of its entries; before it was 0.
        val count = folder.length().takeIf { it > 0 } ?: folder.list()?.size?.toLong()
        return count?.let { mapOf(Metric.OPEN_FILES to it.toDouble()) }.orEmpty()
    }
}

/** CPU time of the current processes of [pids], as [metric]. Ended processes stay counted. */
class CpuProbe(private val metric: Metric, private val pids: () -> List<Long>, private val proc: Path) : Probe {
    private val total = GrowingTotal()

    @Synchronized
    override fun read(): Map<Metric, Double> {
        val nanos = pids().distinct().associateWithNotNull { pid -> cpuSecondsOf(pid, proc)?.let { nanosOf(it) } }
        val sum = total.of(nanos)
        return if (sum == 0L && nanos.isEmpty()) emptyMap() else mapOf(metric to sum / NANOS)
    }
}

/** CPU time, throttling and memory of a cgroup. */
class CgroupProbe(private val group: Group) : Probe {
    override fun read(): Map<Metric, Double> = buildMap {
        group.cpuSeconds()?.let { put(Metric.CPU, it) }
        val stat = readOrNull(group.cpuStat).orEmpty()
        numberAfter("nr_periods", stat)?.let { put(Metric.PERIODS, it.toDouble()) }
        numberAfter("nr_throttled", stat)?.let { put(Metric.THROTTLED_PERIODS, it.toDouble()) }
        // Nanoseconds in version 1, microseconds in version 2.
        val throttled =
            numberAfter("throttled_time", stat)?.let { it / NANOS } ?: numberAfter("throttled_usec", stat)?.let { it / 1e6 }
        throttled?.let { put(Metric.THROTTLED, it) }
        readLong(group.memoryUsage)?.let { put(Metric.CGROUP_MEMORY, it.toDouble()) }
    }
}
