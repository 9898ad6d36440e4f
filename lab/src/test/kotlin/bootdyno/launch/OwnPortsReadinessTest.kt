package bootdyno.launch

import bootdyno.engine.Hostile
import bootdyno.engine.HostileServer
import bootdyno.engine.ServerTls
import bootdyno.engine.TruthServer
import bootdyno.engine.okAnswer
import bootdyno.launch.http.VerificationClient
import bootdyno.system.socket.OwnPorts
import bootdyno.system.socket.freePort
import com.sun.net.httpserver.HttpServer
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContainAll
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.parallel.Isolated
import java.net.InetAddress
import java.net.InetSocketAddress
import java.net.NetworkInterface
import java.net.URI
import java.time.Instant
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/** The subject is this JVM with all of its ports, also those of tests that run at the same time. */
@Isolated
class OwnPortsReadinessTest {
    private val given = freePort()
    private val ports = OwnPorts(given, Instant.now()) { listOf(ProcessHandle.current().pid()) }

    private fun subject(moved: (URI) -> Unit = {}): CheckedSubject {
        val client = VerificationClient(URI.create("http://127.0.0.1:$given"))
        return CheckedSubject(client, { emptyList() }, { null }, ports, moved = moved)
    }

    private fun await(subject: CheckedSubject, within: Duration): Boolean =
        Answers(subject).use { it.awaitReady(Readiness("/ready", within), 5.milliseconds, {}) { true } }

    @Test
    fun `a subject that serves on a port of its own is found there`() {
        HostileServer(Hostile.GOOD).use { server ->
            var moved: URI? = null
            val subject = subject { moved = it }
            await(subject, 60.seconds)
            moved shouldBe URI.create("http://127.0.0.1:${subject.client.port}")
            ports.others() shouldContainAll listOf(server.port, subject.client.port)
        }
    }

    @Test
    fun `a subject that listens at the IPv6 loopback address only is found there`() {
        val ipv6 = InetAddress.getByName("::1")
        assumeTrue(NetworkInterface.getByInetAddress(ipv6) != null, "this machine has no ::1")
        val server = HttpServer.create(InetSocketAddress(ipv6, given), 0).apply {
            createContext("/") { exchange -> exchange.use { it.sendResponseHeaders(200, -1) } }
            start()
        }
        try {
            var moved: URI? = null
            await(subject { moved = it }, 60.seconds)
            moved shouldBe URI.create("http://[::1]:$given")
        } finally {
            server.stop(0)
        }
    }

    @Test
    fun `a subject that says nowhere that it is ready is told of with its ports`() {
        HostileServer(Hostile.NOT_FOUND).use {
            val failure = shouldThrow<LaunchFailed> { await(subject(), 1.2.seconds) }
            failure.reason shouldContain Regex("it listens on [\\d, ]+ and not on $given, which it was given")
        }
    }

    @Test
    fun `a subject that listens with TLS on a port of its own is told of, with what may help`() {
        // Makes its certificate, which takes longer than a handshake.
        ServerTls.engine()
        TruthServer.start({ ServerTls.engine("http/1.1") }) { it.answer(okAnswer("ok")) }.use { server ->
            val failure = shouldThrow<LaunchFailed> { await(subject(), 12.seconds) }
            failure.reason shouldContain "On its own port ${server.port}, it speaks TLS"
            failure.remedy shouldBe OVER_TLS
        }
    }
}
