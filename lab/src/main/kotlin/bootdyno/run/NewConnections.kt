package bootdyno.run

import bootdyno.system.PROC
import bootdyno.system.familyOf
import bootdyno.system.readOrNull
import bootdyno.system.socket.TcpSocket
import bootdyno.system.socket.socketsOf
import bootdyno.system.socket.tcpSockets
import java.nio.file.Path

/**
 * Whether a connection to [port] has been opened since this object was made, in the network namespace of this process or of process [pid]. A
 * connection that was closed in between is seen too: the side that closed it first keeps it for a minute (TIME_WAIT).
 */
internal class NewConnections(private val port: Int, private val pid: Long?, private val proc: Path = PROC) {
    private val before = peers()

    /** True also where the kernel's tables cannot be read. */
    var seen = before == null
        private set

    /** The other ends of connections that processes have instead: `192.0.2.9:443`. */
    var elsewhere: Set<String> = emptySet()
        private set

    /** Looks for one. Without, [elsewhere] is found of the processes [engine], and of their children. */
    fun look(engine: List<Long> = emptyList()) {
        if (seen) return
        seen = peers()?.let { it - before.orEmpty() }?.isNotEmpty() ?: true
        if (!seen) elsewhere += otherEnds(engine)
    }

    /** The other ends of all connections to the port, from the view of either end; null if unreadable. */
    private fun peers(): Set<String>? = sockets()?.mapNotNullTo(HashSet()) {
        when (port) {
            it.port -> it.peer
            it.peerPort -> it.self
            else -> null
        }
    }

    private fun otherEnds(engine: List<Long>): Set<String> {
        val inodes = engine.flatMap(::familyOf).flatMap { socketsOf(it, proc).orEmpty() }.toSet()
        return sockets().orEmpty().filter { it.inode in inodes }.map { it.peer }.toSortedSet()
    }

    /** Connections in the tables of the kernel; null if unreadable. */
    private fun sockets(): List<TcpSocket>? {
        val tables = listOfNotNull("self", pid?.toString()).flatMap { of -> listOf("tcp", "tcp6").map { "$of/net/$it" } }
            .mapNotNull { readOrNull(proc.resolve(it)) }
        return tables.ifEmpty { null }?.flatMap(::tcpSockets)?.filter { it.state != TcpSocket.LISTENS }
    }
}
