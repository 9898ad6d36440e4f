package bootdyno.explain

import bootdyno.analyse.MOST_TAKEN
import bootdyno.catalogue.ResourceKind
import bootdyno.model.Change
import bootdyno.model.LoadProfile
import bootdyno.model.Measure
import kotlin.math.min
import kotlin.math.roundToInt
import kotlin.time.DurationUnit

/**
 * From this share of the CPUs on, the CPU time per request is reliable enough to extrapolate to full CPUs. Below, much of it is background work
 * or interpreted code, so that it is an upper bound.
 */
internal const val CPU_ENOUGH = 0.5

/**
 * What the requests need. [beside]: share of the CPU time of threads that handle none. Null if the load does not fix the number of requests in
 * the system, as with think times, or if they time out.
 */
internal fun demands(evidence: Evidence, resources: List<ResourceDemand>, beside: Double = 0.0): Demands? {
    val inThreads = evidence.requestsInThreads
    val population = evidence.connections ?: inThreads?.roundToInt() ?: return null
    if (evidence.timedOut > 0 || evidence.thinking > 0) return null
    // The first request of a cold JVM takes longer than a declared time.
    val alone = evidence.setup.run { heldFor?.toDouble(DurationUnit.SECONDS) ?: seen.aloneSeconds }
    val demands = Demands(population, evidence.throughput, processors(evidence, beside), resources, alone)
    if (inThreads == null) return demands
    return demands.copy(clients = Units("requests at a time", "request"), isCpuKnown = demands.processors.isNotEmpty())
}

/**
 * The CPU time of the JIT compiler and of other work [beside] does not belong to requests: it does not grow with their number, and may end.
 *
 * What is predicted is a ratio to the measured throughput. Where the CPU is busy, CPU time per request varies from trial to trial with
 * the throughput. Their product, the CPU used, does not, so the prediction has its interval.
 */
private fun processors(evidence: Evidence, beside: Double): List<CpuDemand> {
    val setup = evidence.setup
    val otherWork = min(1.0, (evidence.resources[Measure.COMPILER]?.value ?: 0.0) + beside)
    val subject = setup.cpus?.let { cpus ->
        setup.seen.cpuSecondsPerRequest?.let { perRequest ->
            val used = evidence.cpuUsed ?: 0.0
            val varies = evidence.cpuVaries
            val seconds = perRequest * (1 - otherWork)
            val least = least(seconds * varies.start, used, cpus)
            val taken = otherWork * minOf(cpus, used)
            CpuDemand(cpus, least..seconds * varies.endInclusive, taken = minOf(taken, MOST_TAKEN * cpus))
        }
    }
    val database = setup.seen.database?.let {
        val other = if (APPLICATION in it.sharing) otherWork * (setup.seen.cpuSecondsPerRequest ?: 0.0) else 0.0
        val seconds = it.secondsPerRequest - other
        val least = least(seconds, it.secondsPerRequest * evidence.throughput, it.cpus)
        CpuDemand(it.cpus, least..seconds, " of ${it.users}", minOf(other * evidence.throughput, MOST_TAKEN * it.cpus))
    }
    return listOfNotNull(subject, database)
}

/** CPU [seconds] that a request certainly needs, see [CPU_ENOUGH]. */
private fun least(seconds: Double, used: Double, cpus: Double) = if (used >= CPU_ENOUGH * cpus) seconds else 0.0

/** The interval of the CPU used, divided by its mean. */
private val Evidence.cpuVaries: Possible
    get() {
        val used = resources[Measure.CPU]?.takeIf { it.value > 0 }
        return used?.interval?.let { it.low / used.value..it.high / used.value } ?: 1.0..1.0
    }

/**
 * The resources of [ceilings] with a known holding time. As many units are in use as the throughput needs. All other requests wait for the lowest ceiling.
 */
internal fun resourceDemands(evidence: Evidence, ceilings: List<Ceiling>): List<ResourceDemand> {
    val connections = evidence.connections ?: return emptyList()
    val pools = ceilings.filter { it.kind.isPool && !it.ofLoad }
    val inside = pools.filter { it.isOuter }.minOfOrNull { it.size } ?: Double.MAX_VALUE
    return pools.mapNotNull { pool ->
        val held = pool.heldFor?.toDouble(DurationUnit.SECONDS)
        if (held == null && !pool.isOuter) return@mapNotNull null
        val inUse = min(pool.size, evidence.throughput * (held ?: 0.0))
        val isLowest = pool === ceilings.first()
        val waiting = if (isLowest) (min(inside, connections.toDouble()) - inUse).coerceAtLeast(0.0) else 0.0
        ResourceDemand(pool.noun, pool.units, pool.size.toInt(), inUse..inUse, waiting..waiting, pool.isOuter)
    }
}

private val ResourceKind.isPool get() = this !in setOf(ResourceKind.CPU, ResourceKind.DATABASE_CPU, ResourceKind.OFFERED_RATE)

private val Ceiling.isOuter get() = kind == ResourceKind.REQUEST_THREADS || kind == ResourceKind.SERVER_CONNECTIONS

/** The change that gives a limit [size] units; null if that cannot be made from outside. */
internal fun Ceiling.change(size: Int, load: LoadProfile?): Change? = when (kind) {
    ResourceKind.LOAD_CONNECTIONS -> Change.Connections(size).takeIf { load is LoadProfile.Closed }
    ResourceKind.CPU -> Change.Cpus(size.toDouble())
    else -> entry?.setting?.takeIf { entry.instead == null }?.change(size)
}
