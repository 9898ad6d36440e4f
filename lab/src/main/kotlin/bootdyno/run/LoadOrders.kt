package bootdyno.run

import bootdyno.engine.LoadOrder
import bootdyno.model.Arrivals
import bootdyno.model.Cell
import bootdyno.model.LoadProfile
import bootdyno.plan.Timing
import bootdyno.plan.settling
import bootdyno.plan.warmingConnections
import java.net.URI
import kotlin.time.Duration

/** Load that counts. */
internal fun windowOrder(cell: Cell, base: URI, settle: Duration, seed: Long): LoadOrder =
    order(cell, base, cell.workload.parameters, settle, cell.profile.window, Timing.DRAIN_AFTER, seed)

/** Open load after the window, of [perSecond] requests: independent users, who arrive at random (Poisson), each for one request or chain. */
internal fun openOrder(cell: Cell, base: URI, perSecond: Double, seed: Long): LoadOrder =
    order(cell, base, cell.workload.parameters, settling(cell), Timing.OPEN_WINDOW, Timing.DRAIN_AFTER, seed)
        .copy(load = LoadProfile.Open(perSecond / cell.workload.steps.size, Arrivals.POISSON))

/**
 * Load that does not count, with the workload's cheap parameters if it has some.
 *
 * A burst warms under closed load: cut into slices it would leave thousands of half-open connections behind each, and no slice
 * would be like the next. So does open load: a few hundred requests a second never reach what makes the compiler begin, and its slices
 * would all serve the same.
 */
internal fun warmUpOrder(cell: Cell, base: URI, length: Duration, cheap: Boolean, seed: Long): LoadOrder {
    val parameters = if (cheap) cell.workload.parameters + cell.workload.warmUpParameters else cell.workload.parameters
    return order(cell, base, parameters, length, Duration.ZERO, Timing.DRAIN_BEFORE, seed).copy(load = warming(cell))
}

private fun warming(cell: Cell): LoadProfile = when (val load = cell.profile.load) {
    is LoadProfile.Closed -> load
    is LoadProfile.Open -> LoadProfile.Closed(warmingConnections(cell, load))
    is LoadProfile.Burst -> LoadProfile.Closed(minOf(load.users, Timing.WARMING_CONNECTIONS))
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
    val prefix = base.rawPath.orEmpty().trimEnd('/')
    return LoadOrder(
        host = base.host,
        port = if (base.port < 0) 80 else base.port,
        steps = cell.workload.requests(parameters).map { it.copy(path = prefix + it.path) },
        data = cell.workload.data?.path,
        load = cell.profile.load,
        settle = settle,
        window = window,
        timeout = cell.profile.timeout,
        drain = drain,
        seed = seed,
    )
}
