package bootdyno.explain

import bootdyno.model.perSecond
import bootdyno.occupancy.Doing
import bootdyno.stats.ClosedNetwork
import bootdyno.stats.Station
import kotlin.math.abs

/** Allowed difference between the measured throughput and that of mean value analysis. */
private const val AGREES = 0.1

/** From this CPU use on, requests often wait for the CPU. */
private const val BUSY_ENOUGH = 0.5

/** From this share of the throughput on that would be without waiting for the CPU, that waiting is not mentioned. */
private const val HARDLY_WAITING = 0.97

/** From this predicted CPU use on, the CPU would be full. */
private const val FULL_CPU = 0.98

/** Nothing is full: requests wait for the CPU at times, as [predicted]. */
internal class BeforeSaturation(private val observed: Observed, clients: Int, private val predicted: Double) :
    LoadIsLimit(observed, clients) {
    override val measured: String
        get() = "${observed.rate}: nothing is full (${observed.cpuWords}). Requests wait for the CPU at times: " +
            "mean value analysis predicts ${perSecond(predicted)}."
}

internal fun beforeSaturation(observed: Observed): Conclusion? {
    val clients = observed.clients?.takeIf { it > 1 && (observed.cpuShare ?: 0.0) >= BUSY_ENOUGH } ?: return null
    val cpus = observed.setup.cpus ?: return null
    val demand = observed.setup.seen.cpuSecondsPerRequest ?: return null
    val unloaded = observed.unloadedSeconds ?: return null
    if (observed.full.isNotEmpty()) return null
    val thinking = observed.setup.thinkSeconds
    val delay = (unloaded - demand).coerceAtLeast(0.0) + thinking
    val predicted = ClosedNetwork(listOf(Station(cpus, demand)), delay, clients).throughput
    // Of a full CPU, this analysis finds what was measured, whatever else requests wait for.
    val waits = observed.doing(Doing.RUNNING) < MOSTLY && observed.occupancy.requests.any { it > 0 }
    if (predicted * demand >= FULL_CPU * cpus && waits) return null
    if (observed.throughput * (unloaded + thinking) >= HARDLY_WAITING * clients) return null
    return if (abs(observed.throughput / predicted - 1) <= AGREES) BeforeSaturation(observed, clients, predicted) else null
}
