package bootdyno.engines.gatling

import bootdyno.engine.BurstKit
import bootdyno.engine.ClosedKit
import bootdyno.engine.EngineFailed
import bootdyno.engine.LoadEngine
import bootdyno.engine.LoadSecond
import bootdyno.engine.OpenKit
import bootdyno.engine.ReceivedRequest
import bootdyno.engine.TruthServer
import bootdyno.engine.UnansweredKit
import bootdyno.engine.after
import bootdyno.engine.asking
import bootdyno.engine.good
import bootdyno.engine.order
import bootdyno.model.ErrorCause
import bootdyno.model.Expectation
import bootdyno.model.LoadProfile
import com.sun.net.httpserver.HttpServer
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.longs.shouldBeGreaterThan
import io.kotest.matchers.longs.shouldBeInRange
import io.kotest.matchers.maps.shouldContain
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.BeforeAll
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestInstance
import java.net.InetAddress
import java.net.InetSocketAddress
import java.nio.file.Files
import java.nio.file.Path
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.atomic.AtomicLong
import kotlin.io.path.writeText
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/** Gatling itself against servers whose truth is known. Each drive is a new JVM, so that one drive shows as much as it can. */
@Tag("live")
@Tag("full")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GatlingEngineTest :
    ClosedKit,
    OpenKit,
    BurstKit,
    UnansweredKit {
    private val folder = Files.createTempDirectory("gatling-test")
    override val resolution = 1.milliseconds
    override val engine: LoadEngine by lazy { engine() }

    @BeforeAll
    fun gatlingIsThere() {
        GatlingForTests.assumed()
    }

    @AfterAll
    fun clean() {
        engine.close()
        folder.toFile().deleteRecursively()
    }

    /** It says *premature close* of both. */
    override fun told(cause: ErrorCause): ErrorCause? = if (cause == ErrorCause.RESET) ErrorCause.CLOSED else cause

    /** It has taken the answer before it sees that more follows. */
    override fun meets(fault: String): Boolean = fault != "overlong"

    override val asksAgain: Boolean get() = true
    override val stampsEachSend: Boolean get() = false
    override val startsCold: Boolean get() = true

    private fun engine(script: Path? = null, vararg options: Pair<String, String>) =
        GatlingForTests.engine(folder.resolve("engine.log"), script, options.toMap())

    @Test
    fun `each user keeps one connection, the load begins when the lab is ready, and warming up asks the subject nothing`() {
        val asked = AtomicLong()
        val connections = AtomicLong()
        val reply = after(20.milliseconds)
        val counting: (ReceivedRequest) -> Unit = {
            asked.incrementAndGet()
            if (it.onConnection == 0L) connections.incrementAndGet()
            reply(it)
        }
        TruthServer.start(counting).use { server ->
            val seconds = mutableListOf<LoadSecond>()
            var askedBefore: Long? = null
            val order = order(server.port, LoadProfile.Closed(10), window = 2.seconds, settle = 1.seconds)
            val measured = engine(null, "warm" to "1 s").use { warmed ->
                warmed.drive(order) {
                    if (seconds.isEmpty()) askedBefore = asked.get()
                    seconds += it
                    warmed.pid.shouldNotBeNull()
                }.also { warmed.pid shouldBe null }
            }
            connections.get() shouldBe 10
            measured.found.windowSeconds shouldBe 2.0
            // By a clock of whole milliseconds a user may be between two requests as the window ends.
            measured.found.inFlight shouldBeInRange 5L..10L
            measured.found.generator.cpuSeconds shouldBeGreaterThan 0.0
            measured.found.printed shouldContain ("requests of the whole run" to asked.get().toDouble())
            seconds.first() shouldBe LoadSecond(0.0, false, 0, 0, 0, null)
            askedBefore shouldBe 0
            seconds.last().answered shouldBe asked.get()
        }
    }

    @Test
    fun `constant arrivals come at their rate over shared connections, and Gatling hides that a kept one was closed`() {
        val connections = AtomicLong()
        val asked = AtomicLong()
        val closed = AtomicLong()
        val counting: (ReceivedRequest) -> Unit = {
            asked.incrementAndGet()
            if (it.onConnection == 0L) connections.incrementAndGet()
            if (it.onConnection == 4L) {
                closed.incrementAndGet()
                it.close()
            } else {
                it.answer(good)
            }
        }
        TruthServer.start(counting).use { server ->
            val load = LoadProfile.Open(200.0)
            val found = engine.drive(order(server.port, load, window = 1.seconds, settle = 500.milliseconds)).found
            found.due.shouldNotBeNull() shouldBeInRange 180L..220L
            // It asks again on a new connection, and says nothing of it.
            found.errors shouldBe emptyMap()
            closed.get() shouldBeGreaterThan 0
            found.printed shouldContain ("requests of the whole run" to (asked.get() - closed.get()).toDouble())
            // It may open many while it is cold, but far from one each.
            connections.get() shouldBeInRange 1L..asked.get() * 2 / 3
        }
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
            val order = order(server.address.port, LoadProfile.Burst(2, 3), window = 20.seconds, expect = expect)
                .asking {
                    copy(method = "POST", path = "/a%20b?c=%23%7Bd%7D", headers = mapOf("X-Test" to "#{yes}"), body = body)
                }
            engine.drive(order).found.run {
                errors shouldBe emptyMap()
                answered shouldBe 6
            }
            seen shouldBe mapOf("POST /a%20b?c=%23%7Bd%7D" to "#{yes} $body")
        } finally {
            server.stop(0)
        }
    }

    @Test
    fun `an order that cannot be carried out is the engine's failure, not the subject's`() {
        shouldThrow<EngineFailed> { engine.drive(order(1, LoadProfile.Open(-1.0), window = 20.seconds)) }.message shouldContain
            "perSecond=-1.0"
        shouldThrow<EngineFailed> { engine.drive(order(1, LoadProfile.Closed(1), window = Duration.ZERO)) }.message shouldContain
            "window"
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
                val measured = theirs.drive(order(port, LoadProfile.Closed(1), window = 20.seconds), seconds::add)
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
            shouldThrow<EngineFailed> { theirs.drive(order(2, LoadProfile.Closed(1), window = 20.seconds)) }.message shouldContain
                "made no request"
            shouldThrow<EngineFailed> { theirs.drive(order(1, LoadProfile.Closed(1), window = 20.seconds)) }.message shouldContain
                "no such shop"
        }
        val broken = simulation("Broken", "public class Broken extends Simulation {{ setUp(nobody); }}")
        shouldThrow<EngineFailed> { engine(broken) }.message shouldContain "cannot find symbol"
    }

    private companion object {
        val IMPORTS = """
            import static io.gatling.javaapi.core.CoreDsl.*;
            import static io.gatling.javaapi.http.HttpDsl.*;
            import io.gatling.javaapi.core.*;

        """.trimIndent()
    }
}
