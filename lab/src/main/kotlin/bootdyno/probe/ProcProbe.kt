package bootdyno.probe

import bootdyno.model.Bytes
import bootdyno.model.Metric
import java.nio.file.Path

/** CPU, resident memory and thread count of one process, from `/proc/PID`. [withCpu] is false where a control group counts it better. */
class ProcProbe(private val pid: Long, private val proc: Path, private val withCpu: Boolean) : Probe {
    @Volatile
    private var lastPeak: Bytes? = null

    override val notes: List<String> get() = listOfNotNull(noProc(proc))

    override fun read(): Map<Metric, Double> = buildMap {
        if (withCpu) cpuSeconds()?.let { put(Metric.CPU, it) }
        val status = readKernelFile(proc.resolve("$pid/status")) ?: return@buildMap
        rememberPeak(status)
        numberAfter("VmRSS", status)?.let { put(Metric.RSS, (it * Bytes.KIB).toDouble()) }
        numberAfter("Threads", status)?.let { put(Metric.THREADS, it.toDouble()) }
    }

    fun cpuSeconds(): Double? = cpuSecondsOf(pid, proc)

    /** `VmHWM`; the last one seen when the process has ended. */
    fun peakRss(): Bytes? {
        readKernelFile(proc.resolve("$pid/status"))?.let(::rememberPeak)
        return lastPeak
    }

    private fun rememberPeak(status: String) {
        numberAfter("VmHWM", status)?.let { lastPeak = Bytes(it * Bytes.KIB) }
    }
}
