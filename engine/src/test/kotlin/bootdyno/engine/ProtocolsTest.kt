package bootdyno.engine

import bootdyno.engine.netty.Connection
import bootdyno.engine.netty.Drive
import bootdyno.engine.netty.sum
import bootdyno.model.ErrorCause
import bootdyno.model.Expectation
import bootdyno.model.HttpVersion
import bootdyno.model.LoadFound
import bootdyno.model.LoadProfile
import bootdyno.model.Step
import io.kotest.assertions.withClue
import io.kotest.matchers.doubles.shouldBeGreaterThanOrEqual
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import io.kotest.matchers.longs.shouldBeGreaterThan
import io.kotest.matchers.maps.shouldContain
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestInstance
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicLong
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/** The drive over TLS and HTTP/2, in this process, against servers that count what they get. */
@Tag("live")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ProtocolsTest {
    private val loops = Transport.best.loops(2, "protocols")

    @AfterAll
    fun end() {
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS)
    }

    private fun drive(order: LoadOrder): LoadMeasured = Drive(order, loops) {}.run()

    /** A burst ends with its last answer, which takes long where others have the CPUs. */
    private fun windowOf(load: LoadProfile) = if (load is LoadProfile.Burst) 30.seconds else 1.seconds

    private fun order2(port: Int, load: LoadProfile, secure: Boolean = false) =
        order(port, load, window = windowOf(load)).copy(https = secure, http = HttpVersion.HTTP_2)

    private val loads = listOf(LoadProfile.Closed(10), LoadProfile.Open(200.0), LoadProfile.Burst(10, 20))

    @Test
    fun `HTTP 1_1 over TLS with a self-signed certificate is answered in each kind of load, after the server's delay`() {
        loads.forEach { load ->
            TruthServer.start({ ServerTls.engine("http/1.1") }, after(20.milliseconds)).use { server ->
                val measured = drive(order(server.port, load, window = windowOf(load)).copy(https = true))
                withClue(load) {
                    measured.found.errors shouldBe emptyMap()
                    measured.found.answered shouldBeGreaterThan 0L
                    measured.latencies.response.millis(0.0) shouldBeGreaterThanOrEqual 19.9
                }
            }
        }
    }

    @Test
    fun `HTTP 2 is answered in each kind of load, with TLS and without, after the server's delay`() {
        listOf(true, false).forEach { secure ->
            loads.forEach { load ->
                val asked = AtomicLong()
                Http2Server(secure) {
                    asked.incrementAndGet()
                    it.answerAfter(20.milliseconds)
                }.use { server ->
                    val measured = drive(order2(server.port, load, secure))
                    withClue("$load, TLS: $secure") {
                        measured.found.errors shouldBe emptyMap()
                        measured.found.answered + measured.found.inFlight shouldBe asked.get()
                        measured.latencies.response.millis(0.0) shouldBeGreaterThanOrEqual 19.9
                        if (load is LoadProfile.Burst) measured.found.answered shouldBe 200
                    }
                }
            }
        }
    }

    @Test
    fun `250 concurrent requests share three connections, 100 at most on one`() {
        Http2Server { it.answerAfter(50.milliseconds) }.use { server ->
            drive(order2(server.port, LoadProfile.Closed(250))).found.errors shouldBe emptyMap()
            server.mostOfConnection.values.sorted() shouldBe listOf(50, 100, 100)
        }
    }

    @Test
    fun `a server that allows ten streams gets ten on each connection, and all requests`() {
        Http2Server(maxStreams = 10) { it.answerAfter(50.milliseconds) }.use { server ->
            drive(order2(server.port, LoadProfile.Closed(40))).found.errors shouldBe emptyMap()
            server.mostOfConnection.values.toSet() shouldBe setOf(10)
            server.connections shouldBe 4
        }
    }

    @Test
    fun `each user of a burst has a connection of its own`() {
        Http2Server { it.answer() }.use { server ->
            drive(order2(server.port, LoadProfile.Burst(30, 5))).found.answered shouldBe 150
            server.connections shouldBe 30
        }
    }

    @Test
    fun `reset streams, wrong answers, closed connections and streams after a GOAWAY are each counted once, by their cause`() {
        Http2Server {
            when (it.number % 5) {
                0L -> it.reset()
                1L -> it.answer(status = 500)
                2L -> it.answer("no")
                3L -> it.close()
                else -> it.answer()
            }
        }.use { server ->
            val found = drive(order2(server.port, LoadProfile.Burst(1, 50)).copy(window = 30.seconds)).found
            found.answered shouldBe 10
            found.errors shouldBe
                mapOf(ErrorCause.RESET to 10L, ErrorCause.STATUS to 10L, ErrorCause.BODY to 10L, ErrorCause.CLOSED to 10L)
        }
    }

    @Test
    fun `a GOAWAY loses no request that it includes, and the next one opens another connection`() {
        Http2Server {
            if (it.onConnection == 4L) it.goAway()
            it.answer()
        }.use { server ->
            val found = drive(order2(server.port, LoadProfile.Burst(2, 20)).copy(window = 30.seconds)).found
            found.errors shouldBe emptyMap()
            found.answered shouldBe 40
            server.connections shouldBe 8
        }
    }

    @Test
    fun `requests that a graceful GOAWAY excludes are sent again over another connection`() {
        Http2Server {
            if (it.onConnection == 50L) it.goAway()
            it.answer()
        }.use { server ->
            val found = drive(order2(server.port, LoadProfile.Closed(20))).found
            found.errors shouldBe emptyMap()
            found.answered shouldBeGreaterThan 100L
            (server.connections > 1) shouldBe true
        }
    }

    @Test
    fun `a request that times out resets its stream and leaves the others on their connection`() {
        Http2Server { if (it.number % 10 == 0L) Unit else it.answer() }.use { server ->
            val order = order2(server.port, LoadProfile.Closed(10)).copy(timeout = 200.milliseconds, drain = 300.milliseconds)
            val found = drive(order).found
            found.errors.keys shouldBe setOf(ErrorCause.TIMEOUT)
            found.answered shouldBeGreaterThan 0L
            server.connections shouldBeLessThanOrEqual 1
        }
    }

    @Test
    fun `method, path, headers and body arrive as ordered, without those of HTTP 1_1 connections`() {
        Http2Server { it.answer(it.body, status = 201) }.use { server ->
            val headers = mapOf("X-Test" to "yes", "Connection" to "keep-alive", "Content-Type" to "application/json")
            val body = "{\"k\":\"ä\"}"
            val step = Step("post", "POST", "/a%20b?c=d", headers, body, Expectation(201, body, "text/plain"))
            val found = drive(order2(server.port, LoadProfile.Burst(1, 1)).copy(steps = listOf(step))).found
            found.answered shouldBe 1
            val seen = server.received.single()
            seen shouldContain (":method" to "POST")
            seen shouldContain (":path" to "/a%20b?c=d")
            seen shouldContain (":authority" to "127.0.0.1:${server.port}")
            seen shouldContain ("x-test" to "yes")
            seen shouldContain ("content-length" to "10")
            ("connection" in seen) shouldBe false
        }
    }

    @Test
    fun `a server that answers for one name only is loaded under that name, over HTTP 1_1 and 2`() {
        fun drive(port: Int, name: String?, http: HttpVersion): LoadFound {
            val order = order(port, LoadProfile.Burst(2, 2), window = 30.seconds)
            return drive(order.copy(https = true, serverName = name, http = http)).found
        }
        // Makes its certificate, which takes longer than a handshake.
        ServerTls.engine()
        TruthServer.start({ ServerTls.engineOf("shop.example") }) { it.answer(good) }.use { server ->
            drive(server.port, "shop.example", HttpVersion.HTTP_1_1).answered shouldBe 4
            listOf(null, "other.example").forEach { drive(server.port, it, HttpVersion.HTTP_1_1).answered shouldBe 0 }
        }
        Http2Server(secure = true, tls = { ServerTls.engineOf("shop.example", "h2") }) { it.answer() }.use { server ->
            drive(server.port, "shop.example", HttpVersion.HTTP_2).answered shouldBe 4
            server.received.map { it[":authority"] }.distinct() shouldBe listOf("shop.example:${server.port}")
        }
    }

    @Test
    fun `a server of another protocol fails each request as invalid HTTP or TLS`() {
        TruthServer.start { it.answer(good) }.use { plain ->
            listOf(
                order(plain.port, LoadProfile.Burst(3, 2), window = 30.seconds).copy(https = true),
                order2(plain.port, LoadProfile.Burst(3, 2)),
                order2(plain.port, LoadProfile.Burst(3, 2), secure = true),
            ).forEach { drive(it.copy(window = 30.seconds, timeout = 2.seconds)).found.errors.values.sum() shouldBe 6 }
        }
        TruthServer.start({ ServerTls.engine("http/1.1") }) { it.answer(good) }.use { secure ->
            val found = drive(order2(secure.port, LoadProfile.Burst(3, 2), secure = true)).found
            found.errors shouldBe mapOf(ErrorCause.PROTOCOL to 6L)
        }
        val found = drive(order2(refusedPort(), LoadProfile.Burst(3, 2), secure = true)).found
        found.errors shouldBe mapOf(ErrorCause.REFUSED to 6L)
    }
}
