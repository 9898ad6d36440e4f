package bootdyno.occupancy

import bootdyno.catalogue.ResourceKind.MONITOR
import bootdyno.catalogue.ResourceKind.POOL
import bootdyno.catalogue.ResourceKind.SEMAPHORE
import bootdyno.model.Diagnosis

/** All threads of the dumps of a [diagnosis], which has those under full load alone, and the pools that its MBeans show. */
internal class SeenThreads private constructor(val diagnosis: Diagnosis, classified: List<ClassifiedThreads>) {
    /** Fewest connections of clients in any reading; 0 if not read. */
    val connections: Int = diagnosis.sockets.minOfOrNull { it.inbound } ?: 0

    /** With resources told apart by their objects, and results apart from resources. */
    val threads: List<ClassifiedThreads> = withObjects(classified).let(::withPlaces)
        .let { withoutConsumers(it, connections * diagnosis.dumps.size) }.let(::withoutResults).let(::withOpening)
    val working: List<ClassifiedThreads> = threads.filter { it.working }

    /** Threads that wait, by the resource. */
    val waits: Map<Wait, List<ClassifiedThreads>> = working.filter { it.wait != null }
        .groupBy { checkNotNull(it.wait).id }.values.associateBy { checkNotNull(it.first().wait) }

    val beanPools: List<BeanPool> = beanPools(diagnosis)

    /** Pools of one kind and their MBeans, both ordered by the number of threads that wait; null if an MBean is missing. */
    fun beanPool(wait: Wait): BeanPool? {
        val same = waits.filterKeys { it.entry == wait.entry }.mapValues { (_, waiters) -> waiters.sumOf { it.count } }
        val pools = same.keys.sortedByDescending(same::getValue)
        // Threads wait for this pool. An MBean that counts no waiting threads belongs to another one.
        val beans = beanPools.filter { it.entry == wait.entry && (it.waiting.isEmpty() || it.waiting.sum() > 0) }
            .sortedByDescending { it.waiting.sum() }
        return if (beans.size < pools.size) null else beans[pools.indexOf(wait)]
    }

    fun perDump(some: List<ClassifiedThreads>): List<Int> = IntArray(diagnosis.dumps.size).also { counts ->
        some.forEach { counts[it.dump] += it.count }
    }.toList()

    companion object {
        /** Share of the usual number of working threads from which on the load is complete. */
        private const val COMPLETE = 0.9

        /**
         * Without thread dumps and connections from before the usual number of threads worked: a diagnosis opens its connections anew. Dumps
         * of another origin may go on when the load is over.
         */
        fun underFullLoad(whole: Diagnosis): SeenThreads {
            val all = classified(whole)
            val working = IntArray(whole.dumps.size)
            all.filter { it.working }.forEach { working[it.dump] += it.count }
            val later = working.drop(working.size / 2).sorted()
            val usual = later.getOrNull(later.size / 2) ?: return SeenThreads(whole, all)
            val from = whole.dumps[working.indexOfFirst { it >= COMPLETE * usual }].at
            val to = whole.dumps[working.indexOfLast { it >= COMPLETE * usual }].at
            val kept = whole.dumps.run { indexOfFirst { it.at >= from }..indexOfLast { it.at <= to } }
            val diagnosis = whole.copy(dumps = whole.dumps.slice(kept), sockets = whole.sockets.filter { it.at >= from })
            return SeenThreads(diagnosis, all.filter { it.dump in kept }.map { it.copy(dump = it.dump - kept.first) })
        }
    }
}

/**
 * Tasks and virtual threads that wait on a queue have no work, unless each has a request that awaits its result. [connections]: of clients, in
 * all dumps together.
 */
private fun withoutConsumers(threads: List<ClassifiedThreads>, connections: Int): List<ClassifiedThreads> {
    val (requests, others) = threads.filter { it.working }.partition { it.stack.request }
    val awaiting = requests.filter { it.reason.doing == Doing.AWAITING_RESULT || it.wait?.kind == POOL }.sumOf { it.count } +
        (connections - requests.sumOf { it.count }).coerceAtLeast(0)
    val consumers = others.filter { it.stack.mayConsume && (it.stack.task || it.threads.virtual) }
        .groupBy { if (it.threads.virtual) it.stack.frames.findLast { frame -> frame.own }?.call else it.threads.name }
        .filterValues { tasks -> tasks.sumOf { it.count } > awaiting }.values.flatten().filter { it.wait?.kind == POOL }.toSet()
    return threads.map { if (it in consumers) it.copy(role = Role.IDLE, reason = AWAITING) else it }
}

/**
 * Tells resources apart by the object that threads wait for, where several threads at a time wait for one object. A semaphore of each thread's own,
 * where several wait at a time, is a signal.
 */
private fun withObjects(threads: List<ClassifiedThreads>): List<ClassifiedThreads> {
    val (shared, others) = threads.filter { it.wait != null && it.threads.waitsFor != null }.groupBy { it.wait?.id }.entries
        .partition { (_, all) -> all.sumOf { it.count } >= SHARED * all.distinctBy { it.dump to it.threads.waitsFor }.size }
    val resources = shared.map { it.key }
    val signals = others.filter { (_, all) -> all.sumOf { it.count } >= SHARED * all.distinctBy { it.dump }.size }.map { it.key }
    return threads.map { thread ->
        val wait = thread.wait
        val id = thread.threads.waitsFor
        when {
            wait == null || id == null -> thread
            wait.id in resources -> thread.copy(reason = ThreadDoing(Doing.WAITING, wait.copy(id = id)))
            wait.id in signals && wait.kind == SEMAPHORE && wait.entry == null -> thread.copy(reason = AWAITING)
            else -> thread
        }
    }
}

private val AWAITING = ThreadDoing(Doing.AWAITING_RESULT)

/** Threads for each object on average. With fewer, it is an object of the thread's own, such as a future. */
private const val SHARED = 1.5

/**
 * Monitors by the method in which threads wait, where the object changes from dump to dump: the entry of a map whose value is computed.
 */
private fun withPlaces(threads: List<ClassifiedThreads>): List<ClassifiedThreads> {
    fun place(thread: ClassifiedThreads) = thread.wait?.takeIf { it.kind == MONITOR && thread.threads.waitsFor != null }
        ?.let { "${it.noun}, ${(thread.stack.ownFrame ?: thread.stack.frames.first()).call}" }

    val changing = threads.groupBy(::place).filterValues { all ->
        val seen = all.map { it.dump to it.threads.waitsFor }.distinct()
        val atATime = seen.size.toDouble() / all.distinctBy { it.dump }.size
        atATime <= FEW && seen.distinctBy { (_, id) -> id }.size > if (atATime <= ONE) 1.0 else REPLACED * atATime
    }.keys
    return threads.map { thread ->
        val place = place(thread)?.takeIf { it in changing }
        val wait = thread.wait
        if (place == null || wait == null) thread else thread.copy(reason = ThreadDoing(Doing.WAITING, wait.copy(id = place)))
    }
}

/**
 * Objects in a dump on average: with more, threads wait for several monitors at a time. A dump reads one thread after the other, and shows two
 * of them where one follows the other.
 */
private const val FEW = 2.5

/** With about one object at a time, two objects in all dumps are enough: a new one may get the address of an old one. */
private const val ONE = 1.2

/** So many times as many objects in all dumps as in one are different objects over time. */
private const val REPLACED = 3

/** A pool that opens a unit in nearly all dumps has not reached its size: requests wait for the opening. Of several, any may. */
private fun withOpening(threads: List<ClassifiedThreads>): List<ClassifiedThreads> {
    val opening = threads.mapNotNull { it.wait }.distinctBy { it.id }.groupBy { it.entry?.opening }
        .filterValues { pools -> pools.size == 1 }.keys
        .filter { opening -> opening != null && threads.inNearlyAllDumps { it.stack.has(opening.frames) } }
    return threads.map { thread ->
        val wait = thread.wait ?: return@map thread
        val instead = wait.entry?.opening?.takeIf(opening::contains) ?: return@map thread
        thread.copy(reason = ThreadDoing(Doing.WAITING, Wait(instead.kind, instead.noun, instead.noun, wait.depth, instead)))
    }
}

/** Whether nearly all of their dumps have a thread that [isSo]. */
internal fun List<ClassifiedThreads>.inNearlyAllDumps(isSo: (ClassifiedThreads) -> Boolean): Boolean {
    val dumps = filter(isSo).map { it.dump }.toSet().size
    return dumps > 0 && dumps >= NEARLY_ALL_DUMPS * map { it.dump }.toSet().size
}

/** Threads on a queue or condition wait for a unit of a pool if the number of its users is constant, else for a result. */
private fun withoutResults(threads: List<ClassifiedThreads>): List<ClassifiedThreads> {
    val working = threads.filter { it.working }
    val results = working.filter { it.wait?.kind == POOL }.groupBy { it.wait?.id }
        .filter { (id, waiters) -> users(waiters, working.filter { it.wait?.id != id }, null)?.steady == null }.keys
    return threads.map { if (it.wait != null && it.wait?.id in results) it.copy(reason = AWAITING) else it }
}
