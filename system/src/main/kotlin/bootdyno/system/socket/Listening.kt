package bootdyno.system.socket

import bootdyno.system.readOrNull
import bootdyno.system.succeeds
import java.net.Inet6Address
import java.net.InetAddress
import java.net.ServerSocket
import java.nio.file.Path
import java.time.Instant
import kotlin.jvm.optionals.getOrNull
import kotlin.random.Random

/** A listening TCP socket of this machine; [inode] is its kernel number. */
data class ListeningSocket(val address: InetAddress, val port: Int, val inode: String)

/** All listening sockets of this machine; empty if unreadable. */
fun listeningSockets(): List<ListeningSocket> =
    listOf("/proc/net/tcp", "/proc/net/tcp6").flatMap { listening(readOrNull(Path.of(it)).orEmpty()) }

/** Non-loopback addresses that listen on [port]: `0.0.0.0`, `::`. */
fun addressesBeyondLoopback(port: Int): List<String> =
    listeningSockets().filter { it.port == port && !it.address.isLoopbackAddress }.map { it.address.hostAddress }.distinct()

/**
 * A currently free port of the loopback address, below those that the kernel gives to outgoing connections and to port 0 (from 32768,
 * `ip_local_port_range`). Another process could get one of these before the subject listens, some seconds later.
 */
fun freePort(): Int = generateSequence { Random.nextInt(FIRST_PORT, FIRST_EPHEMERAL) }.take(MOST_TRIES).find(::isFree)
    ?: ServerSocket(0, 1, InetAddress.getLoopbackAddress()).use { it.localPort }

private const val FIRST_PORT = 20_000
private const val FIRST_EPHEMERAL = 32_768
private const val MOST_TRIES = 100

private fun isFree(port: Int): Boolean = succeeds { ServerSocket(port, 1, InetAddress.getLoopbackAddress()).close() }

/** The listening sockets in a table like `/proc/net/tcp`. */
fun listening(table: String): List<ListeningSocket> =
    tcpSockets(table).filter { it.state == TcpSocket.LISTENS }.map { ListeningSocket(it.address, it.port, it.inode) }

/** Listening ports of a subject that should use [port]; [members]: its current processes; [since]: its start time. */
class OwnPorts(private val port: Int, private val since: Instant?, private val members: () -> List<Long>) {
    /** Its ports other than [port]. */
    fun others(): List<Int> = own().map { it.port }.distinct().minus(port).sorted()

    /** Whether it listens on no port; false if that is unknown. */
    fun areNone(): Boolean = members().let { all -> all.isNotEmpty() && all.all { socketsOf(it) != null } } && own().isEmpty()

    /** Whether it listens on [port] of the IPv6 loopback address, and there only: some servers understand `localhost` so. */
    fun isOnlyIpv6(): Boolean {
        val listening = own().filter { it.port == port }
        return listening.isNotEmpty() && listening.all { it.address is Inet6Address && it.address.isLoopbackAddress }
    }

    private fun own(): List<ListeningSocket> {
        val inodes = members().flatMap { socketsOf(it).orEmpty() }.toSet()
        return listeningSockets().filter { it.inode in inodes }
    }

    /** The process that listened on [port] before the subject started; null if it is the subject's, or unknown. */
    fun earlierListener(): Long? {
        val inodes = listeningSockets().filter { it.port == port }.map { it.inode }.ifEmpty { return null }
        val ownPids = members()
        if (ownPids.any { pid -> socketsOf(pid)?.let { open -> inodes.any { it in open } } ?: true }) return null
        val started = since ?: return null
        return ProcessHandle.allProcesses().filter { it.pid() !in ownPids && it.startedBefore(started) }.map { it.pid() }.toList()
            .find { pid -> socketsOf(pid).orEmpty().any { it in inodes } }
    }
}

private fun ProcessHandle.startedBefore(moment: Instant): Boolean = info().startInstant().getOrNull()?.isBefore(moment) ?: false
