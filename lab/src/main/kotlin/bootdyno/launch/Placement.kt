package bootdyno.launch

import bootdyno.model.CpuBy
import bootdyno.model.Limits
import bootdyno.system.CpuTopology
import kotlin.math.ceil

/**
 * The CPUs of subject, engine and services. [shared]: subject and engine share CPUs. [services] are those of the engine if there are too few.
 * [sharedCore]: they have different CPUs, two hardware threads of one core.
 */
data class Placement(
    val subject: List<Int>,
    val engine: List<Int>,
    val shared: Boolean,
    val services: List<Int> = engine,
    val sharedCore: Boolean = false,
)

/**
 * Divides [available] CPUs between a subject with [limits] and the load engine. A limit of N CPUs is N hardware threads.
 *
 * With pinning, the subject gets the last whole CPUs: one hardware thread per core while there are cores, on one NUMA node if it fits. The
 * engine gets all of the other cores: those of the subject's node if they have as many CPUs as the subject, otherwise all. Neither it nor the
 * services use the second hardware thread of a subject's core, which would take from the subject's speed, unless there is no other core.
 *
 * With a quota, the subject gets more CPUs than its quota, because it would never be throttled otherwise; the engine gets up to a quarter of
 * the cores, if enough CPUs remain; all on one NUMA node if they fit. A subject without a CPU limit may use all CPUs, including the engine's.
 *
 * [services] get one in four of the engine's CPUs if it has two or more; otherwise they share the engine's CPUs, never the subject's.
 */
fun place(
    limits: Limits,
    available: List<Int>,
    services: Boolean = false,
    topology: CpuTopology = CpuTopology.flat(available),
): Placement {
    val placement = subjectAndEngine(limits, available, topology)
    if (!services || placement.shared || placement.engine.size < 2) return placement
    val count = (placement.engine.size / 4).coerceAtLeast(1)
    return placement.copy(engine = placement.engine.dropLast(count), services = placement.engine.takeLast(count))
}

private fun subjectAndEngine(limits: Limits, available: List<Int>, topology: CpuTopology): Placement {
    require(available.isNotEmpty()) { "no CPU to place anything on" }
    val cpus = limits.cpus ?: return Placement(available, available, shared = true)
    return when (limits.cpuBy) {
        CpuBy.PINNING -> pinned(wholeCpus(cpus), available, topology)
        CpuBy.QUOTA -> underQuota(cpus, available, topology)
    }
}

/** The number of whole CPUs for a limit: 1 for 0.5, 2 for 1.5. */
internal fun wholeCpus(cpus: Double): Int = ceil(cpus).toInt().coerceAtLeast(1)

private fun pinned(count: Int, available: List<Int>, topology: CpuTopology): Placement {
    if (count >= available.size) return Placement(available, available, shared = true)
    val best = scopes(available, topology)
        // On all of the cores, or on all but one, which is left to the engine.
        .flatMap { scope -> (0..1).map { left -> onePerCore(count, topology.coresOf(scope).drop(left)) } }
        .filter { it.size == count }
        .map { Pinned(it, available, topology) }
        .minWith(compareBy({ it.sharesCore }, { it.doubled }, { it.nodes.size }, { it.engineIsFar }))
    return Placement(best.subject.sorted(), best.engine, shared = false, sharedCore = best.sharesCore)
}

/** A choice of CPUs for a subject, and what is left for the engine. */
private class Pinned(val subject: List<Int>, available: List<Int>, topology: CpuTopology) {
    private val cores = subject.map(topology::coreOf).toSet()
    val nodes = subject.map(topology::nodeOf).toSet()
    private val otherCores = available.filterNot { topology.coreOf(it) in cores }
    private val near = otherCores.filter { topology.nodeOf(it) in nodes }

    /** Number of its CPUs that are the second hardware thread of one of its cores. */
    val doubled = subject.size - cores.size
    val sharesCore = otherCores.isEmpty()
    val engineIsFar = near.size < subject.size
    val engine = if (engineIsFar) otherCores.ifEmpty { available - subject.toSet() } else near
}

/** [count] hardware threads of the last of [cores], the first one of each before the second ones. */
private fun onePerCore(count: Int, cores: List<List<Int>>): List<Int> {
    val last = cores.takeLast(count).reversed()
    return (0 until (last.maxOfOrNull { it.size } ?: 0)).flatMap { nth -> last.mapNotNull { it.getOrNull(nth) } }.take(count)
}

/** The CPUs of each node, the last node first, and all. */
private fun scopes(available: List<Int>, topology: CpuTopology): List<List<Int>> =
    (available.groupBy(topology::nodeOf).toSortedMap().values.reversed() + listOf(available)).distinct()

private fun underQuota(cpus: Double, available: List<Int>, topology: CpuTopology): Placement =
    scopes(available, topology).firstNotNullOfOrNull { underQuota(cpus, topology.coresOf(it)) }
        ?: underQuota(cpus, available.map { listOf(it) })?.copy(sharedCore = true)
        ?: Placement(available, available.take(1), shared = true)

/** Null if the subject would have no more CPUs than its quota. */
private fun underQuota(cpus: Double, cores: List<List<Int>>): Placement? {
    val most = (cores.size / 4).coerceAtLeast(1)
    val engine = (most downTo 1).find { cores.drop(it).sumOf { core -> core.size } > cpus } ?: return null
    return Placement(cores.drop(engine).flatten().sorted(), cores.take(engine).flatten().sorted(), shared = false)
}
