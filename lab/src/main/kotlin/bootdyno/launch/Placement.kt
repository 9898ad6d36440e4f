package bootdyno.launch

import bootdyno.model.CpuBy
import bootdyno.model.Limits
import kotlin.math.ceil

/**
 * Which CPUs go to whom. [shared]: they could not be kept apart, so the engine takes CPU from the subject. [services] are those
 * of what the subject calls: the engine's, where there are none of their own.
 */
data class Placement(val subject: List<Int>, val engine: List<Int>, val shared: Boolean, val services: List<Int> = engine)

/**
 * Shares [available] between a subject under [limits] and the load engine.
 *
 * Pinned, the subject gets the last whole CPUs and the engine the rest. Under a quota the subject keeps more CPUs than its quota
 * (on as many as the quota it would never be throttled, and would be pinned by another name); the engine gets up to a quarter of
 * the machine of its own, where that leaves enough. A subject without a CPU limit may use every CPU, the engine's too.
 *
 * With [services], these get one in four of the engine's CPUs for themselves, where it has two or more; else they run beside it:
 * what they use is then missing to the engine, never to the subject.
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

/** The whole CPUs a limit needs: 1 for 0.5, 2 for 1.5. */
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
