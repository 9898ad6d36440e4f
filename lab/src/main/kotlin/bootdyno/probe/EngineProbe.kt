package bootdyno.probe

import bootdyno.model.Metric
import bootdyno.model.Metrics
import java.nio.file.Path

/** CPU time of the load engine's process. */
class EngineProbe(private val pid: Long, private val proc: Path) : Probe {
    override fun read(): Map<Metric, Double> = cpuSecondsOf(pid, proc)?.let { mapOf(Metrics.ENGINE_CPU to it) }.orEmpty()
}
