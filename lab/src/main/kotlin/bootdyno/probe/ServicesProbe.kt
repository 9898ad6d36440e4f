package bootdyno.probe

import bootdyno.model.Metric
import bootdyno.system.TICKS_PER_SECOND
import bootdyno.system.cpuSecondsOf
import java.nio.file.Path
import kotlin.math.roundToLong

/** CPU time of the services' processes. [pids] are those of the moment: a database starts one for each connection. */
class ServicesProbe(private val pids: () -> List<Long>, private val proc: Path) : Probe {
    private val total = GrowingTotal()

    override fun read(): Map<Metric, Double> {
        val ticks = pids().mapNotNull { pid ->
            cpuSecondsOf(pid, proc)?.let { pid to (it * TICKS_PER_SECOND).roundToLong() }
        }.toMap()
        val sum = total.of(ticks)
        return if (sum == 0L && ticks.isEmpty()) emptyMap() else mapOf(Metric.SERVICES_CPU to sum / TICKS_PER_SECOND)
    }
}
