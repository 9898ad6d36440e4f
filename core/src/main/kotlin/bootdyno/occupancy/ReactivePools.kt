package bootdyno.occupancy

import bootdyno.model.Diagnosis
import bootdyno.occupancy.ResourceKind.DATABASE_CONNECTIONS
import bootdyno.occupancy.ResourceKind.POOL
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
    val size = when {
        connections != null -> connections(seen.diagnosis, units)
        else -> Size(units, "number of its objects").takeIf { objects[OBJECT_POOL] == 1L }
    }
    return Resource(
        kind = if (connections != null) DATABASE_CONNECTIONS else POOL,
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
}

/** A connection that passes from one request to the next may be counted twice. */
private fun connections(diagnosis: Diagnosis, inUse: Int): Size? =
    (diagnosis.setting(SETTING)?.let { Size(it, SETTING) } ?: Size(DEFAULT, "default")).takeIf { abs(it.units - inUse) <= 1 }
