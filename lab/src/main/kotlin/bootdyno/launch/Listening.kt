package bootdyno.launch

import bootdyno.process.readOrNull
import java.net.InetAddress
import java.nio.file.Path
import java.util.HexFormat

/** Where something listens on [port] that other machines may reach, as the kernel says: `0.0.0.0`, `::`; none where it cannot be read. */
internal fun addressesBeyondLoopback(port: Int): List<String> =
    listOf("/proc/net/tcp", "/proc/net/tcp6").flatMap { listening(readOrNull(Path.of(it)).orEmpty(), port) }
        .filterNot { it.isLoopbackAddress }.map { it.hostAddress }.distinct()

/** Lines of `/proc/net/tcp` are: number, local `address:port` in hexadecimal digits, remote one, state (`0A` listens), and more. */
internal fun listening(table: String, port: Int): List<InetAddress> = table.lines().map { it.trim().split(Regex("\\s+")) }
    .filter { it.size > 3 && it[3] == "0A" && it[1].substringAfter(':').toIntOrNull(radix = 16) == port }
    .map { InetAddress.getByAddress(addressBytes(it[1].substringBefore(':'))) }

/** The kernel writes an address in words of four bytes, each as a number of this machine's order: little-endian wherever we run. */
private fun addressBytes(digits: String): ByteArray =
    digits.chunked(8).flatMap { word -> HexFormat.of().parseHex(word).reversed() }.toByteArray()
