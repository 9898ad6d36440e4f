package bootdyno.system.socket

import bootdyno.system.readOrNull
import java.net.InetAddress
import java.net.ServerSocket
import java.nio.file.Path
import java.util.HexFormat

/** A TCP socket that somebody on this machine listens on; [inode] is its number in the kernel. */
data class ListeningSocket(val address: InetAddress, val port: Int, val inode: String)

/** All of this machine, as the kernel says; none where it cannot be read. */
fun listeningSockets(): List<ListeningSocket> =
    listOf("/proc/net/tcp", "/proc/net/tcp6").flatMap { listening(readOrNull(Path.of(it)).orEmpty()) }

/** Where something listens on [port] that other machines may reach: `0.0.0.0`, `::`. */
fun addressesBeyondLoopback(port: Int): List<String> =
    listeningSockets().filter { it.port == port && !it.address.isLoopbackAddress }.map { it.address.hostAddress }.distinct()

/** A port of the loopback address that nobody listens on at this moment. */
fun freePort(): Int = ServerSocket(0, 1, InetAddress.getLoopbackAddress()).use { it.localPort }

/** The lines of a table as `/proc/net/tcp` is (proc_net(5)); addresses and ports are hexadecimal digits. */
fun listening(table: String): List<ListeningSocket> = table.lines().map { it.trim().split(Regex("\\s+")) }
    .filter { it.size > INODE && it[STATE] == LISTENS }
    .map {
        ListeningSocket(addressOf(it[LOCAL].substringBefore(':')), it[LOCAL].substringAfter(':').toInt(radix = 16), it[INODE])
    }

/** The kernel writes an address in words of four bytes, each as a number of this machine's order: little-endian wherever we run. */
private fun addressOf(digits: String): InetAddress =
    InetAddress.getByAddress(digits.chunked(8).flatMap { word -> HexFormat.of().parseHex(word).reversed() }.toByteArray())

private const val LOCAL = 1
private const val STATE = 3
private const val INODE = 9
private const val LISTENS = "0A"
