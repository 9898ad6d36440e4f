package bootdyno.load.gatling

/** CPU time of a process as it went by: what it used in a span is told by the readings around the span's ends. */
internal class CpuTrace {
    private val readings = ArrayList<Reading>()

    /** [cpuNanos] since the process began, read at [at], ms of the wall clock. */
    fun add(at: Long, cpuNanos: Long) {
        readings += Reading(at, cpuNanos)
    }

    /** CPU seconds from [from] to [to], ms of the wall clock; each end between two readings counts in proportion. */
    fun seconds(from: Long, to: Long): Double = (at(to) - at(from)) / 1e9

    private fun at(time: Long): Double {
        val after = readings.indexOfFirst { it.at >= time }
        if (after == -1) return (readings.lastOrNull()?.cpuNanos ?: 0).toDouble()
        val later = readings[after]
        if (after == 0) return later.cpuNanos.toDouble()
        val earlier = readings[after - 1]
        val share = (time - earlier.at).toDouble() / (later.at - earlier.at)
        return earlier.cpuNanos + share * (later.cpuNanos - earlier.cpuNanos)
    }

    private class Reading(val at: Long, val cpuNanos: Long)
}
