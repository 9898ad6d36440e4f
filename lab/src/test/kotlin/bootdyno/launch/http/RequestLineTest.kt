package bootdyno.launch.http

import bootdyno.model.Step
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import java.net.InetAddress
import java.net.ServerSocket
import java.net.URI
import java.util.concurrent.CompletableFuture
import kotlin.concurrent.thread
import kotlin.time.Duration.Companion.seconds

class RequestLineTest {
    @Test
    fun `the path that shows readiness is sent in ASCII`() {
        ServerSocket(0, 1, InetAddress.getLoopbackAddress()).use { server ->
            val line = CompletableFuture<String>()
            thread {
                server.accept().use { socket ->
                    line.complete(socket.getInputStream().bufferedReader(Charsets.ISO_8859_1).readLine())
                    socket.getOutputStream().write("HTTP/1.1 204 No Content\r\n\r\n".toByteArray())
                }
            }
            VerificationClient(URI.create("http://127.0.0.1:${server.localPort}")).use { client ->
                client.ask(Step("ready", path = "/größe?x=日"), 10.seconds).status shouldBe 204
            }
            line.get() shouldBe "GET /gr%C3%B6%C3%9Fe?x=%E6%97%A5 HTTP/1.1"
        }
    }
}
