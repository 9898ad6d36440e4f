package bootdyno.run

import bootdyno.load.LoadOrder
import bootdyno.model.Cell
import bootdyno.plan.Timing
import java.net.URI
import kotlin.time.Duration

/** Load that counts. */
internal fun windowOrder(cell: Cell, base: URI, settle: Duration, seed: Long): LoadOrder =
    order(cell, base, cell.workload.parameters, settle, cell.profile.window, Timing.DRAIN_AFTER, seed)

/** Load that does not count, with the workload's cheap parameters if it has some. */
internal fun warmUpOrder(cell: Cell, base: URI, length: Duration, cheap: Boolean, seed: Long): LoadOrder {
    val parameters = if (cheap) cell.workload.parameters + cell.workload.warmUpParameters else cell.workload.parameters
    return order(cell, base, parameters, length, Duration.ZERO, Timing.DRAIN_BEFORE, seed)
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
        headers = workload.headers,
        body = workload.body?.let { workload.fill(it, parameters) },
        expect = workload.expect,
        load = cell.profile.load,
        settle = settle,
        window = window,
        timeout = cell.profile.timeout,
        drain = drain,
        seed = seed,
    )
}
