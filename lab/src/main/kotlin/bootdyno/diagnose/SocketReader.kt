package bootdyno.diagnose

import bootdyno.model.SocketReading
import bootdyno.system.readOrNull
import bootdyno.system.socket.TcpSocket
import bootdyno.system.socket.socketsOf
import bootdyno.system.socket.tcpSockets
import java.nio.file.Path

/** A connection in the accept queue has no inode. */
private const val NOT_ACCEPTED = "0"

/** The TCP connections of process [pid], whose clients use [port]. */
internal class SocketReader(private val pid: Long, private val port: Int, private val proc: Path) {
    /** Null without permission to read its file descriptors, or without `/proc`. */
    fun read(at: Double): SocketReading? {
        val open = socketsOf(pid, proc) ?: return null
        val all = listOf("tcp", "tcp6").flatMap { tcpSockets(readOrNull(proc.resolve("$pid/net/$it")).orEmpty()) }
        val listening = all.filter { it.state == TcpSocket.LISTENS && it.inode in open }
        val ports = listening.map { it.port }.toSet()
        val established = all.filter { it.state == TcpSocket.ESTABLISHED }
        val calling = established.filter { it.inode in open && it.port !in ports }
        return SocketReading(
            at = at,
            // Those on its other ports are ours, or of its management. Clients may open and close connections since the descriptors were read.
            inbound = if (port in ports) established.count { it.port == port && it.inode != NOT_ACCEPTED } else 0,
            outbound = calling.groupingBy { it.peer }.eachCount().toSortedMap(),
            listenQueue = listening.filter { it.port == port }.takeIf { it.isNotEmpty() }?.sumOf { it.receiveQueue }?.toInt(),
        )
    }
}
