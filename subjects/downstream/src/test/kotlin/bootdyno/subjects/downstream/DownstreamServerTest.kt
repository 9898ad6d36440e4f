package bootdyno.subjects.downstream

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.doubles.shouldBeGreaterThanOrEqual
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Test
import java.net.InetAddress
import java.net.Socket
import java.net.SocketException
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import java.net.http.HttpResponse.BodyHandlers
import java.util.concurrent.locks.LockSupport
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource.Monotonic

class DownstreamServerTest {
    private val client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()
    private val servers = mutableListOf<DownstreamServer>()

    @AfterEach
    fun end() {
        client.close()
        servers.forEach { it.close() }
    }

    private fun server(usual: Waiting = Waiting(Distribution.UNIFORM, 2.0), seed: Long = 1) =
        DownstreamServer.start(Settings(waiting = usual, seed = seed)).also { servers += it }

    /** Whether the peer closed, in the kind way or with a reset. */
    private fun Socket.endOfStream(): Boolean = try {
        getInputStream().read() < 0
    } catch (_: SocketException) {
        true
    }

    private fun DownstreamServer.ask(pathAndQuery: String): HttpResponse<String> =
        client.send(HttpRequest.newBuilder(URI("http://127.0.0.1:$port$pathAndQuery")).build(), BodyHandlers.ofString())

    /** The wait the server says it drew, in milliseconds. */
    private val HttpResponse<String>.waitMs: Double
        get() = headers().firstValue("server-timing").get().substringAfter("wait;dur=").toDouble()

    @Test
    fun `a slow request is answered with JSON, not before its wait is over`() {
        val server = server(Waiting(Distribution.FIXED, 50.0))
        val asked = Monotonic.markNow()
        val answer = server.ask("/slow")
        asked.elapsedNow().inWholeMicroseconds / 1e3 shouldBeGreaterThanOrEqual 50.0
        answer.statusCode() shouldBe 200
        answer.body() shouldBe """{"answer":"downstream"}"""
        answer.headers().firstValue("content-type").get() shouldBe "application/json"
        answer.waitMs shouldBe 50.0
    }

    @Test
    fun `the same arrivals wait the same with the same seed, and others with another`() {
        fun waits(seed: Long) = server(seed = seed).let { server -> List(20) { server.ask("/slow").waitMs } }
        val first = waits(seed = 3)
        waits(seed = 3) shouldBe first
        waits(seed = 4) shouldNotBe first
    }

    @Test
    fun `a request may ask for another distribution and another mean than usual`() {
        val server = server()
        server.ask("/slow?mean=7&distribution=fixed").waitMs shouldBe 7.0
        List(30) { server.ask("/slow?mean=1").waitMs }.count { it > 2 } shouldBe 0
        server.ask("/slow?distribution=fixed").waitMs shouldBe 2.0
    }

    @Test
    fun `what is not understood is refused with the reason, and not counted`() {
        val server = server()
        mapOf(
            "/slow?mean=soon" to "a mean is a number of milliseconds, not soon",
            "/slow?distribution=normal" to "normal is no distribution",
            "/slow?ms=5" to "ms is no parameter",
        ).forEach { (path, says) ->
            withClue(path) {
                val answer = server.ask(path)
                answer.statusCode() shouldBe 400
                answer.body() shouldContain says
            }
        }
        server.ask("/fast").statusCode() shouldBe 404
        server.ask("/counts").body() shouldStartWith """{"received":0,"""
    }

    @Test
    fun `it counts what it received and answered, by distribution, and neither readiness nor counting itself`() {
        val server = server()
        server.ask("/ready").statusCode() shouldBe 200
        repeat(3) { server.ask("/slow") }
        server.ask("/slow?distribution=fixed")
        server.ask("/counts").body() shouldBe
            """{"received":4,"answered":4,"abandoned":0,"inFlight":0,"mostInFlight":1,"byDistribution":""" +
            """{"uniform":{"received":3,"answered":3,"abandoned":0},"fixed":{"received":1,"answered":1,"abandoned":0}}}"""
    }

    @Test
    fun `hundreds wait at once without holding each other up, and those that leave are no longer waited for`() {
        val server = server(Waiting(Distribution.FIXED, 3_600_000.0))
        val waiting = List(500) { Socket(InetAddress.getLoopbackAddress(), server.port).also { it.send("/slow") } }
        await("500 in flight") { """"received":500,"answered":0,"abandoned":0,"inFlight":500""" in server.ask("/counts").body() }
        waiting.forEach { it.close() }
        await("all abandoned") {
            """"abandoned":500,"inFlight":0,"mostInFlight":500""" in server.ask("/counts").body()
        }
        server.ask("/slow?mean=1").statusCode() shouldBe 200
    }

    @Test
    fun `closing breaks every connection, whatever the server is doing`() {
        repeat(300) {
            val server = DownstreamServer.start(Settings(waiting = Waiting(Distribution.FIXED, 3_600_000.0)))
            val waiting = List(10) { Socket(InetAddress.getLoopbackAddress(), server.port).also { it.send("/slow") } }
            server.close()
            waiting.forEach { socket ->
                socket.soTimeout = 10_000
                socket.use { it.endOfStream() shouldBe true }
            }
        }
    }

    @Test
    fun `requests that do not wait for the answer before are answered in their order`() {
        val server = server()
        Socket(InetAddress.getLoopbackAddress(), server.port).use { socket ->
            socket.send("/slow?distribution=fixed&mean=40")
            socket.send("/slow?distribution=fixed&mean=1")
            socket.send("/ready", "Connection: close")
            val text = String(socket.getInputStream().readAllBytes())
            Regex("wait;dur=([0-9.]+)|(ready)").findAll(text).map { it.groupValues[1] + it.groupValues[2] }.toList()
                .shouldContainExactly("40.0", "1.0", "ready")
        }
    }

    @Test
    fun `a server with two places serves two at once and others in their order, and those that leave make room`() {
        val settings = Settings(waiting = Waiting(Distribution.FIXED, 3_600_000.0), atOnce = 2)
        val server = DownstreamServer.start(settings).also { servers += it }
        val (served, alsoServed, waits) = List(3) {
            Socket(InetAddress.getLoopbackAddress(), server.port).also { it.send("/slow") }
        }
        await("3 in flight") { server.inFlight == 3 }
        val last = client.sendAsync(
            HttpRequest.newBuilder(URI("http://127.0.0.1:${server.port}/slow?mean=1")).build(),
            BodyHandlers.ofString(),
        )
        await("4 in flight") { server.inFlight == 4 }
        waits.close()
        await("one has left the queue") { server.inFlight == 3 }
        last.isDone shouldBe false
        served.close()
        last.join().waitMs shouldBe 1.0
        alsoServed.close()
    }

    @Test
    fun `a server that refuses answers 429 while its places are taken, and counts that as an answer`() {
        val settings = Settings(waiting = Waiting(Distribution.FIXED, 3_600_000.0), atOnce = 1, refuses = true)
        val server = DownstreamServer.start(settings).also { servers += it }
        val served = Socket(InetAddress.getLoopbackAddress(), server.port).also { it.send("/slow") }
        await("1 in flight") { server.inFlight == 1 }
        server.ask("/slow").statusCode() shouldBe 429
        server.inFlight shouldBe 1
        served.close()
        await("none in flight") { server.inFlight == 0 }
        server.ask("/slow?mean=1").statusCode() shouldBe 200
    }

    private val DownstreamServer.inFlight: Int
        get() = ask("/counts").body().substringAfter(""""inFlight":""").substringBefore(',').toInt()

    private fun Socket.send(path: String, header: String = "X-Test: 1") =
        getOutputStream().write("GET $path HTTP/1.1\r\nHost: test\r\n$header\r\n\r\n".toByteArray())

    private fun await(what: String, condition: () -> Boolean) {
        val deadline = Monotonic.markNow() + 20.seconds
        while (!condition()) {
            check(deadline.hasNotPassedNow()) { "not within 20 s: $what" }
            LockSupport.parkNanos(10_000_000)
        }
    }
}
