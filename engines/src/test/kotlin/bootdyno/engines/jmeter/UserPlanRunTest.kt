package bootdyno.engines.jmeter

import bootdyno.engine.EngineFailed
import bootdyno.engine.LoadOrder
import bootdyno.engine.SmallServer
import bootdyno.engine.TruthServer
import bootdyno.engine.okAnswer
import bootdyno.model.ErrorCause
import bootdyno.model.LoadProfile
import bootdyno.model.Step
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.longs.shouldBeGreaterThan
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.net.URLDecoder
import java.nio.file.Path
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.atomic.AtomicLong
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlin.io.path.readLines
import kotlin.io.path.readText
import kotlin.io.path.writeText
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/** Plans that somebody else wrote. */
@Tag("live")
@Tag("full")
class UserPlanRunTest {
    @TempDir
    private lateinit var folder: Path

    private val log: Path get() = folder.resolve("engine.log")

    private fun order(port: Int, window: Duration = 30.seconds, settle: Duration = 500.milliseconds) = LoadOrder(
        host = "127.0.0.1",
        port = port,
        steps = listOf(Step("all", path = "/not/asked")),
        load = LoadProfile.Closed(1),
        settle = settle,
        window = window,
        timeout = 5.seconds,
    )

    private fun resource(name: String): Path = folder.withUserFile(name)

    @Test
    fun `a plan with a CSV data set, a script, transactions and listeners runs against the subject`() {
        val plan = resource("shop/shop.jmx")
        val unchanged = plan.readText()
        resource("shop/customers.csv")
        val baskets = ConcurrentHashMap<String, AtomicLong>()
        val products = AtomicLong()
        val server = SmallServer { exchange ->
            if (exchange.requestURI.path == "/api/v1/basket") {
                val customer = URLDecoder.decode(exchange.requestURI.rawQuery, Charsets.UTF_8)
                baskets.computeIfAbsent(customer) { AtomicLong() }.incrementAndGet()
                // Dora's answer is not what the plan asserts.
                val body = (if ("dora" in customer) "nothing" else "a basket").toByteArray()
                exchange.sendResponseHeaders(200, body.size.toLong())
                exchange.responseBody.write(body)
            } else {
                products.incrementAndGet()
                exchange.sendResponseHeaders(404, -1)
            }
        }
        val measured = server.use { JMeterForTests.engine(log, script = plan).use { it.drive(order(server.port)) } }
        baskets.mapValues { it.value.get() } shouldBe
            // One more than in the file: that is the plan's Groovy.
            listOf("anna" to 4, "björn" to 8, "o'neil, kate" to 13, "dora" to 2)
                .associate { (customer, size) -> "customer=$customer&size=$size" to 5L }
        products.get() shouldBe 40
        // 4 threads × 5 loops of one basket and two looks; the 20 rows of the transaction are no requests.
        measured.found.answered shouldBe 15
        measured.found.errors shouldBe mapOf(ErrorCause.STATUS to 40L, ErrorCause.BODY to 5L)
        measured.found.inFlight shouldBe 0
        measured.found.operations.associate { it.name to it.answered } shouldBe mapOf("Open basket" to 15L, "Look" to 0L)
        measured.latencies.operations.mapValues { it.value.totalCount } shouldBe mapOf("Open basket" to 15L, "Look" to 0L)
        // Its own listener wrote where it always does; of ours nothing is left.
        folder.resolve("summary.csv").readLines().size shouldBe 81
        folder.listDirectoryEntries().map { it.name }.toSet() shouldBe
            setOf("shop.jmx", "customers.csv", "summary.csv", "engine.log")
        plan.readText() shouldBe unchanged
        log.readText() shouldContain "a copy sends to ${server.base.authority}"
    }

    @Test
    fun `a plan that takes properties runs unchanged, and one without an end is stopped with the window`() {
        val plan = resource("by-properties.jmx")
        val asked = AtomicLong()
        val good = okAnswer("up")
        TruthServer.start { asked.incrementAndGet().let { _ -> it.answerAfter(10.milliseconds, good) } }.use { server ->
            val loops = JMeterForTests.engine(log, mapOf("properties.loops" to "50", "properties.threads" to "4"), plan)
            loops.use { it.drive(order(server.port)) }.found.answered shouldBe 200
            asked.get() shouldBe 200

            val endless = JMeterForTests.engine(log, script = plan)
            val found = endless.use { it.drive(order(server.port, window = 1.seconds)) }.found
            found.answered shouldBeGreaterThan 10L
            found.errors shouldBe emptyMap()
            found.windowSeconds shouldBeLessThan 1.001
            found.complaints.keys.single() shouldContain "was stopped"
            log.readText() shouldContain "has no end"
        }
    }

    @Test
    fun `requests of a setUp thread group do not count`() {
        val text = resource("by-properties.jmx").readText()
        val group = text.substring(text.indexOf("<ThreadGroup "), text.lastIndexOf("    </hashTree>\n  </hashTree>"))
        val before = group.replace("<ThreadGroup ", "<SetupThreadGroup ").replace("</ThreadGroup>", "</SetupThreadGroup>")
            .replace("\"ThreadGroup\"", "\"SetupThreadGroup\"").replace("\"Users\"", "\"Before\"")
            .replace("\${__P(loops,-1)}", "7")
        val plan = folder.resolve("before.jmx").also { it.writeText(text.replace(group, before + group)) }
        val asked = AtomicLong()
        val good = okAnswer("up")
        TruthServer.start { asked.incrementAndGet().let { _ -> it.answerAfter(10.milliseconds, good) } }.use { server ->
            val loops = mapOf("properties.loops" to "50", "properties.threads" to "1")
            JMeterForTests.engine(log, loops, plan).use { it.drive(order(server.port)) }.found.answered shouldBe 50
            asked.get() shouldBe 57
        }
    }

    @Test
    fun `a sample counts once, with its redirects and embedded resources or as the parent of its requests`() {
        val asked = AtomicLong()
        val server = SmallServer { exchange ->
            asked.incrementAndGet()
            val path = exchange.requestURI.path
            val body = if (path == "/page") "<html><img src='/1.png'><img src='/2.png'></html>" else "ok"
            exchange.responseHeaders.add("Content-Type", if (path == "/page") "text/html" else "text/plain")
            if (path == "/moved") exchange.responseHeaders.add("Location", "/there")
            exchange.sendResponseHeaders(if (path == "/moved") 302 else 200, body.length.toLong())
            exchange.responseBody.write(body.toByteArray())
        }
        val found = server.use {
            JMeterForTests.engine(log, script = resource("samples.jmx")).use { it.drive(order(server.port)) }.found
        }
        // 2 for a redirect, 3 for a page with its two pictures, 4 of the transactions, and one whose address is in a variable.
        asked.get() shouldBe 40 * 10
        found.answered shouldBe 40 * 6
        found.errors shouldBe emptyMap()
        found.operations.associate { it.name to it.answered } shouldBe
            listOf("moved", "page", "plain a", "plain b", "parent", "by variable").associateWith { 40L }
        // JMeter's summary leaves out all samples of controllers, and has those of the debug sampler.
        found.printed["requests"] shouldBe 240.0
        found.complaints["samples of elements without HTTP, which are not counted"] shouldBe 40L
    }

    @Test
    fun `a plan with an unknown element is said to be broken, with JMeter's own words`() {
        val plan = folder.resolve("plugin.jmx")
        plan.writeText(
            resource("by-properties.jmx").readText().replace("<ThreadGroup ", "<kg.apc.UltimateThreadGroup ")
                .replace("</ThreadGroup>", "</kg.apc.UltimateThreadGroup>"),
        )
        val failure = shouldThrow<EngineFailed> { JMeterForTests.engine(log, script = plan).use { it.drive(order(1)) } }
        failure.message.shouldNotBeNull() shouldContain "kg.apc.UltimateThreadGroup"
        failure.message.shouldNotBeNull() shouldContain "plugin"
    }

    @Test
    fun `a plan that asks nothing has failed, though JMeter says it has not`() {
        val plan = folder.resolve("off.jmx")
        val users = resource("by-properties.jmx").readText()
        plan.writeText(users.replace("testname=\"Users\" enabled=\"true\"", "testname=\"Users\" enabled=\"false\""))
        val failure = shouldThrow<EngineFailed> { JMeterForTests.engine(log, script = plan).use { it.drive(order(1)) } }
        failure.message.shouldNotBeNull() shouldContain "no sample"
    }
}
