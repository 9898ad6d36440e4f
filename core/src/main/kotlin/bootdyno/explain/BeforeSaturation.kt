package bootdyno.explain

import bootdyno.model.Change
import bootdyno.model.count
import bootdyno.model.perSecond
import bootdyno.stats.ClosedNetwork
import bootdyno.stats.Station
import kotlin.math.abs

/** Allowed difference between the measured throughput and that of mean value analysis. */
private const val AGREES = 0.1

/** From this CPU use on, requests often meet at the CPU. */
private const val MEETING = 0.5

/** From this share of the throughput without any meeting on, waiting for the CPU is not worth a word. */
private const val HARDLY_MEETING = 0.97

/** Nothing is full: requests meet at the CPU and wait for it at times, as [predicted]. More connections bring more. */
internal class BeforeSaturation(private val observed: Observed, private val clients: Int, private val predicted: Double) :
    Conclusion {
    override val limit = "${count(clients)} client connections"
    override val measured: String
        get() = "${observed.rate}: nothing is full (${observed.cpuWords}). Requests meet at the CPU and wait for it at times: " +
            "mean value analysis predicts ${perSecond(predicted)}."
    override val advice get() = observed.advice(Change.Connections(2 * clients))
}

internal fun beforeSaturation(observed: Observed): Conclusion? {
    val clients = observed.clients?.takeIf { it > 1 && (observed.cpuShare ?: 0.0) >= MEETING } ?: return null
    val cpus = observed.setup.cpus ?: return null
    val demand = observed.setup.seen.cpuSecondsPerRequest ?: return null
    val unloaded = observed.unloadedSeconds ?: return null
    if (observed.full.isNotEmpty()) return null
    val delay = (unloaded - demand).coerceAtLeast(0.0)
    val predicted = ClosedNetwork(listOf(Station(cpus, demand)), delay, clients).throughput
    if (observed.throughput * unloaded >= HARDLY_MEETING * clients) return null
    return if (abs(observed.throughput / predicted - 1) <= AGREES) BeforeSaturation(observed, clients, predicted) else null
}
