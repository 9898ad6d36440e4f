package bootdyno.probe

import bootdyno.model.Metric
import bootdyno.system.limits.CgroupPaths
import bootdyno.system.numberAfter
import bootdyno.system.readLong
import bootdyno.system.readOrNull

/** CPU time, throttling and memory of a control group of version 1 or 2. */
class CgroupProbe(private val files: CgroupPaths) : Probe {
    override fun read(): Map<Metric, Double> = buildMap {
        val stat = files.cpuStat?.let(::readOrNull).orEmpty()
        cpuSeconds(stat)?.let { put(Metric.CPU, it) }
        numberAfter("nr_periods", stat)?.let { put(Metric.PERIODS, it.toDouble()) }
        numberAfter("nr_throttled", stat)?.let { put(Metric.THROTTLED_PERIODS, it.toDouble()) }
        throttledSeconds(stat)?.let { put(Metric.THROTTLED, it) }
        files.memoryUsage?.let(::readLong)?.let { put(Metric.CGROUP_MEMORY, it.toDouble()) }
    }

    override val notes: List<String>
        get() = listOfNotNull(files.cpuStat, files.cpuUsage, files.memoryUsage).distinct().filter { readOrNull(it) == null }
            .map { "The control group's $it cannot be read." }

    /** Whether this group counts CPU time: then its process is not counted a second time. */
    fun countsCpu(): Boolean = cpuSeconds(files.cpuStat?.let(::readOrNull).orEmpty()) != null

    private fun cpuSeconds(stat: String): Double? = if (files.version == 1) {
        files.cpuUsage?.let(::readLong)?.let { it / 1e9 }
    } else {
        numberAfter("usage_usec", stat)?.let { it / 1e6 }
    }

    /** Nanoseconds in version 1, microseconds in version 2. */
    private fun throttledSeconds(stat: String): Double? =
        numberAfter("throttled_time", stat)?.let { it / 1e9 } ?: numberAfter("throttled_usec", stat)?.let { it / 1e6 }
}
