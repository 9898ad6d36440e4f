package bootdyno.measure

import bootdyno.cli.Home
import bootdyno.cli.dyno
import bootdyno.engine.LoadOrder
import bootdyno.model.EngineSpec
import bootdyno.model.LoadProfile
import bootdyno.model.NetworkShape
import bootdyno.model.Step
import bootdyno.system.ledger.Ledger
import bootdyno.system.network.namespaceExists
import bootdyno.system.network.whyNoNamespace
import bootdyno.system.network.whyNoNetem
import com.github.ajalt.clikt.testing.test
import com.sun.net.httpserver.HttpServer
import io.kotest.matchers.doubles.shouldBeGreaterThanOrEqual
import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.longs.shouldBeGreaterThan
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.net.InetSocketAddress
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.createDirectories
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.readText
import kotlin.io.path.writeText
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/** Load through the emulated network of a profile. */
class EmulatedNetworkTest(@param:TempDir private val folder: Path) {
    private fun supposePossible(whyNot: String?) {
        if (whyNot != null) println("Not tested here: $whyNot.")
        assumeTrue(whyNot == null, whyNot)
    }

    private fun run(subject: String, network: String): Pair<Int, String> {
        val file = folder.resolve("x.yaml")
        file.writeText(
            """
            title: Through a network
            variants: { a: { subject: { $subject } } }
            workloads: { noop: { get: /noop } }
            profiles: { p: { closed: 1, network: $network } }
            """.trimIndent(),
        )
        val said = dyno(Home(folder)).test(listOf("run", "$file", "--out", "${folder.resolve("runs")}"))
        return said.statusCode to said.stderr
    }

    @Test
    fun `a network that the kernel cannot emulate is refused before anything is started`() {
        supposePossible("this kernel has netem".takeIf { whyNoNetem() == null })
        val (exit, said) = run("command: [ sleep, 60 ]", "{ delay: 1 ms }")
        exit shouldBe ExitCode.INPUT
        said shouldContain "The `network` of a profile cannot be emulated here: ${whyNoNetem()}"
        Files.exists(folder.resolve("runs")) shouldBe false
    }

    @Test
    fun `a server that already runs is not in the network`() {
        val (exit, said) = run("url: \"http://127.0.0.1:1\"", "{}")
        exit shouldBe ExitCode.INPUT
        said shouldContain "is not at the address of the emulated network"
    }

    /** Drives behind [network] to a server on this side, and returns what was found. */
    private fun drive(network: NetworkShape, ledger: Ledger): Found {
        RunEngines(emptyList(), ledger, folder, chains = false).use { engines ->
            val engine = engines.engine(EngineSpec(network = network))
            // The address exists from now on.
            val bound = HttpServer.create(InetSocketAddress(NetworkShape.SUBJECT, 0), 0)
            bound.createContext("/") { exchange -> exchange.use { it.sendResponseHeaders(204, -1) } }
            bound.start()
            try {
                val order = LoadOrder(
                    host = NetworkShape.SUBJECT,
                    port = bound.address.port,
                    steps = listOf(Step("all", path = "/").let { it.copy(expect = it.expect.copy(status = 204)) }),
                    load = LoadProfile.Open(100.0),
                    window = 2.seconds,
                    timeout = 5.seconds,
                )
                val (found, latencies) = engine.drive(order)
                found.errors shouldBe emptyMap()
                return Found(
                    found.answered,
                    latencies.response.getValueAtPercentile(1.0) / 1e6,
                    found.network.shouldNotBeNull().rttMinMs.shouldNotBeNull(),
                )
            } finally {
                bound.stop(0)
            }
        }
    }

    private class Found(val answered: Long, val p1Ms: Double, val roundTripMs: Double)

    @Test
    @Tag("full")
    fun `a load goes through the namespace, which is gone afterwards`() {
        supposePossible(whyNoNamespace())
        val list = folder.resolve("state").createDirectories()
        Ledger(list).use { ledger ->
            val found = drive(NetworkShape(), ledger)
            found.answered shouldBeGreaterThan 0L
            found.roundTripMs shouldBeLessThan 5.0
            val name = list.listDirectoryEntries().single().readText().lines().first {
                it.startsWith("namespace ")
            }.substringAfter(' ')
            namespaceExists(name) shouldBe false
        }
    }

    @Test
    @Tag("full")
    fun `a delay of 5 ms each way is seen as 10 ms`() {
        supposePossible(whyNoNetem())
        Ledger(folder.resolve("state").createDirectories()).use { ledger ->
            val found = drive(NetworkShape(delay = 5.milliseconds), ledger)
            found.p1Ms shouldBeGreaterThanOrEqual 10.0
            found.roundTripMs shouldBeGreaterThanOrEqual 10.0
        }
    }
}
