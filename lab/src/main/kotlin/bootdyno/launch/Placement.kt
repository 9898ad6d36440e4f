package bootdyno.launch

import bootdyno.model.CpuBy
import bootdyno.model.Limits
import kotlin.math.ceil

/**
 * The CPUs of subject, engine and services. [shared]: subject and engine share CPUs. [services] are those of the engine if there are too few.
 */
data class Placement(val subject: List<Int>, val engine: List<Int>, val shared: Boolean, val services: List<Int> = engine)

/**
 * Divides [available] CPUs between a subject with [limits] and the load engine.
 *
 * With pinning, the subject gets the last whole CPUs and the engine the rest. With a quota, the subject gets more CPUs than its quota, because
 * it would never be throttled otherwise; the engine gets up to a quarter of the machine, if enough CPUs remain. A subject without a CPU limit
 * may use all CPUs, including the engine's.
 *
 * [services] get one in four of the engine's CPUs if it has two or more; otherwise they share the engine's CPUs, never the subject's.
 */
fun place(limits: Limits, available: List<Int>, services: Boolean = false): Placement {
    val placement = subjectAndEngine(limits, available)
    if (!services || placement.shared || placement.engine.size < 2) return placement
    val count = (placement.engine.size / 4).coerceAtLeast(1)
    return placement.copy(engine = placement.engine.dropLast(count), services = placement.engine.takeLast(count))
}

private fun subjectAndEngine(limits: Limits, available: List<Int>): Placement {
    require(available.isNotEmpty()) { "no CPU to place anything on" }
    val cpus = limits.cpus ?: return Placement(available, available, shared = true)
    return when (limits.cpuBy) {
        CpuBy.PINNING -> pinned(wholeCpus(cpus), available)
        CpuBy.QUOTA -> underQuota(cpus, available)
    }
}

/** The number of whole CPUs for a limit: 1 for 0.5, 2 for 1.5. */
internal fun wholeCpus(cpus: Double): Int = ceil(cpus).toInt().coerceAtLeast(1)

private fun pinned(count: Int, available: List<Int>): Placement = if (count >= available.size) {
    Placement(available, available, shared = true)
} else {
    Placement(available.takeLast(count), available.dropLast(count), shared = false)
}

private fun underQuota(cpus: Double, available: List<Int>): Placement {
    val most = (available.size / 4).coerceAtLeast(1)
    val engine = (most downTo 1).find { available.size - it > cpus }
        ?: return Placement(available, available.take(1), shared = true)
    return Placement(available.drop(engine), available.take(engine), shared = false)
}
