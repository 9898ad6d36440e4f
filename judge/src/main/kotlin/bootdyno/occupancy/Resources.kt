package bootdyno.occupancy

import bootdyno.catalogue.ResourceKind.DATABASE_CONNECTIONS
import bootdyno.catalogue.ResourceKind.LOCK
import bootdyno.catalogue.ResourceKind.MONITOR
import bootdyno.catalogue.ResourceKind.RATE_LIMITER
import bootdyno.model.Diagnosis

/** Reads who held and who waited for limited resources in the thread dumps and MBeans of [diagnosis]. */
fun occupancy(diagnosis: Diagnosis): Occupancy {
    val stacks = CallStacks(diagnosis.stacks)
    val seen = SeenThreads(underFullLoad(diagnosis, stacks), stacks)
    val waitedFor = seen.waits.map { (wait, waiters) -> waitedFor(seen, wait, waiters) }
    val idlePools = seen.beanPools.filter { pool -> seen.waits.none { (wait, _) -> seen.beanPool(wait) == pool } }.map(::inUse)
    return Occupancy(
        observations = seen.diagnosis.dumps.size,
        resources = (
            waitedFor + idlePools + workers(seen) +
                listOfNotNull(carriers(seen), reactivePool(seen), coroutineLock(seen))
            )
            .sortedWith(compareByDescending<Resource> { it.waiting.sum() }.thenByDescending { it.inUse.sum() }),
        requests = seen.perDump(seen.working),
        activities = activities(seen.working),
        ownThreads = ownThreads(seen),
        computing = computingThreads(seen),
        spinning = spinning(seen),
        seconds = seen.diagnosis.dumps.run { if (isEmpty()) 0.0 else last().at - first().at },
    )
}

/** Share of the usual number of working threads from which on the load is complete. */
private const val COMPLETE = 0.9

/**
 * Without thread dumps and connections from before the usual number of threads worked: a diagnosis opens its connections anew. Dumps of another
 * origin may go on when the load is over.
 */
private fun underFullLoad(diagnosis: Diagnosis, stacks: CallStacks): Diagnosis {
    val working = classified(diagnosis, stacks).filter { it.working }.groupBy { it.dump }
    val counts = diagnosis.dumps.indices.map { dump -> working[dump].orEmpty().sumOf { it.count } }
    val later = counts.drop(counts.size / 2).sorted()
    val usual = later.getOrNull(later.size / 2) ?: return diagnosis
    val from = diagnosis.dumps[counts.indexOfFirst { it >= COMPLETE * usual }].at
    val to = diagnosis.dumps[counts.indexOfLast { it >= COMPLETE * usual }].at
    return diagnosis.copy(
        dumps = diagnosis.dumps.filter { it.at in from..to },
        sockets = diagnosis.sockets.filter { it.at >= from },
    )
}

private fun waitedFor(seen: SeenThreads, wait: Wait, waiters: List<ClassifiedThreads>): Resource {
    val bean = seen.beanPool(wait)
    val size = knownSize(seen, wait, bean)
    val users = when (wait.kind) {
        RATE_LIMITER -> null

        LOCK, MONITOR -> owners(seen, waiters) ?: users(waiters, others(seen, wait), 1)

        // Who holds a unit may wait for a second one.
        else -> users(waiters, if (size == null) others(seen, wait) else seen.working, size?.units)
    }
    val waiting = seen.perDump(waiters)
    return Resource(
        kind = wait.kind,
        noun = wait.noun + bean?.name?.takeIf { seen.beanPools.size > 1 && it.isNotEmpty() }?.let { " of $it" }.orEmpty(),
        knownSize = size ?: users?.steady?.let { Size(it, CONSTANT_SIZE) },
        inUse = when {
            bean != null -> bean.active
            wait.kind.isLock -> owned(waiting, users?.let { seen.perDump(it.all) })
            else -> users?.let { seen.perDump(it.all) }.orEmpty()
        },
        waiting = waiting,
        waitingIn = waiters.groupBy { it.stack.ownFrame }.maxByOrNull { (_, same) -> same.sumOf { it.count } }?.key,
        users = users?.let { activities(it.all) }.orEmpty(),
        id = wait.id,
        entry = wait.entry,
    )
}

private fun others(seen: SeenThreads, wait: Wait) = seen.working.filter { it.wait?.id != wait.id }

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

private fun inUse(pool: BeanPool) = Resource(
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
