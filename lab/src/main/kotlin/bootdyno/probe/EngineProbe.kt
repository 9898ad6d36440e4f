package bootdyno.probe

import bootdyno.model.Metric
import bootdyno.system.cpuSecondsOf
import java.nio.file.Path

/** CPU time of the load engines' processes, [pids] at the moment of reading, with all they have started. Those that ended stay counted. */
class EngineProbe(private val pids: () -> List<Long>, private val proc: Path) : Probe {
    private val total = GrowingTotal()

    @Synchronized
    override fun read(): Map<Metric, Double> {
        val nanos = pids().flatMap(::withDescendants).distinct()
            .mapNotNull { pid -> cpuSecondsOf(pid, proc)?.let { pid to (it * NANOS).toLong() } }.toMap()
        return if (nanos.isEmpty()) emptyMap() else mapOf(Metric.ENGINE_CPU to total.of(nanos) / NANOS)
    }

    private fun withDescendants(pid: Long): List<Long> =
        listOf(pid) + ProcessHandle.of(pid).map { it.descendants().map(ProcessHandle::pid).toList() }.orElse(emptyList())

    private companion object {
        const val NANOS = 1e9
    }
}
