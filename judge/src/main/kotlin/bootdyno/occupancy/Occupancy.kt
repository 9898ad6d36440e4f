package bootdyno.occupancy

import bootdyno.catalogue.KnownResource
import bootdyno.catalogue.ResourceKind
import bootdyno.catalogue.TOMCAT_CONNECTIONS
import bootdyno.model.Diagnosis
import bootdyno.model.Frame

/**
 * Fewer dumps prove nothing. A resource that is full for half of the time is full in two of two dumps in 25 % of cases, in five of five in 3 %.
 */
internal const val FEWEST_DUMPS = 5

/** From this share of its units on, a resource is full: units change hands between dumps, and the JVM reads one thread after the other. */
internal const val FULL = 0.85

/** Share of the thread dumps in which a limit must be seen to be called one. */
internal const val NEARLY_ALL_DUMPS = 0.9

/**
 * Who held and who waited for the limited resources of an application, in [observations] thread dumps. Nothing here is a rate: rates belong to
 * the measured window.
 */
data class Occupancy(
    val observations: Int,
    /** Those for which requests waited, and those that are in use; most waiting requests first. */
    val resources: List<Resource>,
    /** Threads that worked on a request, in each dump. */
    val requests: List<Int>,
    /** What these threads did, all of them; largest share first. */
    val activities: List<Activity>,
    /** Threads of the application's own, outside of executors, that never waited for work: by name, with the method in which they were most often. */
    val ownThreads: Map<String, Frame> = emptyMap(),
    /** Such threads that computed in most dumps instead, and handled no request: by name, with the method in which they were most often. */
    val computing: Map<String, Frame> = emptyMap(),
    /** The method in which most requests ask again and again for what they wait for; null without any. */
    val spinning: Spinning? = null,
    /** Whether a request awaits the answer of an asynchronous client: it may wait for a connection of this client just so. */
    val awaitsClient: Boolean = false,
    /** The connections of the server, if it accepts no further one in nearly all dumps; otherwise null. */
    val allConnected: KnownResource? = null,
    /** From the first to the last of these dumps. */
    val seconds: Double = 0.0,
)

/** Reads who held and who waited for limited resources in the thread dumps and MBeans of [diagnosis]. */
fun occupancy(diagnosis: Diagnosis): Occupancy {
    val seen = SeenThreads.underFullLoad(diagnosis)
    val waitedFor = seen.waits.map { (wait, waiters) -> waitedFor(seen, wait, waiters) }
    val idlePools = seen.beanPools.filter { pool -> seen.waits.none { (wait, _) -> seen.beanPool(wait) == pool } }.map(::inUse)
    val resources = waitedFor + idlePools + workers(seen) + listOfNotNull(carriers(seen), reactivePool(seen), coroutineLock(seen))
    return Occupancy(
        observations = seen.diagnosis.dumps.size,
        resources = resources.sortedWith(compareByDescending<Resource> { it.waiting.sum() }.thenByDescending { it.inUse.sum() }),
        requests = seen.perDump(seen.working),
        activities = activities(seen.working),
        ownThreads = ownThreads(seen),
        computing = computingThreads(seen),
        spinning = spinning(seen),
        awaitsClient = seen.working.any { it.reason.doing == Doing.NETWORK && it.stack.blocked?.how?.isOutside == false },
        allConnected = TOMCAT_CONNECTIONS.takeIf { server -> seen.threads.inNearlyAllDumps { it.wait?.entry == server } },
        seconds = seen.diagnosis.dumps.run { if (isEmpty()) 0.0 else last().at - first().at },
    )
}

/** Something of which a request needs one unit at a time. */
data class Resource(
    val kind: ResourceKind,
    /**
     * Its units in the plural: `HikariCP connections`, `threads of pool-1-thread`, `permits of the semaphore in Orders`. A [MONITOR][ResourceKind.MONITOR]
     * or [LOCK][ResourceKind.LOCK] has one unit, and its name in the singular: `monitor of OrderService`, `ReentrantLock`.
     */
    val noun: String,
    /** Null if unknown. */
    val knownSize: Size?,
    /**
     * Units in use, in each dump; empty if users are not visible. A dump reads one thread after the other: units that are held for less time
     * than it took ([bootdyno.model.ThreadDump.seconds]) are counted right on average only.
     */
    val inUse: List<Int>,
    /**
     * Requests that waited for a unit, in each dump. Empty if dumps do not show them: suspended in a coroutine, or in the queue of a thread pool.
     * The number of connections says how many are in such a queue.
     */
    val waiting: List<Int> = emptyList(),
    /** Where most of them waited: the innermost frame of the application's own code; null without any. */
    val waitingIn: Frame? = null,
    /** What the users of a unit did, largest share first; empty if users are not visible. */
    val users: List<Activity> = emptyList(),
    /** The identity in the dumps, or another stable key. */
    val id: String,
    /** Whether it was read from the heap at the end, and not from each dump. */
    val isSeenOnce: Boolean = false,
    /** Null for what the application made itself. */
    val entry: KnownResource? = null,
    /** Of a thread pool: threads without work, in each dump. */
    val idle: List<Int> = emptyList(),
    /** Whether the threads that handle requests have nearly all units in use themselves, and not tasks or jobs. */
    val isOfRequests: Boolean = false,
) {
    /** Number of units; null if unknown. */
    val size: Int? = knownSize?.units

    /** Share of the users that run or are ready to run. */
    internal val computing: Double get() = users.filter { it.doing == Doing.RUNNING }.sumOf { it.share }

    /** Whether hardly a unit is free on average; false if that is not known. */
    val isFull: Boolean get() = size != null && inUse.isNotEmpty() && inUse.average() >= FULL * size
}

/** Number of [units] of a limit, and its [source]: `MBean`, `constant in the thread dumps`, `server.tomcat.threads.max`, `default`. */
data class Size(val units: Int, val source: String)

/** What threads did in a [share] of the observed cases, 0 to 1. */
data class Activity(
    val doing: Doing,
    val share: Double,
    /** The innermost frame of the application's own code; null without any. */
    val at: Frame?,
    /** [Resource.id] of what they waited for, if [doing] is [Doing.WAITING]. */
    val resource: String? = null,
)

/** [words]: what so many do, in a sentence. */
enum class Doing(internal val words: String) {
    /** On a CPU or ready for one. */
    RUNNING("run"),

    /** In `Thread.sleep` or a timed wait of its own. */
    SLEEPING("sleep"),

    /** For a [Resource]. */
    WAITING("wait for another resource"),

    /** For the result of another thread. */
    AWAITING_RESULT("wait for the result of another thread"),

    /** For bytes of a database, by its driver. */
    DATABASE("wait for the database"),

    /** For bytes of another peer. */
    NETWORK("wait for the network"),

    /** For the address of a host. */
    LOOKUP("look up the address of a host"),

    /** For a file. */
    FILE("wait for a file"),

    UNKNOWN("elsewhere"),
}
