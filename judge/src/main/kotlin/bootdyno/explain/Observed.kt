package bootdyno.explain

import bootdyno.catalogue.LISTENERS
import bootdyno.catalogue.ResourceKind
import bootdyno.model.Diagnosis
import bootdyno.model.Measure
import bootdyno.model.MovedLimit
import bootdyno.model.count
import bootdyno.model.listed
import bootdyno.model.plural
import bootdyno.model.rounded
import bootdyno.model.timeOfSeconds
import bootdyno.occupancy.Activity
import bootdyno.occupancy.Doing
import bootdyno.occupancy.FEWEST_DUMPS
import bootdyno.occupancy.NEARLY_ALL_DUMPS
import bootdyno.occupancy.Occupancy
import bootdyno.occupancy.Resource
import bootdyno.occupancy.occupancy
import bootdyno.stats.median
import kotlin.math.roundToInt
import kotlin.time.DurationUnit

/** Share of requests that wait for a resource from which on it is named where the load is unknown: fewer hardly delay the others. */
private const val MANY_WAIT = 0.25

/** The same behind a resource whose users are not visible. */
private const val SOME_WAIT = 0.1

/** Fewer requests than this share may only be on their way. */
private const val HIDDEN = 0.1

/** From this share on, threads show too few requests to say what the others do. */
private const val NEARLY_ALL_REQUESTS = 0.9

/** A resource waits for another if at least this share of its users does. */
private const val WAITS_FOR = 0.05

/** From this share on, most of the requests or sessions do the same. */
internal const val MOSTLY = 0.5

/** A mean response time up to this multiple of the unloaded one contains hardly any waiting. */
private const val UNLOADED = 1.25

/** From this multiple on, most of the response time is waiting. */
internal const val LOADED = 1.5

/** What the diagnosis of a cell shows, if it has one, together with the figures of its window. */
internal class Observed(val evidence: Evidence, val occupancy: Occupancy) {
    val diagnosis: Diagnosis get() = evidence.diagnosis

    /** Whether threads were seen often enough; otherwise only the figures of the window and what the kernel counts. */
    val isDiagnosed: Boolean get() = occupancy.observations >= FEWEST_DUMPS
    val setup = evidence.setup
    val throughput = evidence.throughput
    val dumps = occupancy.observations

    /** Number of connections of a closed load; null for other loads. */
    val clients: Int? = evidence.connections

    /** Requests in the system on average, by Little's law; null without response times. */
    val inFlight: Double? = clients?.toDouble()?.takeIf { evidence.thinking == 0.0 }
        ?: evidence.inFlight?.let { (it.start + it.endInclusive) / 2 }

    /** Whether threads show most of the requests in the system. */
    val areInThreads: Boolean get() = occupancy.requests.ifEmpty { listOf(0) }.average() >= MOSTLY * (inFlight ?: 0.0)

    val responseSeconds: Double? = inFlight?.let { it / throughput }

    /**
     * Response time without load: the mean of single requests. Where the plan declares their time, or none were sent, the shortest that any took:
     * hardly any waiting, if all take equally long. At least what the plan declares.
     */
    val unloadedSeconds: Double? = setup.heldFor.let { held ->
        if (held == null && evidence.alone.isNotEmpty()) {
            evidence.alone.average()
        } else {
            listOfNotNull(shortest(), held?.toDouble(DurationUnit.SECONDS)).maxOrNull()
        }
    }

    private fun shortest(): Double? =
        listOfNotNull(setup.seen.aloneSeconds, evidence.shortestSeconds).filter { it > 0 }.minOrNull()

    /** Whether requests take hardly longer than a single one; null if unknown. */
    val unloaded: Boolean? get() = responseRatio?.let { it <= UNLOADED }

    /**
     * Whether requests take as long as a single one, so that hardly any waits for anything. False if they are much faster: then the time without
     * load is that of other requests, for example a declared one where a script sends others.
     */
    val takesAsLongAsAlone: Boolean get() = responseRatio?.let { it in 1 / UNLOADED..UNLOADED } == true

    /** Single requests may differ as much as the mean under load does from theirs: then it is not known to be waiting. */
    val loaded: Boolean
        get() = (responseRatio ?: 0.0) >= LOADED && (responseSeconds ?: 0.0) > (evidence.longestAlone ?: 0.0)
    private val responseRatio: Double? get() = responseSeconds?.let { response -> unloadedSeconds?.let { response / it } }

    /** CPU used as a share of the limit; null if unknown. */
    val cpuShare: Double? = evidence.cpuUsed?.let { used -> setup.cpus?.let { used / it } }

    /** Share of the time for which the garbage collector ran. */
    val collecting: Double = evidence.resources[Measure.GC]?.value ?: 0.0

    /** Median number of connections to the peer with most of them; null without any. */
    val peer: Peer? = diagnosis.sockets.flatMap { it.outbound.keys }.distinct()
        .map { peer ->
            val name = evidence.services[peer]?.let { "$it ($peer)" } ?: peer
            Peer(name, median(diagnosis.sockets.map { (it.outbound[peer] ?: 0).toDouble() }))
        }
        .filter { it.connections > 0 }
        .sortedByDescending { it.connections }
        .run { find { peer -> idlePools.none { it == peer.connections.roundToInt() } } ?: firstOrNull() }

    /** Sizes of pools of connections that requests hardly use. */
    val idlePools: Set<Int> get() = occupancy.resources.filter { pool ->
        pool.kind == ResourceKind.DATABASE_CONNECTIONS && pool.inUse.ifEmpty { listOf(1) }.average() < MOSTLY
    }.mapNotNull { it.size }.toSet()

    /** Connections to one peer. [name]: `127.0.0.1:5432`, of a service of the plan `prices (127.0.0.1:5432)`. */
    data class Peer(val name: String, val connections: Double)

    /** Limits that were changed while the application ran; empty if none was. */
    val moves: List<JudgedMove> = diagnosis.moved.map(::JudgedMove)

    /** How the CPU limit was changed; null if it was not. */
    val cpuMove: JudgedMove? = moves.find { it.moved.resource == MovedLimit.CPUS }

    fun moveOf(resource: Resource): JudgedMove? = moves.find { it.moved.resource == resource.id }

    fun isProven(resource: Resource): Boolean = moveOf(resource)?.outcome == MovedOutcome.LIMITS

    /** Resources without a unit to spare in nearly all dumps, while requests wait for them; and those of which more served more. */
    val full: List<Resource> = occupancy.resources.filter { isProven(it) || (isUsed(it) && isAwaited(it)) }.let { found ->
        val requests = evidence.requestsInThreads ?: return@let found
        found.filter { delaysMany(it, requests, found) }
    }

    /**
     * Without a known load: whether many of the [requests] wait for [resource], or many of those that have another full one. Who has that one may
     * not be visible.
     */
    private fun delaysMany(resource: Resource, requests: Double, others: List<Resource>): Boolean {
        val waiting = resource.waiting.average()
        return waiting >= MANY_WAIT * requests || others.any { outer ->
            val isHidden = outer.users.isEmpty() && outer.kind != ResourceKind.RATE_LIMITER
            outer.waiting.average() >= MANY_WAIT * requests &&
                if (isHidden) waiting >= SOME_WAIT * requests else shareOfUsers(outer, resource) >= MANY_WAIT
        }
    }

    /** A resource whose units are all in use, though nothing waits for them: it has as many units as the load has connections. */
    val equallyUsed: Resource? =
        occupancy.resources.find { it !in full && it.inUse.isNotEmpty() && it.size != null && it.size > 1 && isUsed(it) }

    private fun isUsed(resource: Resource): Boolean {
        // Where the size is unknown, only requests that are seen to wait tell that nothing is free.
        if (resource.size == null) return resource.waiting.isNotEmpty()
        return resource.inUse.isEmpty() || resource.isFull
    }

    /** Requests in a queue have no thread: they are those in flight that no unit serves. */
    private fun isAwaited(resource: Resource): Boolean = if (resource.waiting.isEmpty()) {
        queued(resource) >= 1 && (resource.kind != ResourceKind.WORKERS || mayQueue(resource))
    } else {
        share(resource.waiting) { it > 0 } >= NEARLY_ALL_DUMPS && mayGain(resource)
    }

    /**
     * Whether a closed load would gain what matters if no request waited for [resource]: waiting / (in flight − waiting), by Little's law. True if unknown.
     */
    private fun mayGain(resource: Resource): Boolean {
        val all = inFlight?.takeIf { clients != null && resource.inUse.isNotEmpty() } ?: return true
        // Some may wait without a thread.
        val waiting = maxOf(resource.waiting.average(), all - resource.inUse.average())
        return waiting >= evidence.matters * (all - waiting)
    }

    /** Requests in flight that are not in service by [resource], on average: they wait for it if no unit is free. */
    private fun queued(resource: Resource): Double {
        val total = inFlight?.takeIf { isUsed(resource) } ?: return 0.0
        val inService = resource.inUse.ifEmpty { return 0.0 }.average()
        val queued = total - maxOf(inService, elsewhere(resource))
        return if (queued >= HIDDEN * total) queued else 0.0
    }

    /**
     * Whether requests may be queued for [workers]. Tasks that no request awaits keep threads busy as well: then requests take as
     * long as without load, or as long as the CPU needs. No more requests are queued than are delayed, which are known to a
     * factor of 2.
     */
    private fun mayQueue(workers: Resource): Boolean {
        val delayed = evidence.alone.minOrNull()?.let { (inFlight ?: 0.0) - throughput * it }?.takeIf { it >= 0 }
        val isCpu = servedByCpu != null && (applicationShare ?: 0.0) >= MOSTLY_APPLICATION
        return workers.entry !in LISTENERS && !isCpu && (delayed == null || queued(workers) <= 2 * delayed)
    }

    /** Requests that are seen in threads that [resource] does not have, and do not await a result: they are in no queue of it. */
    private fun elsewhere(resource: Resource): Double {
        fun busy(activities: List<Activity>) = activities.filter { it.doing != Doing.AWAITING_RESULT }.sumOf { it.share }
        val all = occupancy.requests.ifEmpty { return 0.0 }.average() * busy(occupancy.activities)
        return all - resource.inUse.average() * busy(resource.users)
    }

    /** Requests that wait for [resource], on average: seen in dumps or queued without a thread. */
    fun waiting(resource: Resource): Double = if (resource.waiting.isEmpty()) queued(resource) else resource.waiting.average()

    /**
     * The end of the wait-for graph: full resources whose users wait for no other full resource. Where two of them wait for each other, none is.
     * Users that are not visible may wait for any other: such a resource is an end only without others. Those of which more served more come first, and those
     * of which more gained nothing, or that are only full because of something else, are left out.
     */
    val ends: List<Resource> = full.filter { resource -> full.none { it.id != resource.id && waitsFor(resource, it) } }
        .filterNot { moveOf(it)?.gainsNothing == true || isOnlyFull(it) }
        .sortedWith(compareByDescending<Resource> { isProven(it) }.thenByDescending { waiting(it) })
        .let { ends -> ends.filter { it.users.isNotEmpty() || isProven(it) }.ifEmpty { ends } }

    /** Full resources whose users wait for [resource], directly or through others. */
    fun behind(resource: Resource): List<Resource> {
        val chain = mutableListOf(resource)
        do {
            val next = full.filter { outer -> outer !in chain && chain.any { waitsFor(outer, it) } }
            chain += next
        } while (next.isNotEmpty())
        return chain.drop(1)
    }

    private fun waitsFor(outer: Resource, inner: Resource): Boolean = shareOfUsers(outer, inner) >= WAITS_FOR

    /** Share of the users of [outer] that wait for [inner]. */
    private fun shareOfUsers(outer: Resource, inner: Resource): Double =
        outer.users.filter { it.resource == inner.id }.sumOf { it.share }

    /** Share of the threads on requests that were [doing] this. */
    fun doing(vararg doing: Doing): Double = occupancy.activities.filter { it.doing in doing }.sumOf { it.share }

    fun <T> share(values: List<T>, holds: (T) -> Boolean): Double =
        if (values.isEmpty()) 0.0 else values.count(holds).toDouble() / values.size

    /** Why no limit is named: what was seen, and how to look closer. */
    fun unexplained(): String {
        val requests = occupancy.requests.ifEmpty { null }?.let { "${rounded(it.average())} requests were in threads" }
        val seen = words(occupancy.activities.take(MOST_ACTIVITIES))
        val hidden = inFlight?.let { it - occupancy.requests.average() }?.takeIf { it >= NEARLY_ALL_REQUESTS * inFlight }
        val reason = when {
            !isDiagnosed && dumps > 0 ->
                "The diagnosis has only ${plural(dumps, "thread dump")}. Use fewer connections, or a less busy machine."

            !isDiagnosed -> diagnosis.missing.joinToString(" ").ifEmpty { "Threads were not observed; use --diagnose once." }

            hidden != null ->
                "In $dumps thread dumps ${rounded(hidden)} of ${rounded(inFlight)} requests in flight had no thread: " +
                    "they wait in a queue, for a timer, for a peer, or for a pool of a reactive library." + lookForIt()

            requests == null -> "In $dumps thread dumps no thread worked on a request: requests wait for a peer or in a queue."

            seen == null ->
                "In $dumps thread dumps $requests, which did many different things. " +
                    "See diagnosis.json of its first trial for all stacks."

            else -> {
                val more = producers() + paced()
                "In $dumps thread dumps $requests: $seen.$more See diagnosis.json of its first trial for all stacks."
            }
        }
        return "$cpuWords. $reason" + full.find(::isOnlyFull)?.let { onlyFullSentence(it) }.orEmpty()
    }

    /** Whose results most requests may await. */
    private fun producers(): String {
        if (doing(Doing.AWAITING_RESULT) < MOSTLY) return ""
        val threads = occupancy.ownThreads.map { (name, at) -> "$name ($at)" }.ifEmpty { null }
            ?.let { " The results may come from threads outside of executors: ${listed(it)}." }
        return lookForIt() + threads.orEmpty()
    }

    /** Requests that do not wait, by Little's law, as a sentence without its full stop; null if hardly any does. */
    val served: String? = unloadedSeconds?.takeIf { loaded && throughput > 0 }?.let { alone ->
        val number = (throughput * alone).roundToInt().coerceAtLeast(1)
        val are = if (number == 1) "1 is" else "${count(number)} are"
        "About $are served at a time ($rate × ${timeOfSeconds(alone)} without load)"
    }

    /** A rate limiter that the application has itself: nothing is held, so that only the time of the sleep shows it. */
    private fun paced(): String {
        val at = occupancy.activities.first().takeIf { it.doing == Doing.SLEEPING && it.share >= NEARLY_ALL_REQUESTS }?.at
        if (at == null || !loaded) return ""
        return " They sleep there for ${timeOfSeconds(responseSeconds ?: 0.0)}, a single request for " +
            "${timeOfSeconds(unloadedSeconds ?: 0.0)}: so it spaces them out, as a rate limiter does."
    }

    private fun lookForIt(): String = served?.let { " $it: look for a limit of this size." }.orEmpty()
}
