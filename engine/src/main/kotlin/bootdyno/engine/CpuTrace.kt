package bootdyno.engine

/** CPU time of a process as it went by: what it used in a span is told by the readings around the span's ends. */
class CpuTrace {
    private val readings = ArrayList<Reading>()

    /** [cpuSeconds] since the process began, read at [at], ms of the wall clock. */
    fun add(at: Long, cpuSeconds: Double) {
        readings += Reading(at, cpuSeconds)
    }

    /** CPU seconds from [from] to [to], ms of the wall clock; each end between two readings counts in proportion. */
    fun seconds(from: Long, to: Long): Double = at(to) - at(from)

    private fun at(time: Long): Double {
        val after = readings.indexOfFirst { it.at >= time }
        if (after == -1) return readings.lastOrNull()?.cpuSeconds ?: 0.0
        val later = readings[after]
        if (after == 0) return later.cpuSeconds
        val earlier = readings[after - 1]
        val share = (time - earlier.at).toDouble() / (later.at - earlier.at)
        return earlier.cpuSeconds + share * (later.cpuSeconds - earlier.cpuSeconds)
    }

    private class Reading(val at: Long, val cpuSeconds: Double)
}
