package bootdyno.probe

import bootdyno.model.Metric

/** CPU, throttling and memory of a control group, version 1 or 2: the words in its files tell which. */
class CgroupProbe(private val files: CgroupFiles) : Probe {
    override fun read(): Map<Metric, Double> = buildMap {
        val stat = files.cpuStat?.let { readKernelFile(it) }.orEmpty()
        cpuSeconds(stat)?.let { put(Metric.CPU, it) }
        numberAfter("nr_periods", stat)?.let { put(Metric.PERIODS, it.toDouble()) }
        numberAfter("nr_throttled", stat)?.let { put(Metric.THROTTLED_PERIODS, it.toDouble()) }
        throttledSeconds(stat)?.let { put(Metric.THROTTLED, it) }
        files.memory?.let { readKernelFile(it) }?.trim()?.toLongOrNull()?.let { put(Metric.CGROUP_MEMORY, it.toDouble()) }
    }

    override val notes: List<String>
        get() = listOfNotNull(files.cpuStat, files.cpuUsage, files.memory).filter { readKernelFile(it) == null }
            .map { "The control group's $it cannot be read." }

    /** Whether this group counts CPU time, so that nobody else should. */
    fun countsCpu(): Boolean =
        files.cpuUsage != null || files.cpuStat?.let { readKernelFile(it) }.orEmpty().contains("usage_usec")

    private fun cpuSeconds(stat: String): Double? = when (val usage = files.cpuUsage) {
        null -> numberAfter("usage_usec", stat)?.let { it / 1e6 }
        else -> readKernelFile(usage)?.trim()?.toLongOrNull()?.let { it / 1e9 }
    }

    /** Nanoseconds in version 1, microseconds in version 2. */
    private fun throttledSeconds(stat: String): Double? =
        numberAfter("throttled_time", stat)?.let { it / 1e9 } ?: numberAfter("throttled_usec", stat)?.let { it / 1e6 }
}
