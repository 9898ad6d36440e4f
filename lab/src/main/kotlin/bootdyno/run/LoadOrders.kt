package bootdyno.run

import bootdyno.engine.HttpAddress
import bootdyno.engine.LoadOrder
import bootdyno.model.Arrivals
import bootdyno.model.Cell
import bootdyno.model.LoadProfile
import bootdyno.schedule.Timing
import bootdyno.schedule.searchWindow
import bootdyno.schedule.settling
import bootdyno.schedule.warmingConnections
import java.net.URI
import kotlin.time.Duration

/** The load of the window. */
internal fun windowOrder(cell: Cell, base: URI, settle: Duration, seed: Long): LoadOrder =
    order(cell, base, settle, cell.profile.window, Timing.DRAIN_AFTER, seed)

/** Open load after the window with [perSecond] requests and Poisson arrivals; each arrival sends one request or chain. */
internal fun openOrder(cell: Cell, base: URI, perSecond: Double, seed: Long): LoadOrder =
    order(cell, base, settling(cell), Timing.OPEN_WINDOW, Timing.DRAIN_AFTER, seed)
        .copy(load = LoadProfile.Open(perSecond / cell.workload.requestsPerArrival, Arrivals.POISSON), think = null)

/** Open load of a capacity search. Its drain ends with the last request, because a rate above the capacity leaves a queue to the next one. */
internal fun searchOrder(cell: Cell, base: URI, perSecond: Double, seed: Long): LoadOrder =
    openOrder(cell, base, perSecond, seed).copy(window = searchWindow(perSecond), drain = Timing.DRAIN_BEFORE)

/**
 * Warm-up load, with the workload's cheap parameters if it has some.
 *
 * Bursts warm up under closed load, because slices of a burst would leave thousands of half-open connections and would differ. So does open
 * load: a few hundred requests per second may not trigger the compiler, and all slices would have equal throughput. For the same reason,
 * users who think become few clients that do not.
 */
internal fun warmUpOrder(cell: Cell, base: URI, length: Duration, cheap: Boolean, seed: Long): LoadOrder {
    val workload = if (cheap) cell.workload.run { copy(parameters = parameters + warmUpParameters) } else cell.workload
    return order(cell.copy(workload = workload), base, length, Duration.ZERO, Timing.DRAIN_BEFORE, seed)
        .copy(load = warming(cell), think = null)
}

/** The load of the window for [length], without its measurement. A burst would end, so closed load takes its place, as in the warm-up. */
internal fun diagnosisOrder(cell: Cell, base: URI, length: Duration, drain: Duration, seed: Long): LoadOrder {
    val order = order(cell, base, length, Duration.ZERO, drain, seed).copy(reportEvery = COUNTED_EVERY)
    return if (order.load.isBurst) order.copy(load = warming(cell), think = null) else order
}

private fun warming(cell: Cell): LoadProfile = when (val load = cell.profile.load) {
    is LoadProfile.Closed ->
        if (cell.workload.think == null) load else LoadProfile.Closed(minOf(load.connections, Timing.WARMING_CONNECTIONS))

    is LoadProfile.Open -> LoadProfile.Closed(warmingConnections(cell, load))

    is LoadProfile.Burst -> LoadProfile.Closed(minOf(load.users, Timing.WARMING_CONNECTIONS))
}

private fun order(cell: Cell, base: URI, settle: Duration, window: Duration, drain: Duration, seed: Long): LoadOrder {
    val address = HttpAddress.of(base)
    return LoadOrder(
        host = address.host,
        port = address.port,
        steps = cell.workload.requests(below = address.path),
        login = cell.workload.loginRequests(below = address.path),
        cookies = cell.workload.cookies,
        mix = cell.workload.mix,
        think = cell.workload.think,
        data = cell.workload.data?.path,
        load = cell.profile.load,
        settle = settle,
        window = window,
        timeout = cell.profile.timeout,
        drain = drain,
        seed = seed,
        https = address.https,
        http = cell.subject.http,
        serverName = cell.subject.serverName,
    )
}
