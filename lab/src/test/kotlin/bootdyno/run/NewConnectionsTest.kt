package bootdyno.run

import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.net.InetAddress
import java.net.ServerSocket
import java.net.Socket
import java.nio.file.Path

class NewConnectionsTest {
    private val server = ServerSocket(0, 50, InetAddress.getLoopbackAddress())

    private fun connect() = Socket(server.inetAddress, server.localPort)

    @Test
    fun `only a connection that is opened later counts, also one that is closed again before anybody looks`(): Unit = server.use {
        connect().use {
            val connections = NewConnections(server.localPort, pid = null)
            connections.look()
            connections.seen shouldBe false
            connect().use { server.accept().close() }
            connections.look()
            connections.seen shouldBe true
        }
    }

    @Test
    fun `one to another port does not count, and is named`(): Unit = server.use {
        val connections = NewConnections(server.localPort, ProcessHandle.current().pid())
        ServerSocket(0, 1, InetAddress.getLoopbackAddress()).use { other ->
            Socket(other.inetAddress, other.localPort).use {
                connections.look(listOf(ProcessHandle.current().pid()))
                connections.seen shouldBe false
                connections.elsewhere shouldContain "127.0.0.1:${other.localPort}"
            }
        }
    }

    @Test
    fun `without the kernel's tables nothing is claimed`(@TempDir empty: Path) {
        NewConnections(server.localPort, pid = null, empty).seen shouldBe true
    }
}
