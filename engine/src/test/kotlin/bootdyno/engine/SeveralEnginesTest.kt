package bootdyno.engine

import bootdyno.model.Expectation
import bootdyno.model.LoadProfile
import bootdyno.model.Step
import bootdyno.system.deleteTree
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldBeStrictlyIncreasing
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.ints.shouldBeInRange
import io.kotest.matchers.longs.shouldBeGreaterThan
import io.kotest.matchers.longs.shouldBeInRange
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.BeforeAll
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestInstance
import java.nio.file.Files
import java.nio.file.Path
import java.util.concurrent.atomic.AtomicBoolean
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlin.io.path.writeText
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/** Load from two hosts, by a real sshd each, to a server on a third one. */
@Tag("live")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
internal class SeveralEnginesTest {
    private val folder: Path = Files.createTempDirectory("several-engines")

    private var hosts: HostsForTests? = null
    private val two: HostsForTests get() = checkNotNull(hosts)
    private var started: LoadEngine? = null

    /** As the lab does, a new one when one of its processes has ended. */
    private val engine: LoadEngine
        get() = started?.takeIf { lives(it) } ?: run {
            started?.close()
            newEngine().also { started = it }
        }

    private fun lives(engine: LoadEngine) = engine.pids.all { ProcessHandle.of(it).map(ProcessHandle::isAlive).orElse(false) }

    private fun newEngine(vararg options: Pair<String, String>): LoadEngine =
        startOwnEngine(EngineContext(emptyList(), folder.resolve("engine.log"), folder), two.spec(*options), optimised = false)

    @BeforeAll
    fun start() {
        val whyNot = HostsForTests.whyNot()
        if (whyNot != null) println("Load from other hosts is not tested: $whyNot.")
        assumeTrue(whyNot == null, whyNot)
        hosts = HostsForTests.start(folder)
    }

    @AfterAll
    fun end() {
        started?.close()
        hosts?.close()
        deleteTree(folder)
    }

    private fun order(server: PeerServer, load: LoadProfile, window: Duration = 2.seconds, path: String = "/all") = LoadOrder(
        host = two.target,
        port = server.port,
        steps = listOf(Step("all", path = path, expect = Expectation(body = "ok"))),
        load = load,
        window = window,
        timeout = 5.seconds,
    )

    @Test
    fun `the scheduled arrivals of an open load are those of one engine, every second one from each host`() {
        PeerServer(two.target).use { server ->
            val seconds = mutableListOf<LoadSecond>()
            val (found, latencies) = engine.drive(order(server, LoadProfile.Open(200.0)), seconds::add)
            found.errors shouldBe emptyMap()
            // The last one is due at 1.995 s.
            found.answered + found.inFlight shouldBe 400
            found.due shouldBe 400
            server.seen.groupingBy { it.host }.eachCount() shouldBe two.names.associateWith { 200 }
            latencies.response.totalCount shouldBe found.answered
            found.agents.map { it.host } shouldContainExactly two.names
            found.agents.sumOf { it.answered } shouldBe found.answered
            seconds.map { it.at }.shouldBeStrictlyIncreasing()
            // One that is in flight at the end of the window may be answered in the drain, after the last second.
            seconds.last().answered shouldBeInRange found.answered..400L
            found.leftAfter shouldBe 0
            found.agents.forEach { it.startedWithinMs shouldBeLessThan 1000.0 }
            // The two do not share a start by chance: both cover the same seconds.
            seconds.size shouldBeInRange 2..3

            val network = found.network.shouldNotBeNull()
            network.probes shouldBeGreaterThan 2
            network.rttP50Ms.shouldNotBeNull() shouldBeLessThan 50.0
            // One each, in most of the window: the counters are read by the event loops, which may be late.
            network.segments.shouldNotBeNull() shouldBeGreaterThan 200L
            seconds.last().roundTripMs.shouldNotBeNull()
        }
    }

    @Test
    fun `connections, users and rows of data are divided, and each is used once`() {
        PeerServer(two.target).use { server ->
            engine.drive(order(server, LoadProfile.Closed(5), window = 500.milliseconds)).found.errors shouldBe emptyMap()
            server.seen.map { it.host to it.port }.distinct().groupingBy { it.first }.eachCount() shouldBe
                mapOf(two.names[0] to 3, two.names[1] to 2)
            server.seen.clear()

            val data = folder.resolve("rows.csv").apply { writeText("n\n" + (1..24).joinToString("\n")) }
            val rows = order(server, LoadProfile.Burst(8, 3), path = "/row?n={n}").copy(data = "$data")
            engine.drive(rows).found.answered shouldBe 24
            server.seen.map { it.path } shouldContainExactlyInAnyOrder (1..24).map { "/row?n=$it" }
            server.seen.clear()

            data.writeText("n\n" + (101..124).joinToString("\n"))
            engine.drive(rows).found.answered shouldBe 24
            server.seen.map { it.path } shouldContainExactlyInAnyOrder (101..124).map { "/row?n=$it" }
        }
    }

    @Test
    fun `what cannot be divided, or would not leave a host, is refused`() {
        PeerServer(two.target).use { server ->
            shouldThrow<EngineFailed> { engine.drive(order(server, LoadProfile.Closed(1))) }.message shouldContain
                "2 hosts cannot share"
            shouldThrow<EngineFailed> {
                engine.drive(order(server, LoadProfile.Closed(4)).copy(host = "127.0.0.1"))
            }.message shouldContain "which is themselves"
            // Warm-ups may be smaller.
            engine.drive(
                order(server, LoadProfile.Closed(1), window = Duration.ZERO).copy(settle = 1.seconds),
            ).found.answered shouldBe 0
        }
    }

    @Test
    @Tag("full")
    fun `the jar is copied once, and complete`() {
        engine.pids shouldHaveSize 2
        val before = two.caches.map { it.resolve("boot-dyno").listDirectoryEntries().single() }
        val times = before.map { Files.getLastModifiedTime(it) }
        newEngine().close()
        two.caches.map { it.resolve("boot-dyno").listDirectoryEntries().single() } shouldBe before
        before.map { Files.getLastModifiedTime(it) } shouldBe times
        before.map { it.name }.distinct() shouldHaveSize 1
    }

    @Test
    @Tag("full")
    fun `an engine that is killed in the window is named, the other one stops, and a new one follows`() {
        PeerServer(two.target).use { server ->
            val killed = AtomicBoolean()
            val failure = shouldThrow<EngineFailed> {
                engine.drive(order(server, LoadProfile.Open(100.0), window = 60.seconds)) {
                    if (!killed.getAndSet(true)) two.engines(1).forEach { it.destroyForcibly() }
                }
            }
            failure.message shouldContain "the load engine on ${two.names[1]} ended (exit code"
            quiet(server)
            engine.drive(order(server, LoadProfile.Open(100.0), window = 500.milliseconds)).found.errors shouldBe emptyMap()
        }
    }

    @Test
    @Tag("full")
    fun `nothing is left on a host whose connection breaks in the window`() {
        PeerServer(two.target).use { server ->
            val broken = AtomicBoolean()
            val own = newEngine()
            val failure = shouldThrow<EngineFailed> {
                own.use {
                    it.drive(order(server, LoadProfile.Open(100.0), window = 60.seconds)) {
                        if (!broken.getAndSet(true)) ProcessHandle.of(own.pids[0]).ifPresent { ssh -> ssh.destroyForcibly() }
                    }
                }
            }
            failure.message shouldContain "the load engine on ${two.names[0]} ended"
            started?.close()
            until("no engine runs") { (0..1).all { two.engines(it).isEmpty() } }
        }
    }

    @Test
    @Tag("full")
    fun `a host that cannot be reached, and a Java that is missing or too old, are named with what to do`() {
        val missing = shouldThrow<EngineFailed> { newEngine("hosts" to "${two.names[0]},no-such-host.invalid") }.message
        missing shouldContain "The host no-such-host.invalid does not run commands for us"
        missing shouldContain "Could not resolve hostname"

        shouldThrow<EngineFailed> { newEngine("java" to "/no/such/java") }.message shouldContain
            "There is no Java at `/no/such/java`"

        val old = folder.resolve("old-java").apply { writeText("#!/bin/sh\necho 'openjdk version \"21.0.5\" 2024-10-15' >&2\n") }
        old.toFile().setExecutable(true)
        val tooOld = shouldThrow<EngineFailed> { newEngine("java" to "$old") }.message
        tooOld shouldContain "is Java 21, and the load engine needs 25 or newer"
        started?.close()
        until("no engine runs") { (0..1).all { two.engines(it).isEmpty() } }
    }

    private fun quiet(server: PeerServer) {
        var before = -1
        until("no request arrives") { server.seen.size.let { now -> (now == before).also { before = now } } }
    }
}
