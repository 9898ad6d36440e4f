package bootdyno.occupancy

import bootdyno.model.Diagnosis
import bootdyno.occupancy.ResourceKind.DATABASE_CONNECTIONS
import bootdyno.occupancy.ResourceKind.LOCK
import bootdyno.occupancy.ResourceKind.POOL
import bootdyno.occupancy.ResourceKind.SEMAPHORE
import kotlin.math.abs

/** Of reactor-pool: each request has one from when it asks for a unit until it gives it back. */
private const val BORROWER = "reactor.pool.AbstractPool\$Borrower"

/** Of reactor-pool: one for each unit, idle ones too. */
private const val UNIT = "reactor.pool.SimpleDequePool\$QueuePooledRef"
private const val OBJECT_POOL = "reactor.pool.SimpleDequePool"

/** Of r2dbc-pool, which is made with reactor-pool: one for each connection in use. */
private const val CONNECTION = "io.r2dbc.pool.PooledConnection"
private const val SETTING = "spring.r2dbc.pool.max-size"
private const val DEFAULT = 10

private const val SEMAPHORE_OBJECT = "kotlinx.coroutines.sync.SemaphoreImpl"
private const val MUTEX = "kotlinx.coroutines.sync.MutexImpl"

/** One for each coroutine that waits for a mutex. */
private const val MUTEX_WAITER = "kotlinx.coroutines.sync.MutexImpl\$CancellableContinuationWithOwner"

/** Part of the queue of a semaphore or mutex, each of which has at least one. */
private const val SEGMENT = "kotlinx.coroutines.sync.SemaphoreSegment"
private const val SEGMENT_SIZE = 16

/** Share of the clients whose requests must wait: a few always do for a moment. */
private const val MOST = 0.5

/**
 * The pool of R2DBC or reactor-pool for which most requests wait, as the live objects show at the end of the diagnosis; null without one. Such
 * requests have no thread.
 */
internal fun reactivePool(seen: SeenThreads): Resource? {
    val objects = seen.diagnosis.pooledObjects
    val connections = objects[CONNECTION]
    val units = (connections ?: objects[UNIT])?.toInt() ?: return null
    val waiting = (objects[BORROWER] ?: 0).toInt() - units
    if (seen.connections == 0 || waiting < MOST * seen.connections) return null
    val noun = if (connections != null) "R2DBC connections" else "objects of a reactor-pool"
    val size = connections?.let { connections(seen.diagnosis, units) }
        ?: objects[UNIT]?.takeIf { objects[OBJECT_POOL] == 1L }?.let { Size(it.toInt(), "number of its objects") }
    return seenOnce(if (connections != null) DATABASE_CONNECTIONS else POOL, noun, size, waiting)
}

/**
 * The mutex or semaphore of kotlinx.coroutines for which most requests wait. Who waits for a semaphore is counted by parts of its queue, so
 * in steps of [SEGMENT_SIZE].
 */
internal fun coroutineLock(seen: SeenThreads): Resource? {
    val objects = seen.diagnosis.pooledObjects
    fun count(type: String) = (objects[type] ?: 0).toInt()
    val forMutex = count(MUTEX_WAITER)
    val queued = SEGMENT_SIZE * (count(SEGMENT) - count(MUTEX) - count(SEMAPHORE_OBJECT))
    val (kind, noun, waiting) = when {
        seen.connections == 0 -> return null
        forMutex >= MOST * seen.connections -> Triple(LOCK, "Mutex of kotlinx.coroutines", forMutex)
        queued >= MOST * seen.connections -> Triple(SEMAPHORE, "permits of a Semaphore of kotlinx.coroutines", queued)
        else -> return null
    }
    val size = ONE_OWNER.takeIf { kind == LOCK && count(MUTEX) == 1 }
    return seenOnce(kind, noun, size, minOf(waiting, seen.connections))
}

/** All its units are in use. */
private fun seenOnce(kind: ResourceKind, noun: String, size: Size?, waiting: Int) = Resource(
    kind = kind,
    noun = noun,
    size = size?.units,
    sizeSource = size?.source,
    inUse = size?.let { listOf(it.units) }.orEmpty(),
    waiting = listOf(waiting),
    waitingIn = null,
    users = emptyList(),
    id = noun,
    isSeenOnce = true,
)

/** A connection that passes from one request to the next may be counted twice. */
private fun connections(diagnosis: Diagnosis, inUse: Int): Size? =
    (diagnosis.setting(SETTING)?.let { Size(it, SETTING) } ?: Size(DEFAULT, "default")).takeIf { abs(it.units - inUse) <= 1 }
