package bootdyno.probe

import bootdyno.model.Metric
import java.nio.file.Path

/**
 * Descriptors a process holds, from `/proc/PID/fd`. To look which of ten thousand are connections would cost a good part of a
 * CPU; connections are what changes under load.
 */
class OpenFilesProbe(private val pid: Long, private val proc: Path) : Probe {
    override fun read(): Map<Metric, Double> {
        val folder = proc.resolve("$pid/fd").toFile()
        // Since Linux 6.2 the size of the folder is the number of its entries; before it was 0.
        val count = folder.length().takeIf { it > 0 } ?: folder.list()?.size?.toLong()
        return count?.let { mapOf(Metric.OPEN_FILES to it.toDouble()) }.orEmpty()
    }
}
