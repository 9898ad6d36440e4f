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

/** Requests per second by mean value analysis of the CPU; null if it is hardly used, or if another throughput was measured. */
internal val Observed.servedByCpu: Double?
    get() {
        val clients = clients?.takeIf { it > 1 && (cpuShare ?: 0.0) >= BUSY_ENOUGH } ?: return null
        val demand = setup.seen.cpuSecondsPerRequest ?: return null
        val delay = ((unloadedSeconds ?: return null) - demand).coerceAtLeast(0.0) + setup.thinkSeconds
        val network = ClosedNetwork(listOf(Station(setup.cpus ?: return null, demand)), delay, clients)
        return network.throughput.takeIf { abs(throughput / it - 1) <= AGREES }
    }

internal fun beforeSaturation(observed: Observed): Conclusion? = with(observed) {
    val predicted = servedByCpu?.takeIf { full.isEmpty() } ?: return null
    // Of a full CPU, this analysis finds what was measured, whatever else requests wait for.
    val isFull = (cpuShare ?: 0.0) * predicted >= FULL_CPU * throughput
    val waits = doing(Doing.RUNNING) < MOSTLY && occupancy.requests.any { it > 0 }
    val hardlyWaits = throughput * ((unloadedSeconds ?: 0.0) + setup.thinkSeconds) >= HARDLY_WAITING * (clients ?: 0)
    BeforeSaturation(observed, clients ?: 0, predicted).takeUnless { hardlyWaits || (isFull && waits) }
}
