package bootdyno.engines.jmeter

import bootdyno.engine.BurstKit
import bootdyno.engine.ClosedKit
import bootdyno.engine.EngineFailed
import bootdyno.engine.Hostile
import bootdyno.engine.HostileServer
import bootdyno.engine.LoadSecond
import bootdyno.engine.TruthServer
import bootdyno.engine.after
import bootdyno.engine.asking
import bootdyno.engine.millis
import bootdyno.engine.order
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
import io.kotest.matchers.ints.shouldBeInRange
import io.kotest.matchers.longs.shouldBeInRange
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
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.atomic.AtomicLong
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/** JMeter itself, where it can be had. It takes seconds to start: each test shows as much as one run can. */
@Tag("live")
@Tag("full")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JMeterEngineTest :
    ClosedKit,
    BurstKit {
    private val log = Files.createTempFile("jmeter", ".log")
    override val resolution = 1.milliseconds
    override val engine: JMeterEngine by lazy { engine() }

    @BeforeAll
    fun jmeterIsThere() {
        JMeterForTests.assumed()
    }

    @AfterAll
    fun end() {
        engine.close()
        Files.delete(log)
    }

    /** It takes what comes before a status line for noise, and the end of one answer for the beginning of the next. */
    override fun meets(fault: String): Boolean = fault !in setOf("no HTTP", "overlong")

    override val asksOn: Boolean get() = true
    override val startsCold: Boolean get() = true
    override val spins: Boolean get() = true

    private fun engine(vararg options: Pair<String, String>) = JMeterForTests.engine(log, options.toMap())

    @Test
    fun `warmed on a server of its own it asks the subject not once more, and its own figures are about the subject`() {
        val asked = AtomicLong()
        val reply = after(20.milliseconds)
        TruthServer.start { asked.incrementAndGet().let { _ -> reply(it) } }.use { server ->
            val seconds = mutableListOf<LoadSecond>()
            val measured = engine("warm" to "1 s").use { engine ->
                engine.drive(order(server.port, LoadProfile.Closed(10), window = 2.seconds, settle = 1.seconds)) {
                    engine.pid.shouldNotBeNull()
                    seconds += it
                }.also { engine.pid shouldBe null }
            }
            val found = measured.found
            found.engine shouldBe "JMeter ${JMeterForTests.home.version}"
            found.windowSeconds shouldBe 2.0
            // By a clock of whole milliseconds a user may be between two requests as the window ends.
            found.inFlight shouldBeInRange 5L..10L
            measured.latencies.unanswered.totalCount shouldBe found.inFlight
            found.operations.shouldBeEmpty()
            found.generator.cpuSeconds shouldBeGreaterThan 0.0
            found.printed.getValue("requests") shouldBe asked.get().toDouble()
            found.printed.getValue("min ms") shouldBeGreaterThanOrEqual 20.0
            seconds.map { it.at }.shouldBeStrictlyIncreasing()
            seconds.last().answered shouldBe asked.get()
            seconds.count { it.inWindow } shouldBeInRange 1..3
        }
    }

    @Test
    fun `what is never answered is in flight when the window ends, with its age`() {
        TruthServer.start { }.use { silent ->
            val order = order(silent.port, LoadProfile.Closed(3), window = 1.seconds, timeout = 1500.milliseconds)
            val measured = engine.drive(order)
            measured.found.inFlight shouldBe 3
            measured.found.answered shouldBe 0
            measured.latencies.unanswered.totalCount shouldBe 3
            measured.latencies.unanswered.millis(100.0) shouldBe (1000.0 plusOrMinus 700.0)
        }
    }

    @Test
    fun `method, headers and body arrive as ordered, whatever JMeter would read in them, and the type is compared`() {
        val body = "{\"käse\": \"\${sorte}\", \"a\": \"\\\\\",\n\t\"b\": \"<&>\"}"
        val seen = ConcurrentHashMap<String, String>()
        val types = AtomicLong()
        val server = HttpServer.create(InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0)
        server.createContext("/") { exchange ->
            seen["asked"] = "${exchange.requestMethod} ${exchange.requestURI} ${exchange.requestHeaders.getFirst("X-Test")}"
            val content = exchange.requestBody.readAllBytes()
            exchange.responseHeaders["Content-Type"] = if (types.getAndIncrement() % 2 == 0L) "application/json" else "text/html"
            exchange.sendResponseHeaders(201, content.size.toLong())
            exchange.responseBody.use { it.write(content) }
        }
        server.start()
        try {
            val order = order(server.address.port, LoadProfile.Burst(2, 3), window = 20.seconds).asking {
                copy(
                    method = "POST",
                    headers = mapOf("X-Test" to "\${yes}", "Content-Type" to "application/json"),
                    body = body,
                    expect = Expectation(201, body, "application/json"),
                )
            }
            val found = engine.drive(order).found
            found.answered shouldBe 3
            found.errors shouldBe mapOf(ErrorCause.BODY to 3L)
            seen["asked"] shouldBe "POST /path?ms=5 \${yes}"
        } finally {
            server.stop(0)
        }
    }

    @Test
    fun `long answers are read to their end, and more of them than its heap could hold`() {
        HostileServer(Hostile.HUNDRED_MEGABYTES).use { server ->
            val order =
                order(server.port, LoadProfile.Burst(7, 1), window = 60.seconds, expect = Expectation(200), timeout = 60.seconds)
            val found = engine.drive(order).found
            found.answered shouldBe 7
            found.errors shouldBe emptyMap()
        }
    }

    @Test
    fun `what it cannot do is said before anything starts`() {
        shouldThrow<EngineFailed> { engine.drive(order(1, LoadProfile.Closed(1), window = Duration.ZERO)) }
        shouldThrow<EngineFailed> { engine("threads" to "3") }.message shouldContain "`threads`"
        val far = engine("remotes" to "10.0.0.7:1099")
        shouldThrow<EngineFailed> { far.drive(order(1, LoadProfile.Closed(1), window = 1.seconds)) }.message shouldContain
            "target"
        val two = engine("remotes" to "127.0.0.1:1,127.0.0.1:2")
        shouldThrow<EngineFailed> { two.drive(order(1, LoadProfile.Closed(3), window = 1.seconds)) }.message shouldContain
            "evenly"
    }
}
