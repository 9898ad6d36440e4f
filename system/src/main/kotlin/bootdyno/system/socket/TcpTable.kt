package bootdyno.system.socket

import bootdyno.system.PROC
import bootdyno.system.ioOrNull
import java.net.Inet6Address
import java.net.InetAddress
import java.nio.file.Files
import java.nio.file.Path
import java.util.HexFormat

/** A TCP socket of a network namespace. [inode] is its kernel number; [receiveQueue] of a listening one: connections in its accept queue. */
class TcpSocket private constructor(
    private val local: String,
    private val remote: String,
    val state: String,
    val receiveQueue: Long,
    val inode: String,
) {
    val address: InetAddress get() = addressOf(local)
    val port: Int get() = portOf(local)
    val peerPort: Int get() = portOf(remote)

    /** This end and the other: `127.0.0.1:5432`, `[0:0:0:0:0:0:0:1]:5432`. */
    val self: String get() = authorityOf(local)
    val peer: String get() = authorityOf(remote)

    companion object {
        const val ESTABLISHED = "01"
        const val LISTENS = "0A"
        private const val LOCAL = 1
        private const val REMOTE = 2
        private const val STATE = 3
        private const val QUEUES = 4
        private const val INODE = 9

        /** Null for a line that is none, such as the heading. */
        internal fun of(line: String): TcpSocket? {
            val words = line.trim().split(SPACES)
            val queue = words.getOrNull(QUEUES)?.substringAfter(':', "")?.toLongOrNull(radix = 16)
            if (words.size <= INODE || queue == null) return null
            return TcpSocket(words[LOCAL], words[REMOTE], words[STATE], queue, words[INODE])
        }

        private val SPACES = Regex("\\s+")
    }
}

/** The sockets in a table like `/proc/net/tcp` (proc_net(5)); addresses, ports and queues are hexadecimal. */
fun tcpSockets(table: String): List<TcpSocket> = table.lineSequence().mapNotNull(TcpSocket::of).toList()

/** Inodes of the open sockets of process [pid]; null without permission, or without `/proc`. */
fun socketsOf(pid: Long, proc: Path = PROC): Set<String>? =
    ioOrNull { Files.newDirectoryStream(proc.resolve("$pid/fd")).use { open -> open.mapNotNull(::socketAt).toSet() } }

/** Null if it is no socket, or closed meanwhile. */
private fun socketAt(descriptor: Path): String? =
    ioOrNull { SOCKET.matchEntire(Files.readSymbolicLink(descriptor).toString())?.groupValues?.get(1) }

private val SOCKET = Regex("""socket:\[(\d+)]""")

/** The kernel writes addresses as words of four bytes in native order: little-endian on all our platforms. */
private fun addressOf(end: String): InetAddress = InetAddress.getByAddress(
    end.substringBefore(':').chunked(8).flatMap { word -> HexFormat.of().parseHex(word).reversed() }.toByteArray(),
)

private fun authorityOf(end: String): String {
    val address = addressOf(end)
    val host = address.hostAddress
    return (if (address is Inet6Address) "[$host]" else host) + ":${portOf(end)}"
}

private fun portOf(end: String): Int = end.substringAfter(':').toInt(radix = 16)
