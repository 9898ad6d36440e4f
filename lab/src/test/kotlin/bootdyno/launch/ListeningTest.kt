package bootdyno.launch

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldNotBeEmpty
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.condition.EnabledOnOs
import org.junit.jupiter.api.condition.OS
import java.net.InetAddress
import java.net.ServerSocket

class ListeningTest {
    @Test
    fun `addresses are read as the kernel writes them`() {
        val table = """
              sl  local_address rem_address   st tx_queue rx_queue
               0: 0100007F:1F90 00000000:0000 0A 00000000:00000000
               1: 00000000:1F90 00000000:0000 0A 00000000:00000000
               2: 0100007F:1F90 0100007F:A001 01 00000000:00000000
               3: 0100007F:1F91 00000000:0000 0A 00000000:00000000
        """.trimIndent()
        listening(table, 0x1F90).map { it.hostAddress } shouldContainExactly listOf("127.0.0.1", "0.0.0.0")
        listening("  0: 0000000000000000FFFF00000100007F:0050 0:0 0A", 80).filterNot { it.isLoopbackAddress }.shouldBeEmpty()
        listening("  0: 00000000000000000000000001000000:0050 0:0 0A", 80).filterNot { it.isLoopbackAddress }.shouldBeEmpty()
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    fun `a server that all may reach is told from one on the loopback`() {
        ServerSocket(0).use { addressesBeyondLoopback(it.localPort).shouldNotBeEmpty() }
        ServerSocket(0, 1, InetAddress.getLoopbackAddress()).use { addressesBeyondLoopback(it.localPort).shouldBeEmpty() }
    }
}
