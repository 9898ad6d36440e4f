package bootdyno.launch

import bootdyno.engine.Hostile
import bootdyno.engine.HostileServer
import bootdyno.launch.http.VerificationClient
import bootdyno.model.Origin
import bootdyno.model.Stage
import bootdyno.model.Subject
import bootdyno.system.socket.OwnPorts
import bootdyno.system.socket.freePort
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.comparables.shouldBeGreaterThan
import io.kotest.matchers.comparables.shouldBeLessThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.net.URI
import java.nio.file.Files
import java.nio.file.Path
import java.time.Instant
import java.util.concurrent.atomic.AtomicInteger
import kotlin.concurrent.thread
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds
import kotlin.time.measureTime

/** Serves each port of its arguments with the status that follows it, as an application and its administration do. */
private const val TWO_PORTS = """
import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;

class Ports {
    public static void main(String[] words) throws Exception {
        for (int at = 0; at < words.length; at += 2) {
            int status = Integer.parseInt(words[at + 1]);
            HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(words[at])), 0);
            server.createContext("/", exchange -> {
                boolean isHealth = exchange.getRequestURI().getPath().startsWith("/actuator");
                exchange.sendResponseHeaders(isHealth ? 404 : status, -1);
                exchange.close();
            });
            server.start();
        }
    }
}
"""

class ReadinessTest(@param:TempDir private val folder: Path) {
    private val told = mutableListOf<Awaited>()
    private val me = ProcessHandle.current().pid()

    private fun await(
        port: Int,
        path: String?,
        within: Duration,
        ports: OwnPorts? = null,
        death: () -> String? = { null },
    ): Boolean {
        val subject =
            CheckedSubject(VerificationClient(URI.create("http://127.0.0.1:$port")), { listOf("last words") }, death, ports)
        return Answers(subject).use { it.awaitReady(Readiness(path, within), 5.milliseconds, told::add) { true } }
    }

    private fun await(way: Hostile, path: String?, within: Duration) = HostileServer(way).use { await(it.port, path, within) }

    private fun failure(way: Hostile, within: Duration = 1.2.seconds): LaunchFailed = withClue(way) {
        shouldThrow<LaunchFailed> { await(way, "/ready", within) }.also { it.stage shouldBe Stage.READY }
    }

    private fun refusal(way: Hostile, within: Duration = 1.2.seconds): String = failure(way, within).reason

    @Test
    fun `without a declared path any answer means started`() {
        listOf(
            Hostile.GOOD, Hostile.NOT_FOUND, Hostile.UNAUTHORIZED, Hostile.TO_LOGIN, Hostile.BROKEN, Hostile.CONTINUE_FIRST,
            Hostile.EARLY_HINTS, Hostile.EVENTS, Hostile.ENDLESS_BODY,
        ).forEach { withClue(it) { await(it, null, 20.seconds) shouldBe true } }
    }

    @Test
    fun `a declared path must answer with one of the 200s`() {
        listOf(Hostile.GOOD, Hostile.CONTINUE_FIRST, Hostile.EARLY_HINTS, Hostile.DRIPPED_BODY, Hostile.EVENTS).forEach {
            withClue(it) { await(it, "/ready", 20.seconds) shouldBe true }
        }
    }

    @Test
    fun `a wrong answer that stays is given up early, with its reason and what to do`() {
        refusal(Hostile.NOT_FOUND) shouldStartWith "GET /ready has had the same answer for 0 s: status 404. Name a path"
        refusal(Hostile.UNAUTHORIZED) shouldContain "status 401. It asks for a login"
        refusal(Hostile.FORBIDDEN) shouldContain "status 403. It asks for a login"
        refusal(Hostile.TO_LOGIN) shouldContain "status 302, a redirect to /login. It asks for a login"
        refusal(Hostile.BROKEN) shouldContain "status 500. Its log may say why."
        refusal(Hostile.UNAVAILABLE) shouldContain "status 503. What it needs may be missing: see its log."
        failure(Hostile.TLS).apply { reason shouldContain "it speaks TLS" }.remedy shouldBe OVER_TLS
        refusal(Hostile.HTTP_2) shouldContain "it speaks HTTP/2 only"
        refusal(Hostile.JUNK) shouldContain "something else than HTTP/1.1"
    }

    @Test
    fun `who may still be starting is given more time than who says no`() {
        val readiness = Readiness("/ready", 2.minutes)
        readiness.patience(ReadinessOutcome.Status(404, null)) shouldBe 10.seconds
        readiness.patience(ReadinessOutcome.Status(302, "/login")) shouldBe 10.seconds
        readiness.patience(ReadinessOutcome.Status(500, null)) shouldBe 30.seconds
        readiness.patience(ReadinessOutcome.Status(503, null)) shouldBe 60.seconds
        readiness.patience(ReadinessOutcome.Nothing("connection refused")) shouldBe 2.minutes
    }

    @Test
    fun `no answer at all is waited for to the end, and the reason says the last that came of it`() {
        refusal(Hostile.SILENT, 300.milliseconds) shouldContain "No good answer to GET /ready within 300ms: none came within"
        fun late(way: Hostile) = refusal(way, 1.5.seconds)
        late(Hostile.DRIPPED_HEAD) shouldContain "bytes of its head"
        late(Hostile.CLOSES) shouldContain "it closed the connection without an answer"
        late(Hostile.CUT_HEAD) shouldContain "it closed the connection after 27 bytes of its head"
        late(Hostile.RESETS) shouldContain "`ready-within: 5 min`"
    }

    @Test
    fun `what is waited for is told once a second`() {
        val port = freePort()
        shouldThrow<LaunchFailed> { await(port, "/ready", 2.2.seconds) }.reason shouldContain "connection refused"
        told.shouldNotBeEmpty()
        told.size shouldBeLessThan 5
        told.last().request shouldBe "GET /ready"
        told.last().heard shouldBe "connection refused"
        told.last().soFar shouldBeGreaterThan told.first().soFar
    }

    @Test
    fun `one that is silent while it is asked is told of as well`() {
        shouldThrow<LaunchFailed> { await(Hostile.SILENT, "/ready", 1.5.seconds) }
        told.map { it.heard } shouldContain "no answer yet"
    }

    @Test
    fun `a death ends the wait at once`() {
        val deaths = AtomicInteger()
        val took = measureTime {
            shouldThrow<LaunchFailed> {
                await(freePort(), null, 60.seconds) { "It is dead.".takeIf { deaths.incrementAndGet() > 3 } }
            }.reason shouldBe "It is dead. It had not yet answered GET /."
        }
        took shouldBeLessThan 20.seconds
    }

    @Test
    fun `a wait can be interrupted while nobody answers`() {
        HostileServer(Hostile.SILENT).use { server ->
            var ended = ""
            val waiting = thread {
                ended = try {
                    await(server.port, "/ready", 60.seconds).toString()
                } catch (_: InterruptedException) {
                    "interrupted"
                }
            }
            waiting.interrupt()
            waiting.join(20_000)
            ended shouldBe "interrupted"
        }
    }

    @Test
    fun `a process that had the port before is not taken for the subject`() {
        HostileServer(Hostile.GOOD).use { foreign ->
            val child = ProcessBuilder("sleep", "60").start()
            try {
                val ports = OwnPorts(foreign.port, child.info().startInstant().orElseThrow()) { listOf(child.pid()) }
                ports.earlierListener() shouldBe me
                val reason = shouldThrow<LaunchFailed> { await(foreign.port, null, 20.seconds, ports) }.reason
                reason shouldContain "Another process, pid $me, listens on the subject's port ${foreign.port}"
                OwnPorts(foreign.port, Instant.now()) { listOf(me) }.earlierListener() shouldBe null
            } finally {
                child.destroyForcibly()
            }
        }
    }

    @Test
    fun `a single port of its own counts with any answer, later, where no path is declared`() {
        val own = freePort()
        val serving = listOf("-m", "jdk.httpserver", "-b", "127.0.0.1", "-p", "$own", "-d", System.getProperty("java.io.tmpdir"))
        val child = ProcessBuilder(listOf(runningJava) + serving).redirectOutput(ProcessBuilder.Redirect.DISCARD).start()
        try {
            val given = freePort()
            val client = VerificationClient(URI.create("http://127.0.0.1:$given"))
            val subject = CheckedSubject(client, { emptyList() }, { null }, OwnPorts(given, null) { listOf(child.pid()) })
            val readiness = Readiness(null, 24.seconds, first = "/no-such-file")
            Answers(subject).use { it.awaitReady(readiness, 5.milliseconds, told::add) { true } }
            subject.client.port shouldBe own
        } finally {
            child.destroyForcibly()
        }
    }

    @Test
    fun `of several ports of its own, the lowest counts, unless another one answers well to a path that was named`() {
        val (low, high) = generateSequence(::freePort).distinct().take(2).toList().sorted()
        val source = Files.writeString(folder.resolve("Ports.java"), TWO_PORTS)
        val child = ProcessBuilder(runningJava, "$source", "$low", "404", "$high", "200").start()
        try {
            fun portFor(readiness: Readiness): Int {
                val client = VerificationClient(URI.create("http://127.0.0.1:${freePort()}"))
                val ports = OwnPorts(client.port, null) { listOf(child.pid()) }
                val subject = CheckedSubject(client, { emptyList() }, { null }, ports)
                Answers(subject).use { it.awaitReady(readiness, 5.milliseconds, told::add) { true } }
                return subject.client.port
            }
            portFor(Readiness(null, 30.seconds)) shouldBe low
            portFor(Readiness(null, 60.seconds, first = "/orders")) shouldBe high
        } finally {
            child.destroyForcibly()
        }
    }

    @Test
    fun `a server that should run already, and does not answer, is to be started`() {
        val base = URI.create("http://127.0.0.1:${freePort()}")
        ReachedSubject(base, listOf(0), Subject("url", Origin.Url("$base")), firstPath = "/").use {
            shouldThrow<LaunchFailed> { it.awaitReady(null, 2.seconds) }.reason shouldContain
                "connection refused. Start the server, or correct its address"
        }
    }

    @Test
    fun `a subject that listens on no port is told of`() {
        val child = ProcessBuilder("sleep", "60").start()
        try {
            val ports = OwnPorts(freePort(), null) { listOf(child.pid()) }
            shouldThrow<LaunchFailed> { await(freePort(), null, 0.3.seconds, ports) }.reason shouldContain
                "connection refused; it listens on no port. If it needs longer"
        } finally {
            child.destroyForcibly()
        }
    }

    @Test
    fun `without a declared path the health endpoints are asked first, and then the first path`() {
        val readiness = Readiness(null, 2.minutes, first = "/orders")
        readiness.asked.shouldContainExactly("/actuator/health/readiness", "/actuator/health", "/orders")
        Readiness("/up", 2.minutes).asked.shouldContainExactly("/up")
        fun status(code: Int) = ReadinessOutcome.Status(code, null)
        readiness.isMetBy("/actuator/health", status(200)) shouldBe true
        readiness.isMetBy("/actuator/health", status(404)) shouldBe false
        readiness.leavesOpen(status(404)) shouldBe true
        // An application that is still starting, or down.
        readiness.leavesOpen(status(503)) shouldBe false
        listOf("/orders", "/", "/actuator/health").map(readiness::isNamed) shouldBe listOf(true, false, false)
        Readiness(null, 2.minutes).isNamed("/") shouldBe false
        Readiness("/", 2.minutes).isNamed("/") shouldBe true
        readiness.isMetBy("/orders", status(401)) shouldBe true
        readiness.isMetBy("/orders", status(503)) shouldBe false
        Readiness("/up", 2.minutes).isMetBy("/up", status(401)) shouldBe false
    }

    @Test
    fun `the reason in the application's own log is part of the failure`() {
        val log = listOf("APPLICATION FAILED TO START", "Description:", "Port 8081 was already in use.", "Action:", "Stop it.")
        val client = VerificationClient(URI.create("http://127.0.0.1:${freePort()}"))
        val subject = CheckedSubject(client, { log }, { "It is dead." })
        val failure = shouldThrow<LaunchFailed> {
            Answers(subject).use { it.awaitReady(Readiness(null, 60.seconds), 5.milliseconds, told::add) { true } }
        }
        failure.reason shouldContain "It is dead. It had not yet answered GET /. It says: Port 8081 was already in use."
        failure.remedy?.line shouldBe "settings: { management.server.port: 0 }"
    }
}
