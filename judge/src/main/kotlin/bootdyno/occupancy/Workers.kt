package bootdyno.occupancy

import bootdyno.catalogue.BOUNDED_ELASTIC
import bootdyno.catalogue.CATALOGUE
import bootdyno.catalogue.DISPATCHERS_DEFAULT
import bootdyno.catalogue.DISPATCHERS_IO
import bootdyno.catalogue.KnownResource
import bootdyno.catalogue.OKHTTP_CALLS
import bootdyno.catalogue.ResourceKind.CARRIERS
import bootdyno.catalogue.ResourceKind.EVENT_LOOPS
import bootdyno.catalogue.ResourceKind.REQUEST_THREADS
import bootdyno.catalogue.ResourceKind.WORKERS
import bootdyno.catalogue.VIRTUAL_CARRIERS
import bootdyno.model.Diagnosis
import bootdyno.model.Frame

/** Pools of threads, and dispatchers, of which at least one worked on a request. Requests in the queue of such a pool are not visible. */
internal fun workers(seen: SeenThreads): List<Resource> {
    // A server's own work, as that of Jetty's selectors, takes threads of its pool.
    val pooled = seen.threads.filter {
        val isWorker = !it.threads.virtual || it.stack.dispatcher != null
        isWorker && (!it.stack.background || it.threads.name.startsWith("qtp")) && it.threads.name != "main"
    }
    // Threads of one executor are one pool, whatever their names. Reactor has an executor for each of its threads.
    val shared = pooled.groupBy({ it.threads.executor }, { it.threads.name }).filterValues { it.toSet().size > 1 }.keys
    val pools = pooled.map { it.threads.name }.distinct().associateWith(::pool)
    return pooled
        .groupBy { it.stack.dispatcher?.noun ?: it.threads.executor?.takeIf(shared::contains) ?: pools.getValue(it.threads.name) }
        .filterValues { pool -> pool.any { it.working } && pool.none { it.stack.idleWithoutQueue } }
        .map { (id, pool) -> workers(seen, id, pool) }
        .let { pools -> if (pools.count { it.waiting.sum() > 0 } > 1) pools.map { it.copy(waiting = emptyList()) } else pools }
}

/** The pool of threads with this [name], which may have the number of the pool's part. */
private fun pool(name: String): String =
    CATALOGUE.firstNotNullOfOrNull { it.threads?.matchEntire(name)?.groupValues?.getOrNull(1) } ?: name

/**
 * How results are awaited, and how their tasks are run: a stack shows the kind of a task, and not which one it is. Only the first kind surely has a
 * result: others may be loops.
 */
private val RESULTS_AND_TASKS = mapOf(
    "java.util.concurrent.FutureTask.get" to listOf("java.util.concurrent.FutureTask.run"),
    "java.util.concurrent.CompletableFuture." to listOf(
        $$"java.util.concurrent.CompletableFuture$AsyncSupply.run",
        $$"java.util.concurrent.CompletableFuture$AsyncRun.run",
        $$"java.util.concurrent.ThreadPerTaskExecutor$ThreadBoundFuture.run",
    ),
)

/**
 * Requests that await a result beyond the tasks of this kind that any thread runs: their tasks are queued for the [busy] threads of a pool. Empty if
 * these run no such tasks. A library's results are no tasks. The number of connections, where it is known, counts requests in a queue without this.
 */
private fun queued(seen: SeenThreads, busy: List<ClassifiedThreads>): List<Int> {
    val kind = RESULTS_AND_TASKS.entries.find { (_, tasks) ->
        busy.filter { it.stack.task && tasks.first() in it.stack }.sumOf { it.count } >= FULL * busy.sumOf { it.count }
    }
    if (kind == null || busy.isEmpty() || seen.connections > 0) return emptyList()
    val awaiting = seen.working.filter { thread ->
        thread.reason.doing == Doing.AWAITING_RESULT && thread.stack.frames.any { it.call.startsWith(kind.key) } &&
            thread.stack.frames.find { !it.ofJdk }?.own == true
    }
    val running = seen.threads.filter { thread -> thread.stack.own >= 0 && kind.value.any(thread.stack::contains) }
    return seen.perDump(awaiting).zip(seen.perDump(running)) { all, begun -> (all - begun).coerceAtLeast(0) }
}

/** An idle worker of a pool without a queue, for which no request waits: it starts a thread for each task that finds none. */
private val CallStack.idleWithoutQueue: Boolean get() = idle && frames.any { it.type == "java.util.concurrent.SynchronousQueue" }

/** Parked or asleep, without a request: a thread of timers such as `kotlinx.coroutines.DefaultExecutor`. */
private val ClassifiedThreads.pausesInBackground: Boolean
    get() = role == Role.BACKGROUND && stack.blocked?.how?.isOutside == false

private fun workers(seen: SeenThreads, id: String, pool: List<ClassifiedThreads>): Resource {
    val name = pool.first().threads.name
    val busy = pool.filter { it.role != Role.IDLE && !it.pausesInBackground }
    val inUse = seen.perDump(busy)
    val catalogued = pool.first().stack.dispatcher ?: CATALOGUE.find { it.threads?.matches(name) == true }
    val server = catalogued?.takeIf { it.kind == REQUEST_THREADS }
    // A pool may grow while all of its threads are in use, unless there are requests left for further ones.
    val grows = server != null || catalogued == DISPATCHERS_DEFAULT || catalogued == OKHTTP_CALLS
    val constant = constant(if (grows) inUse else seen.perDump(pool))
        ?.takeIf { it + maxOf(FEWEST_MORE, it / 10) <= seen.connections || (!grows && seen.connections == 0) }
        ?.takeIf { catalogued != BOUNDED_ELASTIC || inUse.max() >= it }
    val size = server?.let { configured(seen.diagnosis, name, it) }
        ?: constant?.let { Size(it, CONSTANT_SIZE) }
        ?: server?.setting?.fixedDefault?.takeIf { seen.diagnosis.knowsSettings }?.let { Size(it, "default") }
    val entry = catalogued?.takeUnless { it == DISPATCHERS_IO && size?.units != ioThreads(seen.diagnosis) }
    val limited = "threads of a coroutine dispatcher with limited parallelism".takeIf { catalogued != null && entry == null }
    val areLoops = 2 * pool.filter { it.stack.eventLoop }.sumOf { it.count } > pool.sumOf { it.count }
    return Resource(
        kind = entry?.kind ?: if (areLoops) EVENT_LOOPS else WORKERS,
        noun = entry?.noun ?: limited ?: "threads of ${poolName(name)}",
        knownSize = size,
        inUse = inUse,
        waiting = if (server == null) queued(seen, busy) else emptyList(),
        users = activities(busy),
        id = id,
        entry = entry,
        // A task that waits for work of its own keeps its thread.
        idle = seen.perDump((pool - busy.toSet()).filter { it.stack.own < 0 }),
    )
}

/** Other dispatchers with limited parallelism have the same frames. */
private fun ioThreads(diagnosis: Diagnosis): Int? = DISPATCHERS_IO.setting?.let { diagnosis.setting(it.key) ?: it.default(null) }

/** The median of [counts] if nearly all are equal to it. */
private fun constant(counts: List<Int>): Int? = counts.sorted().getOrNull(counts.size / 2)
    ?.takeIf { median -> counts.size >= FEWEST_DUMPS && median > 0 && counts.count { it == median } >= NEARLY_ALL * counts.size }

private const val NEARLY_ALL = 0.8

/** Connections of clients beyond the busy threads that prove that no further thread can be started; a tenth, if that is more. */
private const val FEWEST_MORE = 2

/** Threads of the application's own, outside of executors, that never waited for work in any dump. They may produce the results that requests await. */
internal fun ownThreads(seen: SeenThreads): Map<String, Frame> = outsideOfExecutors(seen) { same ->
    same.all { !it.working && it.wait == null && it.threads.name != "main" } &&
        same.distinctBy { it.dump }.size == seen.diagnosis.dumps.size
}

/** From this share of the dumps on, a thread computes all the time. */
private const val COMPUTING = 0.8

internal fun computingThreads(seen: SeenThreads): Map<String, Frame> = outsideOfExecutors(seen) { same ->
    val running = same.filter { it.reason.doing == Doing.RUNNING && !it.stack.request }
    running.distinctBy { it.dump }.size >= COMPUTING * seen.diagnosis.dumps.size
}

/** Threads of the application's own, or in periodic tasks, of which [isSo] is true, by name, with the method in which they were most often. */
private fun outsideOfExecutors(seen: SeenThreads, isSo: (List<ClassifiedThreads>) -> Boolean): Map<String, Frame> {
    val own = seen.threads.filter { thread ->
        !thread.threads.virtual && thread.stack.run { own >= 0 && (background || (!task && thread.threads.executor == null)) }
    }
    return own.groupBy { poolName(it.threads.name) }.filterValues(isSo).mapValues { (_, same) ->
        same.groupBy { checkNotNull(it.stack.ownFrame) }.maxBy { (_, at) -> at.sumOf { it.count } }.key
    }
}

/** The name of a thread without what stood before its number: `orders` of `orders-`. */
internal fun poolName(thread: String): String = thread.trimEnd('-', '#', ' ')

/** From the MBean of the server whose threads have this [name], or from its setting. */
private fun configured(diagnosis: Diagnosis, name: String, server: KnownResource): Size? {
    val read = server.beans?.let { beans ->
        val pool = diagnosis.beans.mapNotNull { beans.poolOf(it.bean) }.find(name::startsWith)
        pool?.let { sizeIn(diagnosis, beans, it) }
    }
    return read?.takeIf { it.units > 0 } ?: server.setting?.let { configured(diagnosis, it) }
}

private const val PINNED = "java.lang.VirtualThread.parkOnCarrierThread"
private const val CARRIER = "java.lang.VirtualThread.runContinuation"

private operator fun CallStack.contains(method: String) = frames.any { it.call == method }

/**
 * Carriers of virtual threads, if pinned threads were seen: they keep their carrier while they wait. Where most of their threads are pinned, those that
 * compute keep the others from a carrier, too. Threads not yet begun have no stack.
 */
internal fun carriers(seen: SeenThreads): Resource? {
    val pinned = seen.working.filter { it.threads.virtual && PINNED in it.stack }.ifEmpty { return null }
    val waiting = seen.perDump(pinned)
    val mounted = seen.perDump(seen.threads.filter { CARRIER in it.stack })
    val size = constant(mounted)
    return Resource(
        kind = CARRIERS,
        noun = VIRTUAL_CARRIERS.noun,
        knownSize = size?.let { Size(it, CONSTANT_SIZE) },
        inUse = if (2 * waiting.sum() > mounted.sum()) waiting.zip(mounted, ::maxOf) else waiting,
        users = activities(pinned),
        id = "carriers",
        entry = VIRTUAL_CARRIERS,
    )
}
