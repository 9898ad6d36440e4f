package bootdyno.load.gatling

import bootdyno.load.Asked
import bootdyno.load.EngineFailed
import bootdyno.load.EngineSeat
import bootdyno.load.LoadOrder
import bootdyno.load.LoadSecond
import bootdyno.load.TruthServer
import bootdyno.load.answerBytes
import bootdyno.load.bench.after
import bootdyno.load.okAnswer
import bootdyno.model.Arrivals
import bootdyno.model.EngineSpec
import bootdyno.model.ErrorCause
import bootdyno.model.Expectation
import bootdyno.model.LoadProfile
import com.sun.net.httpserver.HttpServer
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.doubles.shouldBeGreaterThanOrEqual
import io.kotest.matchers.longs.shouldBeGreaterThan
import io.kotest.matchers.longs.shouldBeInRange
import io.kotest.matchers.maps.shouldContain
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.HdrHistogram.Histogram
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.BeforeAll
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestInstance
import java.net.InetAddress
import java.net.InetSocketAddress
import java.net.ServerSocket
import java.nio.file.Files
import java.nio.file.Path
import java.util.concurrent.CompletableFuture
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicLong
import kotlin.concurrent.thread
import kotlin.io.path.writeText
import kotlin.jvm.optionals.getOrNull
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/** Gatling itself against servers whose truth is known. Each drive is a new JVM, so that one drive shows as much as it can. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GatlingEngineTest {
    private val folder = Files.createTempDirectory("gatling-test")
    private val cache = Path.of("target", "gatling-cache")
    private val good = okAnswer("ok")
    private val engine by lazy { engine() }

    @BeforeAll
    fun fetch() {
        val missing = try {
            GatlingHome.inside(cache, ::println)
            null
        } catch (failure: EngineFailed) {
            failure.message
        }
        assumeTrue(missing == null, missing)
    }

    @AfterAll
    fun clean() {
        engine.close()
        folder.toFile().deleteRecursively()
    }

    /** Cold, since warming takes seconds and no figure here depends on it. */
    private fun engine(script: Path? = null, vararg options: Pair<String, String>): GatlingEngine {
        val seat = EngineSeat(emptyList(), folder.resolve("engine.log"), cache)
        val all = if (script == null) mapOf("warm" to "0 s") + options else options.toMap()
        return GatlingEngine.start(seat, EngineSpec("gatling", script?.toString(), all))
    }

    private fun order(
        port: Int,
        load: LoadProfile,
        window: Duration = 20.seconds,
        settle: Duration = Duration.ZERO,
        timeout: Duration = 10.seconds,
        expect: Expectation = Expectation(body = "ok"),
    ) = LoadOrder(
        host = "127.0.0.1",
        port = port,
        path = "/path?ms=5",
        expect = expect,
        load = load,
        settle = settle,
        window = window,
        timeout = timeout,
        drain = 10.seconds,
    )

    private fun Histogram.millis(percentile: Double) = getValueAtPercentile(percentile) / 1e6

    // Our profiles

    @Test
    fun `exactly 20 ms is 20 ms in closed load, each user on one connection`() {
        val asked = AtomicLong()
        val connections = AtomicLong()
        val reply = after(20.milliseconds)
        val counting: (Asked) -> Unit = {
            asked.incrementAndGet()
            if (it.onConnection == 0L) connections.incrementAndGet()
            reply(it)
        }
        TruthServer.start(counting).use { server ->
            val seconds = mutableListOf<LoadSecond>()
            var askedBefore: Long? = null
            val measured = engine.drive(order(server.port, LoadProfile.Closed(10), window = 3.seconds, settle = 2.seconds)) {
                if (seconds.isEmpty()) askedBefore = asked.get()
                seconds += it
            }
            val response = measured.latencies.response
            // Two stamps in whole milliseconds: 20 ms can read 20 or 21.
            response.millis(0.0) shouldBeGreaterThanOrEqual 19.9
            response.millis(50.0) shouldBe (20.0 plusOrMinus 10.0)
            measured.latencies.service shouldBe response
            connections.get() shouldBe 10
            measured.found.errors shouldBe emptyMap()
            measured.found.windowSeconds shouldBe 3.0
            measured.found.inFlight shouldBe 10
            measured.found.due shouldBe null
            measured.found.generator.lagP99Ms shouldBe null
            measured.found.generator.cpuSeconds shouldBeGreaterThan 0.0
            measured.found.printed shouldContain ("requests of the whole run" to asked.get().toDouble())
            // Little: 10 in flight, each for the mean response time.
            val inFlight = measured.found.answered / measured.found.windowSeconds * response.mean / 1e9
            inFlight shouldBe (10.0 plusOrMinus 1.0)
            seconds.first() shouldBe LoadSecond(0.0, false, 0, 0, 0, null)
            askedBefore shouldBe 0
            seconds.map { it.inWindow }.toSet() shouldBe setOf(false, true)
            seconds.last().answered shouldBe asked.get()
        }
    }

    @Test
    fun `a burst of 20 users who ask 50 times each is 1,000 requests, and a warm Gatling asks the subject not once more`() {
        val asked = AtomicLong()
        TruthServer.start { asked.incrementAndGet().let { _ -> it.answer(good) } }.use { server ->
            engine(null, "warm" to "1 s").use { warmed ->
                val found = warmed.drive(order(server.port, LoadProfile.Burst(20, 50))).found
                found.answered shouldBe 1_000
                found.errors shouldBe emptyMap()
                found.inFlight shouldBe 0
                asked.get() shouldBe 1_000
            }
        }
    }

    @Test
    fun `a burst that does not end is cut off at the window, what is under way being in flight`() {
        TruthServer.start(after(400.milliseconds)).use { server ->
            val measured = engine.drive(order(server.port, LoadProfile.Burst(5, 1000), window = 1.seconds))
            measured.found.windowSeconds shouldBe (1.0 plusOrMinus 0.4)
            measured.found.answered shouldBeInRange 5L..15L
            measured.found.inFlight shouldBe 5
            measured.latencies.unanswered.totalCount shouldBe 5
            measured.found.leftAfter shouldBe 0
        }
    }

    @Test
    fun `constant arrivals come at their rate over shared connections, and Gatling hides that a kept one was closed`() {
        val connections = AtomicLong()
        val asked = AtomicLong()
        val closed = AtomicLong()
        val counting: (Asked) -> Unit = {
            asked.incrementAndGet()
            if (it.onConnection == 0L) connections.incrementAndGet()
            if (it.onConnection == 19L) {
                closed.incrementAndGet()
                it.close()
            } else {
                it.answer(good)
            }
        }
        TruthServer.start(counting).use { server ->
            val load = LoadProfile.Open(200.0)
            val found = engine.drive(order(server.port, load, window = 2.seconds, settle = 1500.milliseconds)).found
            found.due.shouldNotBeNull() shouldBeInRange 360L..440L
            // It asks again on a new connection, and says nothing of it.
            found.errors shouldBe emptyMap()
            closed.get() shouldBeGreaterThan 0
            found.printed shouldContain ("requests of the whole run" to (asked.get() - closed.get()).toDouble())
            // It may open many while it is cold, but far from one each.
            connections.get() shouldBeInRange 1L..asked.get() / 2
        }
    }

    @Test
    fun `poisson arrivals come at their rate, with a connection for each user if that is asked for`() {
        val connections = AtomicLong()
        val counting: (Asked) -> Unit = {
            if (it.onConnection == 0L) connections.incrementAndGet()
            it.answer(good)
        }
        TruthServer.start(counting).use { server ->
            engine(null, "connections" to "per-user").use { each ->
                val found = each.drive(order(server.port, LoadProfile.Open(500.0, Arrivals.POISSON), window = 2.seconds)).found
                // 1,000 of them have a standard deviation of 32.
                found.due.shouldNotBeNull() shouldBeInRange 840L..1160L
                found.answered + found.inFlight + found.errors.values.sum() shouldBe found.due
                connections.get().toDouble() shouldBe found.printed.getValue("requests of the whole run")
            }
        }
    }

    // Failures: each counted once, in its own class

    private class Fault(val cause: ErrorCause?, val reply: (Asked) -> Unit)

    private fun raw(text: String): (Asked) -> Unit = answerBytes(text).let { bytes -> { it.answer(bytes) } }

    private fun rawThenClose(text: String): (Asked) -> Unit = answerBytes(text).let { bytes ->
        {
            it.answer(bytes)
            it.close()
        }
    }

    /** Each request comes on a connection of its own: one that fails on a kept one is asked again on another. */
    @Test
    fun `faults are each counted once, in their own class, and the classes add up to the requests`() {
        val faults = listOf(
            Fault(null, raw("HTTP/1.1 200 OK\r\n${CLOSE}Content-Length: 2\r\n\r\nok")),
            Fault(ErrorCause.STATUS, raw("HTTP/1.1 500 No\r\n${CLOSE}Content-Length: 2\r\n\r\nok")),
            Fault(ErrorCause.STATUS, raw("HTTP/1.1 302 Away\r\nLocation: /elsewhere\r\n${CLOSE}Content-Length: 0\r\n\r\n")),
            Fault(ErrorCause.RESET) { it.reset() },
            Fault(ErrorCause.CLOSED) { it.close() },
            Fault(ErrorCause.CLOSED, rawThenClose("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok")),
            Fault(ErrorCause.BODY, raw("HTTP/1.1 200 OK\r\n${CLOSE}Content-Length: 2\r\n\r\nno")),
            Fault(
                ErrorCause.BODY,
                raw("HTTP/1.1 200 OK\r\n${CLOSE}Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n1\r\n!\r\n0\r\n\r\n"),
            ),
            Fault(ErrorCause.PROTOCOL, raw("SSH-2.0-OpenSSH_9.2\r\n\r\n")),
            Fault(ErrorCause.TIMEOUT) { },
            Fault(null, rawThenClose("HTTP/1.1 200 OK\r\n\r\nok")),
        )
        TruthServer.start { faults[(it.number % faults.size).toInt()].reply(it) }.use { server ->
            val burst = LoadProfile.Burst(users = 10, requestsEach = faults.size)
            val measured = engine.drive(order(server.port, burst, timeout = 500.milliseconds))
            val expected = faults.groupingBy { it.cause }.eachCount().mapValues { it.value * 10L }
            measured.found.errors shouldBe expected.filterKeys { it != null }
            measured.found.answered shouldBe expected.getValue(null)
            measured.found.inFlight shouldBe 0
            measured.latencies.response.totalCount shouldBe expected.getValue(null)
            measured.latencies.unanswered.totalCount shouldBe 10
            measured.latencies.unanswered.millis(50.0) shouldBe (500.0 plusOrMinus 200.0)
        }
    }

    @Test
    fun `a closed loop that is refused counts each attempt and does not spin`() {
        val nobody = ServerSocket(0, 1, InetAddress.getLoopbackAddress()).use { it.localPort }
        val found = engine.drive(order(nobody, LoadProfile.Closed(10), window = 1.seconds)).found
        found.answered shouldBe 0
        found.errors.keys shouldBe setOf(ErrorCause.REFUSED)
        // Waits of 10 + 20 + 40 + 80 ms, then 100 ms: at most 14 attempts a user in the first second.
        found.errors.getValue(ErrorCause.REFUSED) shouldBeInRange 10L..200L
    }

    @Test
    fun `method, headers and body arrive as ordered, even where they look like Gatling's own expressions`() {
        val seen = ConcurrentHashMap<String, String>()
        val server = HttpServer.create(InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0)
        server.createContext("/") { exchange ->
            val content = exchange.requestBody.readAllBytes()
            seen["${exchange.requestMethod} ${exchange.requestURI}"] =
                "${exchange.requestHeaders.getFirst("X-Test")} ${content.decodeToString()}"
            exchange.responseHeaders.add("Content-Type", "application/json;charset=UTF-8")
            exchange.sendResponseHeaders(201, content.size.toLong())
            exchange.responseBody.use { it.write(content) }
        }
        server.start()
        try {
            val body = "{\"käse\":\"#{price}\"}"
            val expect = Expectation(status = 201, body = body, contentType = "application/json")
            val order = order(server.address.port, LoadProfile.Burst(2, 3), expect = expect)
                .copy(method = "POST", path = "/a%20b?c=%23{d}", headers = mapOf("X-Test" to "#{yes}"), body = body)
            engine.drive(order).found.run {
                errors shouldBe emptyMap()
                answered shouldBe 6
            }
            seen shouldBe mapOf("POST /a%20b?c=%23{d}" to "#{yes} $body")
        } finally {
            server.stop(0)
        }
    }

    @Test
    fun `an order that cannot be carried out is the engine's failure, not the subject's`() {
        shouldThrow<EngineFailed> { engine.drive(order(1, LoadProfile.Open(-1.0))) }.message shouldContain
            "-1.0 requests a second"
        shouldThrow<EngineFailed> { engine.drive(order(1, LoadProfile.Closed(1), window = Duration.ZERO)) }.message shouldContain
            "window"
    }

    // The process

    @Test
    fun `an interrupt leaves no process, and the engine can drive again`() {
        TruthServer.start { it.answer(good) }.use { server ->
            val running = CountDownLatch(1)
            var pid: Long? = null
            val ending = CompletableFuture<Throwable?>()
            val driver = thread {
                try {
                    engine.drive(order(server.port, LoadProfile.Open(100.0), window = 60.seconds)) {
                        pid = engine.pid
                        running.countDown()
                    }
                    ending.complete(null)
                } catch (interrupted: InterruptedException) {
                    ending.complete(interrupted)
                }
            }
            running.await(60, TimeUnit.SECONDS) shouldBe true
            val process = ProcessHandle.of(pid.shouldNotBeNull()).getOrNull().shouldNotBeNull()
            driver.interrupt()
            (ending.get(15, TimeUnit.SECONDS) is InterruptedException) shouldBe true
            process.isAlive shouldBe false
            engine.pid shouldBe null
            engine.drive(order(server.port, LoadProfile.Burst(1, 3))).found.answered shouldBe 3
        }
    }

    @Test
    fun `a Gatling that dies says so instead of hanging`() {
        TruthServer.start { it.answer(good) }.use { server ->
            val failure = shouldThrow<EngineFailed> {
                engine.drive(order(server.port, LoadProfile.Open(50.0), window = 60.seconds)) {
                    engine.pid?.let { pid -> ProcessHandle.of(pid).ifPresent { it.destroyForcibly() } }
                }
            }
            failure.message shouldContain "exit code 137"
        }
    }

    // The user's own simulations

    private fun simulation(name: String, text: String): Path =
        folder.resolve("$name.java").also { it.writeText(IMPORTS + text.trimIndent()) }

    @Test
    fun `a user's simulation runs as it is, each kind of request told apart, its failed assertion beside`() {
        val script = simulation(
            "Shop",
            """
            public class Shop extends Simulation {{
                FeederBuilder<String> goods = csv("goods.csv").circular();
                setUp(scenario("buying").feed(goods)
                        .exec(http("list").get("/list"))
                        .group("cart").on(exec(http("buy").get("/buy?it=#{it}").check(status().is(404))))
                        .injectOpen(atOnceUsers(5)))
                    .protocols(http.baseUrl(System.getProperty("baseUrl")).disableWarmUp()
                        .header("X-Same", System.getenv("BASE_URL") + System.getProperty("dyno.port")))
                    .assertions(global().failedRequests().count().is(0L));
            }}
            """,
        )
        folder.resolve("goods.csv").writeText("it\ntea\ncake\n")
        val asked = ConcurrentHashMap.newKeySet<String>()
        val server = HttpServer.create(InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0)
        server.createContext("/") { exchange ->
            asked += "${exchange.requestURI} ${exchange.requestHeaders.getFirst("X-Same")}"
            exchange.sendResponseHeaders(200, -1)
            exchange.close()
        }
        server.start()
        try {
            val port = server.address.port
            engine(script).use { theirs ->
                val seconds = mutableListOf<LoadSecond>()
                val measured = theirs.drive(order(port, LoadProfile.Closed(1)), seconds::add)
                measured.found.answered shouldBe 5
                measured.found.errors shouldBe mapOf(ErrorCause.STATUS to 5)
                measured.found.operations.map { it.name } shouldContainExactly listOf("list", "cart / buy")
                measured.latencies.operations.keys shouldBe setOf("list", "cart / buy")
                measured.found.printed shouldContain ("assertions failed" to 1.0)
                seconds.first().at shouldBe 0.0
            }
            val same = "http://127.0.0.1:$port$port"
            asked shouldContainExactlyInAnyOrder listOf("/list $same", "/buy?it=tea $same", "/buy?it=cake $same")
        } finally {
            server.stop(0)
        }
    }

    @Test
    fun `a simulation that breaks or asks nothing is a failure with its reason`() {
        val nothing = simulation(
            "Nothing",
            """
            public class Nothing extends Simulation {{
                if (System.getProperty("dyno.port").equals("1")) throw new IllegalStateException("no such shop");
                setUp(scenario("idle").exec(session -> session).injectOpen(atOnceUsers(1)));
            }}
            """,
        )
        engine(nothing).use { theirs ->
            shouldThrow<EngineFailed> { theirs.drive(order(2, LoadProfile.Closed(1))) }.message shouldContain "made no request"
            shouldThrow<EngineFailed> { theirs.drive(order(1, LoadProfile.Closed(1))) }.message shouldContain "no such shop"
        }
        val broken = simulation("Broken", "public class Broken extends Simulation {{ setUp(nobody); }}")
        shouldThrow<EngineFailed> { engine(broken) }.message shouldContain "cannot find symbol"
    }

    private companion object {
        const val CLOSE = "Connection: close\r\n"

        val IMPORTS = """
            import static io.gatling.javaapi.core.CoreDsl.*;
            import static io.gatling.javaapi.http.HttpDsl.*;
            import io.gatling.javaapi.core.*;

        """.trimIndent()
    }
}
