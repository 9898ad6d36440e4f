package bootdyno.diagnose

import bootdyno.model.SocketReading
import bootdyno.system.readOrNull
import bootdyno.system.socket.TcpSocket
import bootdyno.system.socket.socketsOf
import bootdyno.system.socket.tcpSockets
import java.nio.file.Path

/** The TCP connections of process [pid], whose clients use [port]. */
internal class SocketReader(private val pid: Long, private val port: Int, private val proc: Path) {
    /** Null without permission to read its file descriptors, or without `/proc`. */
    fun read(at: Double): SocketReading? {
        val open = socketsOf(pid, proc) ?: return null
        val own = listOf("tcp", "tcp6").flatMap { tcpSockets(readOrNull(proc.resolve("$pid/net/$it")).orEmpty()) }.filter {
            it.inode in
                open
        }
        val listening = own.filter { it.state == TcpSocket.LISTENS }
        val ports = listening.map { it.port }.toSet()
        val (inbound, outbound) = own.filter { it.state == TcpSocket.ESTABLISHED }.partition { it.port in ports }
        return SocketReading(
            at = at,
            // Those on its other ports are ours, or of its management.
            inbound = inbound.count { it.port == port },
            outbound = outbound.groupingBy { it.peer }.eachCount().toSortedMap(),
            listenQueue = listening.filter { it.port == port }.takeIf { it.isNotEmpty() }?.sumOf { it.receiveQueue }?.toInt(),
        )
    }
}
