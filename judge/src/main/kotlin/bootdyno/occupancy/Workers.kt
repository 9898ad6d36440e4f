package bootdyno.occupancy

import bootdyno.model.Frame
import bootdyno.occupancy.ResourceKind.CARRIERS
import bootdyno.occupancy.ResourceKind.EVENT_LOOPS
import bootdyno.occupancy.ResourceKind.REQUEST_THREADS
import bootdyno.occupancy.ResourceKind.WORKERS

/** The pool of a server whose threads take requests: their names, the setting of their number, and Spring Boot's default, if it is fixed. */
private class ServerPool(val threads: Regex, val noun: String, val setting: String, val default: Int?)

private val SERVER_POOLS = listOf(
    ServerPool(Regex("https?-.*-exec-"), "Tomcat threads", "server.tomcat.threads.max", 200),
    ServerPool(Regex("qtp\\d+-"), "Jetty threads", "server.jetty.threads.max", 200),
    ServerPool(Regex("XNIO-\\d+ task-"), "Undertow threads", "server.undertow.threads.worker", null),
)

/** Reactor's scheduler starts a thread only when all others are in use: one that was not yet full may have more. */
private const val ELASTIC = "boundedElastic-"
private const val COROUTINES = "DefaultDispatcher-worker-"
private const val IO_PARALLELISM = "kotlinx.coroutines.io.parallelism"
private const val IO_DEFAULT = 64

/** Pools of platform threads of which at least one worked on a request. Requests in the queue of such a pool are not visible. */
internal fun workers(seen: SeenThreads): List<Resource> {
    val platform = seen.threads.filter { !it.threads.virtual && !it.stack.background && it.threads.name != "main" }
    // Threads of one executor are one pool, whatever their names. Reactor has an executor for each of its threads.
    val executors = platform.groupBy({ it.threads.executor }, { it.threads.name }).filterValues { it.toSet().size > 1 }.keys
    return platform
        .groupBy { it.stack.dispatcher ?: it.threads.executor?.takeIf(executors::contains) ?: it.threads.name }
        .filterValues { pool -> pool.any { it.working } && pool.none { it.stack.idleWithoutQueue } }
        .map { (id, pool) -> workers(seen, id, pool) }
}

/** An idle worker of a pool that has no queue, and starts a thread for each task that finds none: no request waits for such a pool. */
private val Stack.idleWithoutQueue: Boolean get() = idle && frames.any { it.type == "java.util.concurrent.SynchronousQueue" }

/** Parked or asleep, without a request: a thread of timers such as `kotlinx.coroutines.DefaultExecutor`. */
private val ClassifiedThreads.pausesInBackground: Boolean
    get() = role == Role.BACKGROUND && stack.blocked?.let { it.how != How.NETWORK && it.how != How.FILE } == true

private fun workers(seen: SeenThreads, id: String, pool: List<ClassifiedThreads>): Resource {
    val name = pool.first().threads.name
    val busy = pool.filter { it.role != Role.IDLE && !it.pausesInBackground }
    val inUse = seen.perDump(busy)
    val server = SERVER_POOLS.find { it.threads.matches(name) }
    // A pool may grow while all of its threads are in use, unless there are requests left for further ones.
    val grows = server != null || name == COROUTINES || id == OKHTTP_CALL
    val constant = constant(if (grows) inUse else seen.perDump(pool))
        ?.takeIf { it + maxOf(FEWEST_MORE, it / 10) <= seen.connections || (!grows && seen.connections == 0) }
        ?.takeIf { name != ELASTIC || inUse.max() >= it }
    val size = server?.let { configured(seen, name, it.setting) }
        ?: constant?.let { Size(it, CONSTANT_SIZE) }
        ?: server?.default?.takeIf { SETTINGS_READ in seen.diagnosis.settings }?.let { Size(it, "default") }
    return Resource(
        kind = when {
            server != null -> REQUEST_THREADS
            2 * pool.filter { it.stack.eventLoop }.sumOf { it.count } > pool.sumOf { it.count } -> EVENT_LOOPS
            else -> WORKERS
        },
        noun = server?.noun ?: noun(seen, id, name, size?.units),
        size = size?.units,
        sizeSource = size?.source,
        inUse = inUse,
        waiting = emptyList(),
        waitingIn = null,
        users = activities(busy),
        id = id,
    )
}

/** The median of [counts] if nearly all are equal to it. */
private fun constant(counts: List<Int>): Int? = counts.sorted().getOrNull(counts.size / 2)
    ?.takeIf { median -> counts.size >= FEWEST_DUMPS && median > 0 && counts.count { it == median } >= NEARLY_ALL * counts.size }

private const val NEARLY_ALL = 0.8

/** Connections of clients beyond the busy threads that prove that no further thread can be started; a tenth, if that is more. */
private const val FEWEST_MORE = 2

/** Threads of the application's own, outside of executors, that never waited for work in any dump. They may produce the results that requests await. */
internal fun ownThreads(seen: SeenThreads): Map<String, Frame> = seen.threads
    .filter { thread ->
        thread.threads.run { !virtual && executor == null } &&
            thread.stack.run { own >= 0 && !task && !background }
    }
    .groupBy { poolName(it.threads.name) }
    .filterValues { same ->
        same.all { it.role == Role.IDLE && it.wait == null } &&
            same.distinctBy { it.dump }.size == seen.diagnosis.dumps.size
    }
    .mapValues { (_, same) -> same.groupBy { checkNotNull(it.stack.ownFrame) }.maxBy { (_, at) -> at.sumOf { it.count } }.key }

private fun poolName(thread: String) = thread.trimEnd('-', '#', ' ')

private fun noun(seen: SeenThreads, id: String, name: String, size: Int?): String = when {
    id == LIMITED_DISPATCHER && size == (seen.diagnosis.setting(IO_PARALLELISM) ?: IO_DEFAULT) -> "threads of Dispatchers.IO"
    id == LIMITED_DISPATCHER -> "threads of a coroutine dispatcher with limited parallelism"
    id == OKHTTP_CALL -> "concurrent calls of OkHttp's dispatcher"
    name == COROUTINES -> "threads of Dispatchers.Default"
    else -> "threads of ${poolName(name)}"
}

/** From Tomcat's MBean `Tomcat:type=ThreadPool,name="http-nio-8080"` or from the [setting]. */
private fun configured(seen: SeenThreads, name: String, setting: String): Size? {
    val bean = seen.diagnosis.beans.lastOrNull { reading ->
        "type=ThreadPool" in reading.bean && name.startsWith(reading.bean.substringAfter("name=\"", "?").substringBefore('"'))
    }
    return bean?.values?.get("maxThreads")?.toInt()?.takeIf { it > 0 }?.let { Size(it, "MBean") }
        ?: seen.diagnosis.setting(setting)?.let { Size(it, setting) }
}

/** Set for all diagnoses that read the effective settings of an application. */
private const val SETTINGS_READ = "spring.application.admin.enabled"

private const val PINNED = "java.lang.VirtualThread.parkOnCarrierThread"
private const val CARRIER = "java.lang.VirtualThread.runContinuation"

private operator fun Stack.contains(method: String) = frames.any { it.call == method }

/** Carriers of virtual threads, if pinned threads were seen: they keep their carrier while they wait. Threads not yet begun have no stack. */
internal fun carriers(seen: SeenThreads): Resource? {
    val pinned = seen.working.filter { it.threads.virtual && PINNED in it.stack }.ifEmpty { return null }
    val size = constant(seen.perDump(seen.threads.filter { CARRIER in it.stack }))
    return Resource(
        kind = CARRIERS,
        noun = "carriers of virtual threads",
        size = size,
        sizeSource = size?.let { CONSTANT_SIZE },
        inUse = seen.perDump(pinned),
        waiting = emptyList(),
        waitingIn = null,
        users = activities(pinned),
        id = "carriers",
    )
}
