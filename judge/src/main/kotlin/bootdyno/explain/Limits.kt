package bootdyno.explain

import bootdyno.explain.Ceiling.Kind
import bootdyno.model.Cell
import bootdyno.model.LoadProfile
import bootdyno.model.Occupied
import bootdyno.model.Origin
import bootdyno.model.Stack
import bootdyno.model.count
import bootdyno.model.exact
import bootdyno.model.perSecond
import bootdyno.model.time
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlin.time.DurationUnit

/** A ceiling, and the begin of an advice sentence for a given new size. */
internal data class Bound(val ceiling: Ceiling, val change: (Int) -> String)

/**
 * The maximum throughput of each limit of [cell], by Little's law: pool size / holding time. Ascending, unknown ones last. Limits that were
 * lifted are absent.
 */
fun ceilings(cell: Cell, seen: Seen = Seen()): List<Ceiling> = bounds(Setup(cell, seen)).map { it.ceiling }

internal fun bounds(setup: Setup): List<Bound> =
    (pools(setup) + offeredRate(setup) + cpuTime(setup) + databaseCpu(setup)).filterNotNull()
        .sortedBy { it.ceiling.allows ?: Double.POSITIVE_INFINITY }

internal const val TOMCAT_THREADS = "server.tomcat.threads.max"
internal const val TOMCAT_CONNECTIONS = "server.tomcat.max-connections"
internal const val IO_PARALLELISM = "kotlinx.coroutines.io.parallelism"
private const val CORE_POOL = "kotlinx.coroutines.scheduler.core.pool.size"
internal const val ELASTIC_SIZE = "reactor.schedulers.defaultBoundedElasticSize"
private const val PARALLEL_SIZE = "reactor.schedulers.defaultPoolSize"
private const val IO_WORKERS = "reactor.netty.ioWorkerCount"

/** All known pools: null if a setup does not use the pool, or the pool has no limit. Sources of the defaults: docs/method.md. */
private fun pools(setup: Setup): List<Bound?> = with(setup) {
    // A handler without a declared style is assumed to occupy its thread, as most do.
    val occupies = cell.style?.occupies ?: Occupied.REQUEST_THREAD.takeIf { cell.subject.styles.isEmpty() }
    val onThread = occupies == Occupied.REQUEST_THREAD && !virtualThreads
    val perCpu = jvmCpus?.let { Sized(it, "CPUs the JVM counts") }
    // −1: unlimited.
    val connections = sized(TOMCAT_CONNECTIONS, 8192.0)?.takeIf { it.count > 0 }
    listOf(
        pool(stack == Stack.TOMCAT && onThread, Kind.REQUEST_THREADS, "Tomcat threads", sized(TOMCAT_THREADS, 200.0)) {
            "Set $TOMCAT_THREADS to $it or enable virtual threads"
        },
        pool(stack == Stack.TOMCAT, Kind.CONNECTIONS, "Tomcat connections", connections) { "Set $TOMCAT_CONNECTIONS to $it" },
        pool(
            occupies == Occupied.DISPATCHERS_IO,
            Kind.WORKERS,
            "Dispatchers.IO threads",
            sizedByProperty(IO_PARALLELISM, maxOf(64.0, jvmCpus ?: 1.0)),
        ) { "Start with -D$IO_PARALLELISM=$it or use a dispatcher of its own" },
        pool(
            occupies == Occupied.DISPATCHERS_DEFAULT,
            Kind.WORKERS,
            "Dispatchers.Default threads",
            sizedByProperty(CORE_POOL, jvmCpus?.let { maxOf(2.0, it) }),
        ) { "Block on Dispatchers.IO or on a dispatcher of $it threads" },
        pool(
            occupies == Occupied.BOUNDED_ELASTIC,
            Kind.WORKERS,
            "boundedElastic threads",
            sizedByProperty(ELASTIC_SIZE, jvmCpus?.let { 10 * it }),
        ) { "Start with -D$ELASTIC_SIZE=$it or use a scheduler of its own" },
        pool(
            occupies == Occupied.PARALLEL,
            Kind.WORKERS,
            "Schedulers.parallel() threads",
            sizedByProperty(PARALLEL_SIZE, jvmCpus),
        ) { "Block on a scheduler of $it threads made for blocking" },
        // The built-in subjects size their fixed pool and their semaphore by availableProcessors().
        pool(occupies == Occupied.FIXED_POOL, Kind.WORKERS, "threads of the fixed pool", perCpu) {
            "Use $it threads of the fixed pool"
        },
        pool(occupies == Occupied.SEMAPHORE, Kind.WORKERS, "permits of the semaphore", perCpu) {
            "Use $it permits of the semaphore"
        },
        // With virtual threads, plain functions of WebFlux leave the event loops; coroutines and publishers do not.
        pool(
            stack == Stack.NETTY && (onThread || occupies == Occupied.EVENT_LOOP),
            Kind.EVENT_LOOPS,
            "event loops",
            sizedByProperty(IO_WORKERS, jvmCpus?.let { maxOf(4.0, it) }),
        ) { "Do not block event loops: enable virtual threads or use a scheduler of $it threads" },
        // A pool declared by the subject, as of an HTTP client. Unlike threads, it is not visible from outside.
        cell.style?.pool?.let { own ->
            pool(true, Kind.CONNECTIONS, own.noun, sized(own.setting, own.size.toDouble())) { "Set ${own.setting} to $it" }
        },
        // Each connection waits for a response before the next request, so the load has a ceiling.
        cell.profile.loadInWindow?.clients?.let { clients ->
            val size = Sized(clients.toDouble(), "profile ${cell.profile.name}")
            ofClients(size)
        },
    )
}

private fun Setup.pool(applies: Boolean, kind: Kind, noun: String, size: Sized?, change: (Int) -> String): Bound? {
    if (!applies || size == null) return null
    return bound(size, kind, noun, heldFor, change)
}

/** Each client uses its connection for a request and the think time before it. */
private fun Setup.ofClients(size: Sized): Bound {
    val each = heldFor?.let { it + (cell.workload.think?.mean ?: Duration.ZERO) }
    return bound(size, Kind.CONNECTIONS, "client connections", each) { "Use ${count(it)} connections" }
}

/** Maximum number of open connections; null if the load does not fix it. */
internal val LoadProfile.clients: Int?
    get() = when (this) {
        is LoadProfile.Closed -> connections
        is LoadProfile.Burst -> users
        is LoadProfile.Open -> null
    }

/** Each arrival starts a chain or a request: the offered rate of requests is arrivals × requests of an arrival. */
private fun offeredRate(setup: Setup): Bound? {
    val load = setup.cell.profile.loadInWindow as? LoadProfile.Open ?: return null
    val offered = load.perSecond * setup.cell.workload.requestsPerArrival
    val limit = "${perSecond(offered)} offered"
    val ceiling = Ceiling(limit, Kind.OFFERED_RATE, offered, 1.seconds, offered, "profile ${setup.cell.profile.name}")
    return Bound(ceiling) { "Offer $it/s" }
}

/** Source of limits that were read back from the kernel. */
private const val APPLIED = "as applied"

/** Null for a server that already ran: which CPUs it may use, and of which machine, is unknown. */
private fun cpuTime(setup: Setup): Bound? = setup.cpus?.takeUnless { setup.cell.subject.origin is Origin.Url }?.let { cpus ->
    val source = when {
        setup.cell.limits.cpus == null -> "all of this machine"
        setup.seen.cpus != null -> APPLIED
        else -> "limits.cpus"
    }
    val held = setup.seen.cpuSecondsPerRequest?.takeIf { it > 0 }?.seconds
    bound(Sized(cpus, source), Kind.CPU, cpuNoun(cpus), held) { "Use $it CPUs" }
}

private fun databaseCpu(setup: Setup): Bound? = setup.seen.database?.let { found ->
    val noun = "${cpuNoun(found.cpus)} of ${found.users}"
    bound(Sized(found.cpus, APPLIED), Kind.DATABASE, noun, found.secondsPerRequest.seconds) { "Use $it CPUs" }
}

private fun cpuNoun(cpus: Double) = if (cpus == 1.0) "CPU" else "CPUs"

private fun bound(size: Sized, kind: Kind, noun: String, held: Duration?, change: (Int) -> String): Bound {
    val allows = held?.let { size.count / it.toDouble(DurationUnit.SECONDS) }
    return Bound(Ceiling("${exact(size.count)} $noun", kind, size.count, held, allows, size.source), change)
}

/** `400 client connections ÷ 500 ms = 800/s`. */
internal fun Ceiling.division(): String = divided(limit)

/** `400 connections ÷ 500 ms = 800/s`, where the limit has just been named. */
internal fun Ceiling.shortDivision(): String = limit.substringBefore(" of ").split(' ').let {
    divided("${it.first()} ${it.last()}")
}

private fun Ceiling.divided(units: String): String {
    if (heldFor == null || kind == Kind.OFFERED_RATE) return units
    val ofCpu = if (kind == Kind.CPU || kind == Kind.DATABASE) " of CPU time" else ""
    return "$units ÷ ${time(heldFor)}$ofCpu = ${perSecond(allows ?: 0.0)}"
}
