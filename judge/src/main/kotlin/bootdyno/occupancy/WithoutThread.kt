package bootdyno.occupancy

import bootdyno.catalogue.COROUTINE_SEMAPHORE
import bootdyno.catalogue.KnownResource
import bootdyno.catalogue.MUTEX
import bootdyno.catalogue.R2DBC
import bootdyno.catalogue.REACTOR_NETTY
import bootdyno.catalogue.REACTOR_POOL
import kotlin.math.abs

/** Coroutines in one part of the queue of a semaphore or mutex, each of which has at least one. */
private const val SEGMENT_SIZE = 16

/** Share of the clients whose requests must wait: a few always do for a moment. */
private const val MOST = 0.5

/**
 * The pool of R2DBC, Reactor Netty or reactor-pool for which most requests wait, by the live objects at the end of the diagnosis. Null without one. Such
 * requests have no thread.
 */
internal fun reactivePool(seen: SeenThreads): Resource? {
    val entry = listOf(R2DBC, REACTOR_NETTY, REACTOR_POOL).find { seen.units(it) != null } ?: return null
    val units = seen.units(entry) ?: return null
    // Of two pools, requests wait for the one that is full.
    if (entry == R2DBC && seen.units(REACTOR_NETTY) != null && seen.connectionsOfR2dbc == null) return null
    val waiting = seen.waiters(entry) - units
    if (seen.connections == 0 || waiting < MOST * seen.connections) return null
    val size = (if (entry == R2DBC) seen.connectionsOfR2dbc else null) ?: seen.units(REACTOR_POOL)
        ?.takeIf { seen.count(REACTOR_POOL.objects?.pool) == 1 }?.let { Size(it, "number of its objects") }
    return seenOnce(entry, size, waiting)
}

/**
 * The mutex or semaphore of kotlinx.coroutines for which most requests wait. Who waits for a semaphore is counted by parts of its queue, so
 * in steps of [SEGMENT_SIZE].
 */
internal fun coroutineLock(seen: SeenThreads): Resource? {
    val mutexes = seen.units(MUTEX) ?: 0
    val queued = SEGMENT_SIZE * (seen.waiters(COROUTINE_SEMAPHORE) - mutexes - (seen.units(COROUTINE_SEMAPHORE) ?: 0))
    val (entry, waiting) = when {
        seen.connections == 0 -> return null
        seen.waiters(MUTEX) >= MOST * seen.connections -> MUTEX to seen.waiters(MUTEX)
        queued >= MOST * seen.connections -> COROUTINE_SEMAPHORE to queued
        else -> return null
    }
    return seenOnce(entry, ONE_OWNER.takeIf { entry == MUTEX && mutexes == 1 }, minOf(waiting, seen.connections))
}

private fun SeenThreads.count(type: String?): Int? = diagnosis.pooledObjects[type]?.toInt()

private fun SeenThreads.units(entry: KnownResource): Int? = count(entry.objects?.unit)

private fun SeenThreads.waiters(entry: KnownResource): Int = count(entry.objects?.waiter) ?: 0

/** All its units are in use. */
private fun seenOnce(entry: KnownResource, size: Size?, waiting: Int) = Resource(
    kind = entry.kind,
    noun = entry.noun,
    knownSize = size,
    inUse = size?.let { listOf(it.units) }.orEmpty(),
    waiting = listOf(waiting),
    id = entry.noun,
    isSeenOnce = true,
    entry = entry,
)

/** Null if not all are in use. A connection that passes from one request to the next may be counted twice. */
private val SeenThreads.connectionsOfR2dbc: Size? get() = R2DBC.setting?.let { setting ->
    configured(diagnosis, setting) ?: setting.fixedDefault?.let { Size(it, "default") }
}?.takeIf { abs(it.units - (units(R2DBC) ?: 0)) <= 1 }
