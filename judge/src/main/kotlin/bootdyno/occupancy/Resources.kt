package bootdyno.occupancy

import bootdyno.catalogue.ResourceKind.CLIENT_CONNECTIONS
import bootdyno.catalogue.ResourceKind.DATABASE_CONNECTIONS
import bootdyno.catalogue.ResourceKind.LOCK
import bootdyno.catalogue.ResourceKind.MONITOR
import bootdyno.catalogue.ResourceKind.RATE_LIMITER
import kotlin.math.abs

internal fun waitedFor(seen: SeenThreads, wait: Wait, waiters: List<ClassifiedThreads>): Resource {
    val bean = seen.beanPool(wait)
    val size = knownSize(seen, wait, bean)
    val users = when (wait.kind) {
        RATE_LIMITER -> null

        LOCK, MONITOR -> owners(seen, waiters) ?: users(waiters, others(seen, wait), 1)

        // Who holds a unit may wait for a second one.
        else -> users(waiters, if (size == null) others(seen, wait) else seen.threads, size?.units) ?: nested(waiters)
    }
    val waiting = seen.perDump(waiters)
    val inUse = when {
        bean != null -> bean.active
        wait.kind.isLock -> owned(waiting, users?.let { seen.perDump(it.all) })
        else -> users?.let { seen.perDump(it.all) }.orEmpty()
    }
    return Resource(
        kind = wait.kind,
        noun = wait.noun + bean?.name?.takeIf { seen.beanPools.size > 1 && it.isNotEmpty() }?.let { " of $it" }.orEmpty(),
        knownSize = size ?: users?.let { it.steady?.let { steady -> Size(steady, CONSTANT_SIZE) } ?: sockets(seen, wait, it) },
        inUse = inUse,
        waiting = waiting,
        waitingIn = waiters.groupBy { it.stack.ownFrame }.maxByOrNull { (_, same) -> same.sumOf { it.count } }?.key,
        users = users?.let { activities(it.all) }.orEmpty(),
        id = wait.id,
        entry = wait.entry,
        isOfRequests = users?.all.orEmpty().filter { it.stack.request }.sumOf { it.count } >= FULL * inUse.sum(),
    )
}

/** Readings of the sockets of which all must show the same. */
private const val FEWEST_READINGS = 3

/** The number of users differs from that of the sockets by this share of it at most, on average. */
private const val AS_MANY = 0.25

/** A full pool keeps its connections to a peer: as many as there always are, if there are as many [users] on average. Null if there is no such peer, or several. */
private fun sockets(seen: SeenThreads, wait: Wait, users: Users): Size? {
    val readings = seen.diagnosis.sockets.map { it.outbound }
    if (wait.kind != CLIENT_CONNECTIONS || readings.size < FEWEST_READINGS) return null
    val mean = seen.perDump(users.all).average()
    return readings.flatMap { it.keys }.distinct()
        .mapNotNull { peer -> readings.map { it[peer] ?: 0 }.distinct().singleOrNull() }
        .filter { abs(mean / it - 1) <= AS_MANY }
        .let { if (it.size == 1) Size(it.single(), "constant number of sockets") else null }
}

/** Those that hold a unit for a transaction while they begin another one within it. */
private fun nested(waiters: List<ClassifiedThreads>): Users? =
    waiters.filter { thread -> thread.stack.frames.any { it.call == NESTED } }.ifEmpty { null }?.let { Users(it, null) }

private const val NESTED = "org.springframework.transaction.support.AbstractPlatformTransactionManager.handleExistingTransaction"

/** Also jobs in the background hold units. */
private fun others(seen: SeenThreads, wait: Wait) = seen.threads.filter { it.wait?.id != wait.id }

/** A lock for which others wait has an owner, or passes to the next one. */
private fun owned(waiting: List<Int>, owners: List<Int>?): List<Int> =
    waiting.mapIndexed { dump, number -> if (number > 0) 1 else (owners?.get(dump) ?: 0).coerceAtMost(1) }

/** Threads that own the object that [waiters] wait for; null if no dump says so. */
private fun owners(seen: SeenThreads, waiters: List<ClassifiedThreads>): Users? {
    val objects = waiters.mapNotNull { it.threads.waitsFor }.toSet()
    return seen.threads.filter { thread -> thread.threads.owns.any(objects::contains) && thread.threads.waitsFor !in objects }
        .ifEmpty { null }?.let { Users(it, 1) }
}

/** Null if the users have to be counted. */
private fun knownSize(seen: SeenThreads, wait: Wait, bean: BeanPool?): Size? = when {
    wait.kind.isLock -> ONE_OWNER
    bean?.size != null -> bean.size
    seen.waits.keys.count { it.entry == wait.entry } == 1 -> wait.entry?.let { poolSize(seen.diagnosis, it) }
    else -> null
}

internal fun inUse(pool: BeanPool) = Resource(
    kind = DATABASE_CONNECTIONS,
    noun = pool.entry.noun,
    knownSize = pool.size,
    inUse = pool.active,
    waiting = pool.active.map { 0 },
    id = "${pool.entry} ${pool.name}",
    entry = pool.entry,
)

/** What [threads] did, largest share first. */
internal fun activities(threads: List<ClassifiedThreads>): List<Activity> {
    val all = threads.sumOf { it.count }.toDouble()
    return threads.groupBy { Triple(it.reason.doing, it.stack.ownFrame, it.wait?.id) }
        .map { (key, same) -> Activity(key.first, same.sumOf { it.count } / all, key.second, key.third) }
        .sortedByDescending { it.share }
}
