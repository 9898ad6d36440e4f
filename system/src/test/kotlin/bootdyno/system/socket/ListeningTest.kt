package bootdyno.system.socket

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.collections.shouldNotContain
import io.kotest.matchers.ints.shouldBeLessThan
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.condition.EnabledOnOs
import org.junit.jupiter.api.condition.OS
import java.net.InetAddress
import java.net.ServerSocket
import java.nio.file.Path
import kotlin.io.path.readText

class ListeningTest {
    @Test
    fun `addresses are read as the kernel writes them`() {
        val rest = "00000000:00000000 00:00000000 00000000  0        0 4711 1"
        val table = """
              sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
               0: 0100007F:1F90 00000000:0000 0A $rest
               1: 00000000:1F90 00000000:0000 0A $rest
               2: 0100007F:1F90 0100007F:A001 01 $rest
        """.trimIndent()
        listening(table).map { "${it.address.hostAddress} ${it.port} ${it.inode}" } shouldContainExactly
            listOf("127.0.0.1 8080 4711", "0.0.0.0 8080 4711")
        val six =
            listOf("0000000000000000FFFF00000100007F", "00000000000000000000000001000000", "00000000000000000000000000000000")
        listening(six.joinToString("\n") { "0: $it:0050 0:0 0A $rest" }).map { it.address.isLoopbackAddress } shouldContainExactly
            listOf(true, true, false)
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    fun `a server that all may reach is told from one on the loopback`() {
        ServerSocket(0).use { addressesBeyondLoopback(it.localPort).shouldNotBeEmpty() }
        ServerSocket(0, 1, InetAddress.getLoopbackAddress()).use { addressesBeyondLoopback(it.localPort).shouldBeEmpty() }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    fun `a free port is no port that the kernel gives to connections, and nobody listens on it`() {
        val firstOfConnections = Path.of("/proc/sys/net/ipv4/ip_local_port_range").readText().trim().substringBefore('\t').toInt()
        ServerSocket(freePort(), 1, InetAddress.getLoopbackAddress()).use {
            it.localPort shouldBeLessThan firstOfConnections
            List(20_000) { freePort() } shouldNotContain it.localPort
        }
    }
}
