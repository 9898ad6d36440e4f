package bootdyno.explain

import bootdyno.catalogue.ResourceKind
import bootdyno.model.Change
import bootdyno.model.count
import bootdyno.model.percent
import bootdyno.model.plural
import bootdyno.model.time
import bootdyno.model.timeOfSeconds
import bootdyno.occupancy.Doing
import bootdyno.occupancy.NEARLY_ALL_DUMPS
import kotlin.math.abs
import kotlin.math.roundToInt

/** Allowed difference between connections to a peer and throughput × unloaded time, by Little's law. */
private const val CONNECTIONS_AGREE = 0.2

/** The load is the limit: more connections bring more throughput. */
internal abstract class LoadIsLimit(private val observed: Observed, private val clients: Int) : Conclusion {
    override val limit = CLIENTS.counted(clients)
    override val advice get() = observed.advice(Change.Connections(2 * clients))

    override fun isOf(ceiling: Ceiling) = ceiling.kind == ResourceKind.LOAD_CONNECTIONS
}

/** Every connection waits for its response and is served at once. */
internal class ClientConnections(private val observed: Observed, private val clients: Int) : LoadIsLimit(observed, clients) {
    override val measured: String
        get() {
            val single = observed.unloadedSeconds?.let { ": a single request takes ${timeOfSeconds(it)}" }.orEmpty()
            return "${plural(clients, "connection")} ÷ ${timeOfSeconds(clients / observed.throughput)} = ${observed.rate}. " +
                "The application could serve more$single."
        }

    override val details: List<String>
        get() = listOfNotNull(
            observed.setup.cell.workload.think?.let {
                "Each client waits ${time(it.mean)} on average before a request (`think`)."
            },
            words(observed.occupancy.activities.take(MOST_ACTIVITIES))?.takeIf { observed.areInThreads }
                ?.let { "The requests: $it." },
            observed.equallyUsed?.let { "All in use as well: ${it.name}. Raise both." },
        )
}

internal fun clientConnections(observed: Observed): Conclusion? {
    val clients = observed.clients ?: return null
    val undisturbed = clients == 1 || observed.unloaded == true
    return if (undisturbed && observed.full.isEmpty()) ClientConnections(observed, clients) else null
}

/** Requests wait for a peer that answers slower under load than without it, or over few connections. */
internal class SlowPeer(private val observed: Observed, override val limit: LimitName, private val evidence: String) :
    Conclusion {
    override val measured: String
        get() = "${observed.rate}: $evidence; a request takes ${timeOfSeconds(observed.responseSeconds ?: 0.0)}, " +
            "without load ${timeOfSeconds(observed.unloadedSeconds ?: 0.0)}."
}

/** Whether most requests may await what an asynchronous client gets over these connections, so that no thread of theirs reads them. */
private fun Observed.awaitsClient(peer: Observed.Peer): Boolean =
    doing(Doing.AWAITING_RESULT) >= MOSTLY && peer.connections.roundToInt() !in idlePools

/** Whether most connections to [peer] may be those of idle sessions of the database. */
private fun Observed.isIdleDatabase(peer: Observed.Peer): Boolean = diagnosis.database?.readings.orEmpty().any { reading ->
    reading.sessions.filter { it.isIdle }.sumOf { it.count } >= MOSTLY * peer.connections
}

internal fun slowPeer(observed: Observed): Conclusion? {
    val peer = observed.peer ?: return null
    val inFlight = observed.inFlight ?: return null
    val unloaded = observed.unloadedSeconds ?: return null
    if (!observed.loaded) return null
    val name = LimitName("Peer ${peer.name}")
    val waiting = observed.doing(Doing.NETWORK, Doing.DATABASE)
    // A request that waits for a peer keeps its thread there, so that connections that no thread reads are idle.
    val hasThreads = observed.areInThreads || observed.occupancy.resources.any { it.kind == ResourceKind.REQUEST_THREADS }
    // Connections in use = throughput × time without load: nothing but these connections makes requests wait.
    val connections = SlowPeer(
        observed,
        Units("connections to ${peer.name}", "connection").counted(peer.connections.toInt()),
        "${count(inFlight.toInt())} requests in flight share them",
    ).takeIf { abs(observed.throughput * unloaded / peer.connections - 1) <= CONNECTIONS_AGREE }
    // A single one may have many requests at a time.
    val areShared = peer.connections in 2.0..NEARLY_ALL_DUMPS * waiting * observed.occupancy.requests.average()
    return when {
        waiting >= MOSTLY && observed.areInThreads ->
            connections.takeIf { areShared && !observed.isIdleDatabase(peer) }
                ?: SlowPeer(observed, name, "${percent(waiting)} of the requests wait for its answer")

        observed.isIdleDatabase(peer) || (hasThreads && !observed.awaitsClient(peer)) -> null

        !hasThreads && peer.connections >= NEARLY_ALL_DUMPS * inFlight ->
            SlowPeer(observed, name, "${count(peer.connections.toInt())} connections wait for its answer")

        else -> connections
    }
}
