package bootdyno.run

import bootdyno.load.LoadOrder
import bootdyno.model.Arrivals
import bootdyno.model.Cell
import bootdyno.model.LoadProfile
import bootdyno.plan.Timing
import java.net.URI
import kotlin.time.Duration

/** Load that counts. */
internal fun windowOrder(cell: Cell, base: URI, settle: Duration, seed: Long): LoadOrder =
    order(cell, base, cell.workload.parameters, settle, cell.profile.window, Timing.DRAIN_AFTER, seed)

/** Open load after the window, at [perSecond]: independent users, whose requests arrive at random (Poisson). */
internal fun openOrder(cell: Cell, base: URI, perSecond: Double, seed: Long): LoadOrder =
    order(cell, base, cell.workload.parameters, Timing.SETTLE, Timing.OPEN_WINDOW, Timing.DRAIN_AFTER, seed)
        .copy(load = LoadProfile.Open(perSecond, Arrivals.POISSON))

/**
 * Load that does not count, with the workload's cheap parameters if it has some.
 *
 * A burst warms under closed load: cut into slices it would leave thousands of half-open connections behind each, and no slice
 * would be like the next.
 */
internal fun warmUpOrder(cell: Cell, base: URI, length: Duration, cheap: Boolean, seed: Long): LoadOrder {
    val parameters = if (cheap) cell.workload.parameters + cell.workload.warmUpParameters else cell.workload.parameters
    return order(cell, base, parameters, length, Duration.ZERO, Timing.DRAIN_BEFORE, seed).copy(load = warming(cell.profile.load))
}

private fun warming(load: LoadProfile): LoadProfile = when (load) {
    is LoadProfile.Closed, is LoadProfile.Open -> load
    is LoadProfile.Burst -> LoadProfile.Closed(minOf(load.users, Timing.MOST_WARMING))
}

private fun order(
    cell: Cell,
    base: URI,
    parameters: Map<String, String>,
    settle: Duration,
    window: Duration,
    drain: Duration,
    seed: Long,
): LoadOrder {
    val workload = cell.workload
    return LoadOrder(
        host = base.host,
        port = base.port,
        method = workload.method,
        path = base.rawPath.orEmpty().trimEnd('/') + workload.fill(workload.path, parameters),
        headers = workload.headers.mapValues { (_, value) -> workload.fill(value, parameters) },
        body = workload.body?.let { workload.fill(it, parameters) },
        expect = workload.expected(parameters),
        load = cell.profile.load,
        settle = settle,
        window = window,
        timeout = cell.profile.timeout,
        drain = drain,
        seed = seed,
    )
}
