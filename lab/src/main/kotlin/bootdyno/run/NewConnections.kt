package bootdyno.run

import bootdyno.system.PROC
import bootdyno.system.readOrNull
import bootdyno.system.socket.TcpSocket
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

    fun look() {
        if (!seen) seen = peers()?.let { it - before.orEmpty() }?.isNotEmpty() ?: true
    }

    /** The other ends of all connections to the port, from the view of either end; null if unreadable. */
    private fun peers(): Set<String>? {
        val tables = listOfNotNull("self", pid?.toString()).flatMap { of -> listOf("tcp", "tcp6").map { "$of/net/$it" } }
            .mapNotNull { readOrNull(proc.resolve(it)) }
        if (tables.isEmpty()) return null
        return tables.flatMap(::tcpSockets).filter { it.state != TcpSocket.LISTENS }.mapNotNullTo(HashSet()) {
            when (port) {
                it.port -> it.peer
                it.peerPort -> it.self
                else -> null
            }
        }
    }
}
