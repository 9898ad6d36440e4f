package bootdyno.probe

import bootdyno.model.Bytes
import bootdyno.model.Metric
import bootdyno.system.cpuSecondsOf
import bootdyno.system.numberAfter
import bootdyno.system.readOrNull
import java.nio.file.Path
import kotlin.io.path.isDirectory

/** CPU, resident memory and thread count of one process, from `/proc/PID`. [withCpu] is false where a control group counts it better. */
class ProcProbe(private val pid: Long, private val proc: Path, private val withCpu: Boolean) : Probe {
    @Volatile
    private var lastPeak: Bytes? = null

    override val notes: List<String> get() = listOfNotNull(
        "There is no $proc on this machine, so memory, threads and context switches were not read.".takeUnless {
            proc.isDirectory()
        },
    )

    override fun read(): Map<Metric, Double> = buildMap {
        if (withCpu) cpuSeconds()?.let { put(Metric.CPU, it) }
        val status = readOrNull(proc.resolve("$pid/status")) ?: return@buildMap
        rememberPeak(status)
        numberAfter("VmRSS", status)?.let { put(Metric.RSS, (it * Bytes.KIB).toDouble()) }
        numberAfter("Threads", status)?.let { put(Metric.THREADS, it.toDouble()) }
    }

    fun cpuSeconds(): Double? = cpuSecondsOf(pid, proc)

    /** `VmHWM`; the last one seen when the process has ended. */
    fun peakRss(): Bytes? {
        readOrNull(proc.resolve("$pid/status"))?.let(::rememberPeak)
        return lastPeak
    }

    private fun rememberPeak(status: String) {
        numberAfter("VmHWM", status)?.let { lastPeak = Bytes(it * Bytes.KIB) }
    }
}
