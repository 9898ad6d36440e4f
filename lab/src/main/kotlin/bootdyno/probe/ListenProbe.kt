package bootdyno.probe

import bootdyno.model.Metric
import bootdyno.system.readOrNull
import java.nio.file.Path

/**
 * Attempts to connect that met a full accept queue, from `/proc/net/netstat`: of the whole machine (its network namespace), for
 * the kernel counts them nowhere else.
 *
 * The file has pairs of lines: names, then numbers, in the same order.
 */
class ListenProbe(private val proc: Path) : Probe {
    override fun read(): Map<Metric, Double> {
        val text = readOrNull(proc.resolve("net/netstat")).orEmpty()
        val lines = text.lines().filter { it.startsWith(GROUP) }
        if (lines.size != 2) return emptyMap()
        val (names, numbers) = lines.map { it.removePrefix(GROUP).trim().split(' ') }
        val counts = names.zip(numbers).toMap()
        return buildMap {
            counts["ListenOverflows"]?.toDoubleOrNull()?.let { put(Metric.LISTEN_OVERFLOWS, it) }
            counts["ListenDrops"]?.toDoubleOrNull()?.let { put(Metric.LISTEN_DROPS, it) }
        }
    }

    private companion object {
        const val GROUP = "TcpExt: "
    }
}
