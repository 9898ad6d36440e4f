package bootdyno.launch

import bootdyno.model.Origin
import bootdyno.model.ServedCounts
import bootdyno.model.Service
import bootdyno.model.Stage
import bootdyno.model.Subject
import bootdyno.model.Variant
import bootdyno.system.availableCpus
import bootdyno.system.canPin
import bootdyno.system.formatCpuList
import bootdyno.system.ledger.Ledger
import bootdyno.system.startMark
import bootdyno.system.waitUntil
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.net.URI
import java.nio.file.Path
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.readText
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

class ServiceLauncherTest(@param:TempDir private val folder: Path) {
    private val log get() = folder.resolve("trial/slow.log")
    private val ledgers get() = folder.resolve("ledgers")
    private val all = Placement(availableCpus(), availableCpus(), shared = true)

    private fun launcher(placement: Placement = all) = ServiceLauncher(placement, Ledger(ledgers))

    private fun service(role: String, counts: String? = "/counts", settings: Map<String, String> = emptyMap()): Service {
        val origin = standIn(role).subject.origin
        return Service(Variant("slow", "stand-in", settings), Subject("stand-in", origin, readyPath = "/up", countsPath = counts))
    }

    @Test
    fun `a service is started, becomes ready, tells its address and its counts, and nothing is left of it`() {
        val service = launcher().start(service("serves", settings = mapOf("a" to "b")), log)
        val pid = service.found.pid.shouldNotBeNull()
        service.use {
            it.awaitReady(60.seconds).seconds.shouldNotBeNull() shouldBeGreaterThan 0.0
            val url = URI.create(it.found.addresses.getValue("slow"))
            it.found.addresses shouldBe
                mapOf("slow" to "http://127.0.0.1:${url.port}", "slow.host" to "127.0.0.1", "slow.port" to "${url.port}")
            it.found.command shouldContain "${url.port}"
            it.found.startupSeconds.shouldNotBeNull() shouldBeGreaterThan 0.0
            it.pids() shouldContain pid
            it.counts(12.5) shouldBe ServedCounts(12.5, received = 3, answered = 2, inFlight = 1)
            it.deathReport() shouldBe null
            ledgers.listDirectoryEntries().single().readText() shouldContain "the service slow"
        }
        startMark(pid) shouldBe null
        service.close()
        log.readText() shouldContain "stand-in serves"
    }

    @Test
    fun `a service runs on the CPUs of services`() {
        assumeTrue(canPin() && availableCpus().size > 1)
        val own = availableCpus().takeLast(1)
        launcher(all.copy(services = own)).start(service("serves"), log).use {
            it.awaitReady(60.seconds)
            it.found.cpuList shouldBe formatCpuList(own)
        }
    }

    @Test
    fun `a service that is killed says how it ended`() {
        launcher().start(service("serves"), log).use {
            it.awaitReady(60.seconds)
            ProcessHandle.of(it.found.pid.shouldNotBeNull()).get().destroyForcibly()
            waitUntil(20.seconds) { it.deathReport() != null }
            it.deathReport() shouldBe "The service slow was ended by signal 9 (SIGKILL)."
            it.lastLogLines().single() shouldContain "stand-in serves"
            it.counts(1.0).shouldBeNull()
        }
    }

    @Test
    fun `a service that does not come up fails in its own stage, with its last words`() {
        fun failure(role: String, deadline: kotlin.time.Duration) =
            launcher().start(service(role), log).use { shouldThrow<LaunchFailed> { it.awaitReady(deadline) } }
        failure("dies", 60.seconds).let {
            it.stage shouldBe Stage.SERVICES
            it.reason shouldContain "The service slow is not there: The service slow ended with exit code 3."
            it.lastLines.single() shouldContain "stand-in dies"
        }
        failure("deaf", 300.milliseconds).reason shouldContain "No good answer to GET /up within 300ms"
        val nowhere = service("serves").copy(subject = Subject("no", Origin.Jar("/nowhere/a.jar")))
        shouldThrow<LaunchFailed> { launcher().start(nowhere, log) }.let {
            it.stage shouldBe Stage.SERVICES
            it.reason shouldContain "/nowhere/a.jar"
        }
    }

    @Test
    fun `a service that is said to count and does not is not used`() {
        launcher().start(service("serves", counts = "/hello"), log).use {
            val failure = shouldThrow<LaunchFailed> { it.awaitReady(60.seconds) }
            failure.reason shouldContain "GET /hello did not answer with a JSON object that has the numbers received, answered"
        }
        launcher().start(service("serves", counts = null), log).use {
            it.awaitReady(60.seconds)
            it.counts(0.0).shouldBeNull()
        }
    }

    @Test
    fun `a service that already runs is called and left running`() {
        launcher().start(service("serves"), log).use { running ->
            running.awaitReady(60.seconds)
            val subject = Subject("there", Origin.Url(running.found.addresses.getValue("slow")), countsPath = "/counts")
            launcher().start(Service(Variant("there", "there"), subject), log).use {
                it.awaitReady(20.seconds)
                it.found.addresses.getValue("there") shouldBe running.found.addresses.getValue("slow")
                it.pids().shouldBeEmpty()
                it.counts(0.0)?.received shouldBe 3
            }
            running.deathReport() shouldBe null
        }
    }

    @Test
    fun `only a JSON object with three whole numbers is a count`() {
        servedCounts("""{"received":1,"answered":2,"inFlight":3,"more":[]}""", 5.0) shouldBe ServedCounts(5.0, 1, 2, 3)
        listOf(
            "",
            "[1]",
            "ready",
            """{"received":1,"answered":2}""",
            """{"received":1,"answered":2,"inFlight":"some"}""",
        ).forEach {
            servedCounts(it, 0.0) shouldBe null
        }
    }
}
