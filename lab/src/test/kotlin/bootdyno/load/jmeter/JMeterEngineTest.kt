package bootdyno.load.jmeter

import bootdyno.load.Asked
import bootdyno.load.EngineFailed
import bootdyno.load.LoadOrder
import bootdyno.load.LoadSecond
import bootdyno.load.TruthServer
import bootdyno.load.answerBytes
import bootdyno.load.bench.after
import bootdyno.load.okAnswer
import bootdyno.model.Arrivals
import bootdyno.model.ErrorCause
import bootdyno.model.Expectation
import bootdyno.model.LoadProfile
import com.sun.net.httpserver.HttpServer
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldBeStrictlyIncreasing
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.doubles.shouldBeGreaterThanOrEqual
import io.kotest.matchers.longs.shouldBeGreaterThan
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.HdrHistogram.Histogram
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.net.InetAddress
import java.net.InetSocketAddress
import java.net.ServerSocket
import java.nio.file.Path
import java.util.concurrent.CompletableFuture
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicLong
import kotlin.concurrent.thread
import kotlin.io.path.readText
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/** A JMeter takes seconds to start: each test shows as much as one run can. */
class JMeterEngineTest {
    @TempDir
    private lateinit var folder: Path

    private fun engine(options: Map<String, String> = emptyMap()) = JMeterForTests.engine(folder.resolve("engine.log"), options)

    private fun order(
        port: Int,
        load: LoadProfile,
        window: Duration = 20.seconds,
        settle: Duration = Duration.ZERO,
        timeout: Duration = 5.seconds,
    ) = LoadOrder(
        host = "127.0.0.1",
        port = port,
        path = "/path?ms=5",
        expect = Expectation(body = "ok", contentType = "text/plain"),
        load = load,
        settle = settle,
        window = window,
        timeout = timeout,
    )

    private fun Histogram.millis(percentile: Double) = getValueAtPercentile(percentile) / 1e6

    private val good = okAnswer("ok")

    @Test
    fun `exactly 20 ms is 20 ms in closed load, warmed on a server of its own`() {
        val asked = AtomicLong()
        val reply = after(20.milliseconds)
        TruthServer.start { asked.incrementAndGet().let { _ -> reply(it) } }.use { server ->
            val seconds = mutableListOf<LoadSecond>()
            val measured = engine(mapOf("warm" to "1 s")).use { engine ->
                engine.drive(order(server.port, LoadProfile.Closed(10), 2.seconds, settle = 1.seconds)) {
                    engine.pid.shouldNotBeNull()
                    seconds += it
                }.also { engine.pid shouldBe null }
            }
            val found = measured.found
            val response = measured.latencies.response
            response.millis(0.0) shouldBeGreaterThanOrEqual 19.9
            response.millis(50.0) shouldBe (21.0 plusOrMinus 10.0)
            found.engine shouldBe "JMeter ${JMeterForTests.home.version}"
            found.errors shouldBe emptyMap()
            found.windowSeconds shouldBe 2.0
            found.inFlight shouldBe 10
            measured.latencies.unanswered.totalCount shouldBe 10
            found.operations.shouldBeEmpty()
            found.due shouldBe null
            // Little: 10 in flight, each for the mean response time.
            found.answered / found.windowSeconds * response.mean / 1e9 shouldBe (10.0 plusOrMinus 1.5)
            found.generator.cpuSeconds shouldBeGreaterThan 0.0
            // JMeter's own figures know nothing of its warming up; they are about all the subject was asked.
            found.printed.getValue("requests") shouldBe asked.get().toDouble()
            found.printed.getValue("min ms") shouldBeGreaterThanOrEqual 20.0
            seconds.map { it.at }.shouldBeStrictlyIncreasing()
            seconds.last().answered shouldBe asked.get()
            seconds.map { it.inWindow }.count { it } shouldBe (2 plusOrMinus 1)
        }
    }

    private infix fun Int.plusOrMinus(tolerance: Int) = io.kotest.matchers.ints.beInRange(this - tolerance..this + tolerance)

    @Test
    fun `10 threads and 100 loops are exactly 1,000 requests, over 10 connections`() {
        val asked = AtomicLong()
        val connections = AtomicLong()
        TruthServer.start {
            asked.incrementAndGet()
            if (it.onConnection == 0L) connections.incrementAndGet()
            it.answer(good)
        }.use { server ->
            val measured = engine().use { it.drive(order(server.port, LoadProfile.Burst(10, 100))) }
            measured.found.answered shouldBe 1000
            measured.found.errors shouldBe emptyMap()
            measured.found.inFlight shouldBe 0
            measured.latencies.response.totalCount shouldBe 1000
            measured.found.printed["requests"] shouldBe 1000.0
            asked.get() shouldBe 1000
            connections.get() shouldBe 10
        }
    }

    @Test
    fun `each failure is counted once, in its own class`() {
        val replies = listOf<Pair<ErrorCause?, (Asked) -> Unit>>(
            null to { it.answer(good) },
            ErrorCause.STATUS to answer("HTTP/1.1 500 No\r\nContent-Length: 2\r\n\r\nok"),
            ErrorCause.RESET to { it.reset() },
            ErrorCause.CLOSED to { it.close() },
            ErrorCause.BODY to answer("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nno"),
            ErrorCause.BODY to answer("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 2\r\n\r\nok"),
            ErrorCause.BODY to answer("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 0\r\n\r\n"),
            ErrorCause.TIMEOUT to { },
        )
        TruthServer.start { replies[(it.number % replies.size).toInt()].second(it) }.use { server ->
            val measured = engine().use {
                it.drive(order(server.port, LoadProfile.Burst(4, 2 * replies.size), timeout = 500.milliseconds))
            }
            measured.found.answered shouldBe 8
            measured.found.errors shouldBe
                replies.mapNotNull { it.first }.groupingBy { it }.eachCount().mapValues { (_, times) -> times * 8L }
            measured.latencies.unanswered.totalCount shouldBe 8
            measured.latencies.unanswered.millis(0.0) shouldBe (500.0 plusOrMinus 60.0)
        }
    }

    private fun answer(text: String): (Asked) -> Unit = answerBytes(text).let { bytes -> { it.answer(bytes) } }

    @Test
    fun `a refused port is refused, and what never answers is in flight when the window ends`() {
        val refusing = ServerSocket(0, 1, InetAddress.getLoopbackAddress()).use { it.localPort }
        engine().use { engine ->
            engine.drive(order(refusing, LoadProfile.Burst(2, 5))).found.errors shouldBe mapOf(ErrorCause.REFUSED to 10L)
            TruthServer.start { }.use { silent ->
                val measured = engine.drive(
                    order(silent.port, LoadProfile.Closed(3), window = 1.seconds, timeout = 1500.milliseconds),
                )
                measured.found.inFlight shouldBe 3
                measured.found.answered shouldBe 0
                measured.latencies.unanswered.totalCount shouldBe 3
                measured.latencies.unanswered.millis(100.0) shouldBe (1000.0 plusOrMinus 700.0)
            }
        }
    }

    @Test
    fun `method, headers and body arrive as ordered, whatever JMeter would read in them`() {
        val body = "{\"käse\": \"\${sorte}\", \"a\": \"\\\\\",\n\t\"b\": \"<&>\"}"
        val seen = ConcurrentHashMap<String, String>()
        val server = HttpServer.create(InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0)
        server.createContext("/") { exchange ->
            seen["asked"] = "${exchange.requestMethod} ${exchange.requestURI} ${exchange.requestHeaders.getFirst("X-Test")}"
            val content = exchange.requestBody.readAllBytes()
            exchange.responseHeaders["Content-Type"] = "application/json"
            exchange.sendResponseHeaders(201, content.size.toLong())
            exchange.responseBody.use { it.write(content) }
        }
        server.start()
        try {
            val order = order(server.address.port, LoadProfile.Burst(2, 3)).copy(
                method = "POST",
                headers = mapOf("X-Test" to "\${yes}", "Content-Type" to "application/json"),
                body = body,
                expect = Expectation(201, body, "application/json"),
            )
            engine().use { it.drive(order) }.found.answered shouldBe 6
            seen["asked"] shouldBe "POST /path?ms=5 \${yes}"
        } finally {
            server.stop(0)
        }
    }

    @Test
    fun `an interrupt ends JMeter, and the engine can drive again`() {
        val asked = AtomicLong()
        TruthServer.start { asked.incrementAndGet().let { _ -> it.answerAfter(10.milliseconds, good) } }.use { server ->
            engine().use { engine ->
                val running = CountDownLatch(1)
                val pid = CompletableFuture<Long>()
                val ending = CompletableFuture<Throwable?>()
                val driver = thread {
                    try {
                        engine.drive(order(server.port, LoadProfile.Closed(2), window = 60.seconds)) {
                            pid.complete(engine.pid)
                            running.countDown()
                        }
                        ending.complete(null)
                    } catch (interrupted: InterruptedException) {
                        ending.complete(interrupted)
                    }
                }
                running.await(60, TimeUnit.SECONDS) shouldBe true
                driver.interrupt()
                (ending.get(10, TimeUnit.SECONDS) is InterruptedException) shouldBe true
                ProcessHandle.of(pid.get()).map { it.isAlive }.orElse(false) shouldBe false
                val before = asked.get()
                engine.drive(order(server.port, LoadProfile.Burst(1, 1))).found.answered shouldBe 1
                asked.get() shouldBe before + 1
            }
        }
    }

    @Test
    fun `what it cannot do is said before anything starts`() {
        val engine = engine()
        engine.capabilities.open shouldBe false
        shouldThrow<EngineFailed> { engine.drive(order(1, LoadProfile.Open(10.0, Arrivals.CONSTANT))) }.message shouldContain
            "open load"
        shouldThrow<EngineFailed> { engine.drive(order(1, LoadProfile.Closed(1), window = Duration.ZERO)) }
        shouldThrow<EngineFailed> { engine(mapOf("threads" to "3")) }.message shouldContain "'threads'"
        val far = engine(mapOf("remotes" to "10.0.0.7:1099"))
        shouldThrow<EngineFailed> { far.drive(order(1, LoadProfile.Closed(1))) }.message shouldContain "target"
        val two = engine(mapOf("remotes" to "127.0.0.1:1,127.0.0.1:2"))
        shouldThrow<EngineFailed> { two.drive(order(1, LoadProfile.Closed(3))) }.message shouldContain "evenly"
    }
}
