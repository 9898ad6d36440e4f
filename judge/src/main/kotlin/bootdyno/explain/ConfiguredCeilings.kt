package bootdyno.explain

import bootdyno.catalogue.BOUNDED_ELASTIC
import bootdyno.catalogue.DISPATCHERS_DEFAULT
import bootdyno.catalogue.DISPATCHERS_IO
import bootdyno.catalogue.EVENT_LOOP
import bootdyno.catalogue.KnownResource
import bootdyno.catalogue.PARALLEL
import bootdyno.catalogue.ResourceKind
import bootdyno.catalogue.ResourceKind.CLIENT_CONNECTIONS
import bootdyno.catalogue.ResourceKind.CPU
import bootdyno.catalogue.ResourceKind.DATABASE_CPU
import bootdyno.catalogue.ResourceKind.LOAD_CONNECTIONS
import bootdyno.catalogue.ResourceKind.OFFERED_RATE
import bootdyno.catalogue.ResourceKind.SEMAPHORE
import bootdyno.catalogue.ResourceKind.WORKERS
import bootdyno.catalogue.SizeSetting
import bootdyno.catalogue.TOMCAT_CONNECTIONS
import bootdyno.catalogue.TOMCAT_THREADS
import bootdyno.model.Cell
import bootdyno.model.LoadProfile
import bootdyno.model.Occupied
import bootdyno.model.Origin
import bootdyno.model.Stack
import bootdyno.model.count
import bootdyno.model.perSecond
import bootdyno.model.time
import bootdyno.occupancy.Size
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlin.time.DurationUnit

/**
 * The maximum throughput of each limit of [cell], by Little's law: pool size / holding time. Ascending, unknown ones last. Limits that were
 * lifted are absent.
 */
fun configuredCeilings(cell: Cell, seen: Seen = Seen()): List<Ceiling> = configuredCeilings(Setup(cell, seen))

internal fun configuredCeilings(setup: Setup): List<Ceiling> =
    (pools(setup) + offeredRate(setup) + cpuTime(setup) + databaseCpu(setup)).filterNotNull()
        .sortedBy { it.allows ?: Double.POSITIVE_INFINITY }

/** All known pools that the setup uses. */
private fun pools(setup: Setup): List<Ceiling?> = with(setup) {
    // A handler without a declared style is assumed to occupy its thread, as most do.
    val occupies = cell.style?.occupies ?: Occupied.REQUEST_THREAD.takeIf { cell.subject.styles.isEmpty() }
    val onThread = occupies == Occupied.REQUEST_THREAD && !virtualThreads
    val used = listOfNotNull(
        TOMCAT_THREADS.takeIf { stack == Stack.TOMCAT && onThread },
        TOMCAT_CONNECTIONS.takeIf { stack == Stack.TOMCAT },
        DISPATCHERS_IO.takeIf { occupies == Occupied.DISPATCHERS_IO },
        DISPATCHERS_DEFAULT.takeIf { occupies == Occupied.DISPATCHERS_DEFAULT },
        BOUNDED_ELASTIC.takeIf { occupies == Occupied.BOUNDED_ELASTIC },
        PARALLEL.takeIf { occupies == Occupied.PARALLEL },
        // With virtual threads, plain functions of WebFlux leave the event loops; coroutines and publishers do not.
        EVENT_LOOP.takeIf { stack == Stack.NETTY && (onThread || occupies == Occupied.EVENT_LOOP) },
        // A pool declared by the subject, as of an HTTP client. Unlike threads, it is not visible from outside.
        cell.style?.pool?.let { KnownResource(CLIENT_CONNECTIONS, it.noun, SizeSetting(it.setting, it.noun, it.size)) },
    ).map { ceiling(it, size(it)) }
    // The built-in subjects size their fixed pool and their semaphore by availableProcessors().
    val perCpu = jvmCpus?.let { Size(it, "CPUs the JVM counts") }
    val ownPool = when (occupies) {
        Occupied.FIXED_POOL -> ownPool(WORKERS, "threads of the fixed pool")
        Occupied.SEMAPHORE -> ownPool(SEMAPHORE, "permits of the semaphore")
        else -> null
    }
    // Each connection waits for a response before the next request, so the load has a ceiling.
    val load = cell.profile.loadInWindow?.clients?.let { ofClients(Size(it, "profile ${cell.profile.name}")) }
    used + listOf(ownPool?.let { ceiling(it, perCpu) }, load)
}

private fun ownPool(kind: ResourceKind, noun: String) = KnownResource(kind, noun, instead = { "Use $it $noun" })

/** Null without a limit: −1 is unlimited. */
private fun Setup.ceiling(entry: KnownResource, size: Size?): Ceiling? = size?.takeIf { it.units > 0 }
    ?.let { ceiling(entry.kind, entry.noun, it.units.toDouble(), it.source, heldFor).copy(entry = entry) }

/** How to get so many [units], as an instruction without a full stop. */
internal fun Ceiling.instruction(units: Int): String = when (kind) {
    LOAD_CONNECTIONS -> "Use ${count(units)} connections"
    OFFERED_RATE -> "Offer $units/s"
    CPU, DATABASE_CPU -> "Use $units CPUs"
    else -> entry?.instruction(units).orEmpty()
}

private fun KnownResource.instruction(units: Int): String = instead?.invoke(units)
    ?: listOfNotNull(setting?.change(units)?.words, alternative).joinToString(" or ")

/** Each client uses its connection for a request and the think time before it. */
private fun Setup.ofClients(size: Size): Ceiling {
    val each = heldFor?.let { it + (cell.workload.think?.mean ?: Duration.ZERO) }
    return ceiling(LOAD_CONNECTIONS, CLIENTS.several, size.units.toDouble(), size.source, each)
}

/** Each arrival starts a chain or a request: the offered rate of requests is arrivals × requests of an arrival. */
private fun offeredRate(setup: Setup): Ceiling? {
    val load = setup.cell.profile.loadInWindow as? LoadProfile.Open ?: return null
    val offered = load.perSecond * setup.cell.workload.requestsPerArrival
    val source = "profile ${setup.cell.profile.name}"
    val name = LimitName("${perSecond(offered)} offered")
    return Ceiling("requests/s", OFFERED_RATE, offered, 1.seconds, offered, source, limit = name)
}

/** Source of limits that were read back from the kernel. */
private const val APPLIED = "as applied"

/** Null for a server that already ran: which CPUs it may use, and of which machine, is unknown. */
private fun cpuTime(setup: Setup): Ceiling? = setup.cpus?.takeUnless { setup.cell.subject.origin is Origin.Url }?.let { cpus ->
    val source = when {
        setup.cell.limits.cpus == null -> "all of this machine"
        setup.seen.cpus != null -> APPLIED
        else -> "limits.cpus"
    }
    val held = setup.seen.cpuSecondsPerRequest?.takeIf { it > 0 }?.seconds
    ceiling(CPU, "CPUs", cpus, source, held)
}

private fun databaseCpu(setup: Setup): Ceiling? = setup.seen.database?.let { found ->
    ceiling(DATABASE_CPU, "CPUs of ${found.users}", found.cpus, APPLIED, found.secondsPerRequest.seconds)
}

private fun ceiling(kind: ResourceKind, noun: String, size: Double, source: String, held: Duration?) =
    Ceiling(noun, kind, size, held, held?.let { size / it.toDouble(DurationUnit.SECONDS) }, source)

/** `400 client connections ÷ 500 ms = 800/s`. */
internal fun Ceiling.division(): String = divided(limit)

/** `400 connections ÷ 500 ms = 800/s`, where the limit has just been named. */
internal fun Ceiling.shortDivision(): String = if (kind == OFFERED_RATE) limit.text else divided(units.short.counted(size))

private fun Ceiling.divided(units: LimitName): String {
    if (heldFor == null || kind == OFFERED_RATE) return units.text
    val ofCpu = if (kind == CPU || kind == DATABASE_CPU) " of CPU time" else ""
    return "$units ÷ ${time(heldFor)}$ofCpu = ${perSecond(allows ?: 0.0)}"
}
