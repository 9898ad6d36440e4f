package bootdyno.explain

import bootdyno.explain.Ceiling.Kind
import bootdyno.model.LoadProfile
import bootdyno.model.Occupied
import bootdyno.model.Stack
import bootdyno.model.count
import bootdyno.model.exact
import bootdyno.model.perSecond
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/** A ceiling, with the knob that lifts it. */
internal data class Bound(val ceiling: Ceiling, val knob: Knob)

/** How to lift a limit to [Bound.ceiling]'s next neighbour: a sentence begun, given the size it would take. */
internal fun interface Knob {
    fun turnTo(size: Int): String
}

/** Finds one limit in a setup; null where it does not apply or was lifted. */
internal fun interface Limit {
    fun of(setup: Setup): Bound?
}

/** Every limit known. A new one is a function here and a line in this list. Sources of the defaults: METHOD §6. */
internal val LIMITS: List<Limit> = listOf(
    Limit(::tomcatThreads),
    Limit(::tomcatConnections),
    Limit(::dispatchersIo),
    Limit(::dispatchersDefault),
    Limit(::boundedElastic),
    Limit(::parallelScheduler),
    Limit(::fixedPool),
    Limit(::permits),
    Limit(::eventLoops),
    Limit(::poolOfStyle),
    Limit(::clientConnections),
    Limit(::offeredRate),
    Limit(::cpuTime),
    Limit(::databaseCpu),
)

/** What a request occupies; an unknown handler is taken to hold the thread it runs on, as most do. */
private val Setup.occupies: Occupied? get() = cell.style?.occupies
    ?: Occupied.REQUEST_THREAD.takeIf { cell.subject.styles.isEmpty() }

private const val TOMCAT_THREADS = "server.tomcat.threads.max"

private fun tomcatThreads(setup: Setup): Bound? {
    if (setup.stack != Stack.TOMCAT || setup.occupies != Occupied.REQUEST_THREAD || setup.virtualThreads) return null
    val size = sized(setup.setting(TOMCAT_THREADS), TOMCAT_THREADS, 200.0) ?: return null
    return setup.pool(size, Kind.REQUEST_THREADS, "Tomcat threads") { "Set $TOMCAT_THREADS to $it or enable virtual threads" }
}

private const val TOMCAT_CONNECTIONS = "server.tomcat.max-connections"

/** Connections Tomcat serves at once; −1 lifts it. */
private fun tomcatConnections(setup: Setup): Bound? {
    if (setup.stack != Stack.TOMCAT) return null
    val size = sized(setup.setting(TOMCAT_CONNECTIONS), TOMCAT_CONNECTIONS, 8192.0)?.takeIf { it.count > 0 } ?: return null
    return setup.pool(size, Kind.CONNECTIONS, "Tomcat connections") { "Set $TOMCAT_CONNECTIONS to $it" }
}

private const val IO_PARALLELISM = "kotlinx.coroutines.io.parallelism"

private fun dispatchersIo(setup: Setup): Bound? {
    if (setup.occupies != Occupied.DISPATCHERS_IO) return null
    val size = sized(setup.property(IO_PARALLELISM), IO_PARALLELISM, maxOf(64.0, setup.jvmCpus ?: 1.0)) ?: return null
    return setup.pool(size, Kind.DISPATCHER, "Dispatchers.IO threads") {
        "Start with -D$IO_PARALLELISM=$it or use a dispatcher of its own"
    }
}

private const val CORE_POOL = "kotlinx.coroutines.scheduler.core.pool.size"

private fun dispatchersDefault(setup: Setup): Bound? {
    if (setup.occupies != Occupied.DISPATCHERS_DEFAULT) return null
    val size = sized(setup.property(CORE_POOL), CORE_POOL, setup.jvmCpus?.let { maxOf(2.0, it) }) ?: return null
    return setup.pool(size, Kind.DISPATCHER, "Dispatchers.Default threads") {
        "Block on Dispatchers.IO or on a dispatcher of $it threads"
    }
}

private const val ELASTIC_SIZE = "reactor.schedulers.defaultBoundedElasticSize"

private fun boundedElastic(setup: Setup): Bound? {
    if (setup.occupies != Occupied.BOUNDED_ELASTIC) return null
    val size = sized(setup.property(ELASTIC_SIZE), ELASTIC_SIZE, setup.jvmCpus?.let { 10 * it }) ?: return null
    return setup.pool(size, Kind.SCHEDULER, "boundedElastic threads") {
        "Start with -D$ELASTIC_SIZE=$it or use a scheduler of its own"
    }
}

private const val PARALLEL_SIZE = "reactor.schedulers.defaultPoolSize"

private fun parallelScheduler(setup: Setup): Bound? {
    if (setup.occupies != Occupied.PARALLEL) return null
    val size = sized(setup.property(PARALLEL_SIZE), PARALLEL_SIZE, setup.jvmCpus) ?: return null
    return setup.pool(size, Kind.SCHEDULER, "Schedulers.parallel() threads") {
        "Block on a scheduler of $it threads made for blocking"
    }
}

/** The subjects size their fixed pool and their semaphore by the CPUs the JVM counts. */
private fun fixedPool(setup: Setup): Bound? = perCpu(setup, Occupied.FIXED_POOL, "threads of the fixed pool")

private fun permits(setup: Setup): Bound? = perCpu(setup, Occupied.SEMAPHORE, "permits of the semaphore")

private fun perCpu(setup: Setup, occupied: Occupied, noun: String): Bound? {
    if (setup.occupies != occupied) return null
    val size = setup.jvmCpus?.let { Sized(it, "CPUs the JVM counts") } ?: return null
    return setup.pool(size, Kind.SCHEDULER, noun) { "Use $it $noun" }
}

private const val IO_WORKERS = "reactor.netty.ioWorkerCount"

/** Virtual threads take plain functions of WebFlux off the event loops, coroutines and publishers not. */
private fun eventLoops(setup: Setup): Bound? {
    val onLoop = setup.occupies == Occupied.EVENT_LOOP || (setup.occupies == Occupied.REQUEST_THREAD && !setup.virtualThreads)
    if (setup.stack != Stack.NETTY || !onLoop) return null
    val size = sized(setup.property(IO_WORKERS), IO_WORKERS, setup.jvmCpus?.let { maxOf(4.0, it) }) ?: return null
    return setup.pool(size, Kind.EVENT_LOOPS, "event loops") {
        "Do not block event loops: enable virtual threads or use a scheduler of $it threads"
    }
}

/**
 * A pool the subject's descriptor speaks of, as of an HTTP client: unlike what a thread waits for, nobody sees it from outside.
 */
private fun poolOfStyle(setup: Setup): Bound? {
    val pool = setup.cell.style?.pool ?: return null
    val size = sized(setup.setting(pool.setting), pool.setting, pool.size.toDouble()) ?: return null
    return setup.pool(size, Kind.CONNECTIONS, pool.noun) { "Set ${pool.setting} to $it" }
}

/** A client waits for its answer before it asks again, so the load has a ceiling of its own. */
private fun clientConnections(setup: Setup): Bound? {
    val count = when (val load = setup.cell.profile.loadInWindow) {
        is LoadProfile.Closed -> load.connections
        is LoadProfile.Burst -> load.users
        is LoadProfile.Open, null -> return null
    }
    val size = Sized(count.toDouble(), "profile ${setup.cell.profile.name}")
    return setup.pool(size, Kind.CONNECTIONS, "client connections") { "Use ${count(it)} connections" }
}

/** Each arrival begins a chain: it offers as many requests as the chain has steps. */
private fun offeredRate(setup: Setup): Bound? {
    val load = setup.cell.profile.loadInWindow as? LoadProfile.Open ?: return null
    val offered = load.perSecond * setup.cell.workload.steps.size
    val limit = "${perSecond(offered)} offered"
    val ceiling = Ceiling(limit, Kind.OFFERED_RATE, offered, 1.seconds, offered, "profile ${setup.cell.profile.name}")
    return Bound(ceiling) { "Offer $it/s" }
}

private fun cpuTime(setup: Setup): Bound? {
    val cpus = setup.cpus ?: return null
    val source = if (setup.seen.cpus != null) "seen" else "limits.cpus"
    val held = setup.seen.cpuSecondsPerRequest?.takeIf { it > 0 }?.seconds
    val noun = if (cpus == 1.0) "CPU" else "CPUs"
    return bound(Sized(cpus, source), Kind.CPU, noun, held) { "Use $it CPUs" }
}

/** On CPUs that the load generator shares both have to fit in. */
private fun databaseCpu(setup: Setup): Bound? {
    val found = setup.seen.database ?: return null
    val whose = "of the database" + if (found.withGenerator) " and the load generator" else ""
    val noun = "${if (found.cpus == 1.0) "CPU" else "CPUs"} $whose"
    return bound(Sized(found.cpus, "seen"), Kind.DATABASE, noun, found.secondsPerRequest.seconds) {
        "Use $it CPUs"
    }
}

private fun Setup.pool(size: Sized, kind: Kind, noun: String, knob: Knob): Bound =
    bound(size.copy(source = listOfNotNull(size.source, heldSource).joinToString("; ")), kind, noun, heldFor, knob)

private fun bound(size: Sized, kind: Kind, noun: String, held: Duration?, knob: Knob): Bound {
    val allows = held?.let { size.count / (it.inWholeNanoseconds / 1e9) }
    return Bound(Ceiling("${exact(size.count)} $noun", kind, size.count, held, allows, size.source), knob)
}
