package bootdyno.engine

import bootdyno.model.Expectation
import bootdyno.model.LoadFound
import bootdyno.model.LoadProfile
import bootdyno.model.Step
import bootdyno.model.ThinkTime
import com.sun.net.httpserver.HttpServer
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.doubles.shouldBeGreaterThanOrEqual
import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.longs.shouldBeGreaterThan
import io.kotest.matchers.longs.shouldBeInRange
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import java.net.InetAddress
import java.net.InetSocketAddress
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.Executors
import java.util.concurrent.atomic.AtomicLong
import kotlin.math.abs
import kotlin.math.sqrt
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/** Counts requests by their path, and answers `/create` with 201, all else with 200. */
private class CountingServer : AutoCloseable {
    private val counts = ConcurrentHashMap<String, AtomicLong>()
    private val workers = Executors.newVirtualThreadPerTaskExecutor()
    private val server = HttpServer.create(InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1024)
    val port: Int get() = server.address.port
    val asked: Map<String, Long> get() = counts.mapValues { it.value.get() }

    init {
        server.executor = workers
        server.createContext("/") { exchange ->
            val path = exchange.requestURI.path
            counts.computeIfAbsent(path) { AtomicLong() }.incrementAndGet()
            exchange.sendResponseHeaders(if (path == "/create") 201 else 200, -1)
            exchange.close()
        }
        server.start()
    }

    override fun close() {
        server.stop(0)
        workers.close()
    }
}

@Tag("live")
class MixTest {
    private val engine = ColdForkedEngine.engine

    private fun drive(port: Int, load: LoadProfile, window: Duration = 1.seconds, think: ThinkTime? = null): LoadFound =
        engine.drive(
            LoadOrder(
                "127.0.0.1",
                port,
                steps = listOf(
                    Step("list", path = "/list", weight = 80.0),
                    Step("create", "POST", "/create", body = "{}", expect = Expectation(201), weight = 20.0),
                ),
                load = load,
                window = window,
                timeout = 10.seconds,
                drain = 10.seconds,
                seed = 3,
                mix = true,
                think = think,
            ),
        ).found

    private fun LoadFound.requests(name: String) = operations.single { it.name == name }.let { it.answered + it.inFlight }

    /** Each operation counts what the server saw of it, in the ratio of the weights. */
    private fun check(found: LoadFound, server: CountingServer) {
        found.errors shouldBe emptyMap()
        found.operations.map { it.name } shouldContainExactly listOf("list", "create")
        found.operations.associate { "/${it.name}" to found.requests(it.name) } shouldBe server.asked
        found.operations.sumOf { it.answered } shouldBe found.answered
        val all = found.answered + found.inFlight
        abs(found.requests("list") - 0.8 * all) shouldBeLessThan 5 * sqrt(0.8 * 0.2 * all)
    }

    @Test
    fun `closed load sends the operations of a mix by their weights`() {
        CountingServer().use { server ->
            val found = drive(server.port, LoadProfile.Closed(8))
            found.answered shouldBeGreaterThan 100L
            check(found, server)
        }
    }

    @Test
    fun `open load sends the operations of a mix at the rate of all together`() {
        CountingServer().use { server ->
            val found = drive(server.port, LoadProfile.Open(400.0))
            found.due shouldBe 400
            check(found, server)
        }
    }

    @Test
    fun `users think before each request of closed load`() {
        CountingServer().use { server ->
            // At most one every 200 ms, and one at the beginning.
            val found = drive(server.port, LoadProfile.Closed(20), think = ThinkTime.Uniform(200.milliseconds, 300.milliseconds))
            found.answered shouldBeInRange 1L..120L
            check(found, server)
        }
    }

    @Test
    fun `users of a burst think between their requests`() {
        CountingServer().use { server ->
            val think = ThinkTime.Uniform(100.milliseconds, 150.milliseconds)
            val found = drive(server.port, LoadProfile.Burst(20, 4), window = 30.seconds, think = think)
            found.answered shouldBe 80
            found.windowSeconds shouldBeGreaterThanOrEqual 0.3
            check(found, server)
        }
    }

    @Test
    fun `each user of a burst sends as many operations as it has requests`() {
        CountingServer().use { server ->
            val found = drive(server.port, LoadProfile.Burst(20, 20), window = 30.seconds)
            found.answered shouldBe 400
            check(found, server)
        }
    }
}
