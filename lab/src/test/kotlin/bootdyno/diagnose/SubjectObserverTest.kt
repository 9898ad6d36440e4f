package bootdyno.diagnose

import bootdyno.model.Diagnosis
import bootdyno.model.DumpedThreads
import bootdyno.model.Sessions
import bootdyno.model.ThreadDump
import bootdyno.probe.JvmConnection
import bootdyno.probe.SubjectProbe
import bootdyno.probe.Watched
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.comparables.shouldBeGreaterThan
import io.kotest.matchers.maps.shouldContainKey
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldMatch
import io.kotest.matchers.string.shouldStartWith
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestInstance
import org.junit.jupiter.api.condition.EnabledOnOs
import org.junit.jupiter.api.condition.OS
import java.io.IOException
import java.nio.file.Path
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/** A real JVM whose threads wait in known ways. */
@EnabledOnOs(OS.LINUX)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SubjectObserverTest {
    private val subject = WaitingSubject(JAVA_HERE)
    private val diagnosis = dumped(subject)
    private val dump = diagnosis.dumps.last()

    @AfterAll
    fun end() = subject.close()

    private fun observe(
        subject: WaitingSubject,
        jvm: JvmAccess,
        length: Duration = 3.seconds,
        actuator: (String) -> String? = { null },
        sessions: (() -> List<Sessions>)? = null,
    ): Diagnosis {
        val began = System.nanoTime()
        val observed = ObservedSubject(subject.pid, subject.port, group = null, jvm, actuator, sessions)
        return SubjectObserver(observed, { 40 + (System.nanoTime() - began) / 1e9 }, seed = 1).observe(length)
    }

    /** Other tests may use the CPUs: for longer and longer, until what is found [isEnough]. */
    private fun patiently(isEnough: (Diagnosis) -> Boolean, observe: (Duration) -> Diagnosis): Diagnosis =
        listOf(4.seconds, 8.seconds, 16.seconds).firstNotNullOfOrNull { observe(it).takeIf(isEnough) } ?: observe(32.seconds)

    /** With several dumps and a profile. Each attempt has a connection of its own, because a diagnosis that ends early breaks it. */
    private fun dumped(subject: WaitingSubject): Diagnosis =
        patiently({ it.dumps.size > 1 && it.profile?.cpuEvent != null }) { length ->
            JvmConnection.attach(subject.pid).use { jvm -> observe(subject, JvmAccess({ jvm }, { emptyList() }), length) }
        }

    private fun ThreadDump.named(name: String): DumpedThreads = threads.single { it.name == name }

    private fun Diagnosis.calls(threads: DumpedThreads): List<String> = stacks.stack(threads.stack).map {
        "${it.type}.${it.method}"
    }

    @Test
    fun `equal threads are one entry, and the owner of what they wait for owns it`() {
        val blocked = dump.named("monitor-waiter-")
        blocked.count shouldBe 2
        blocked.state shouldBe "BLOCKED"
        blocked.waitsFor.orEmpty() shouldMatch "java.lang.Object@[0-9a-f]+"
        dump.named("holder-").owns.shouldContainExactly(blocked.waitsFor)
        diagnosis.calls(dump.named("holder-")).shouldContain("Waiting.sleep")

        val parked = dump.named("lock-waiter-")
        parked.count shouldBe 2
        parked.waitsFor.orEmpty() shouldMatch "java.util.concurrent.locks.ReentrantLock\\\$NonfairSync@[0-9a-f]+"
        diagnosis.dumps.first().named("owner-").owns.shouldContainExactly(parked.waitsFor)
    }

    @Test
    fun `where owners of locks take long, they are not in each dump`() {
        var seconds = 0.0
        val owned = JvmConnection.attach(subject.pid).use { jvm ->
            val dumper = ThreadDumper(jvm, subject.pid, DiagnosisDraft(0.0))
            List(3) { dumper.dump { seconds++ }.named("owner-").owns.size }
        }
        owned shouldBe listOf(1, 0, 1)
    }

    @Test
    fun `virtual threads are seen, and workers with their executor`() {
        val virtual = dump.threads.single { it.virtual }
        virtual.count shouldBe 5
        virtual.waitsFor.orEmpty() shouldContain "Semaphore\$NonfairSync@"
        val workers = dump.named("pool-1-thread-")
        workers.count shouldBe 2
        workers.executor.orEmpty() shouldContain "java.util.concurrent.ThreadPoolExecutor@"
        dump.named("holder-").executor shouldBe null
    }

    @Test
    fun `our own observation is not part of it, and leaves no file`() {
        diagnosis.dumps.size shouldBeGreaterThan 1
        diagnosis.dumps.flatMap { it.threads }.filter { thread -> OBSERVERS.any { thread.name.startsWith(it) } }.shouldBeEmpty()
        diagnosis.threadCpu.filter { thread -> OBSERVERS.any { thread.name.startsWith(it) } }.shouldBeEmpty()
        Path.of(System.getProperty("java.io.tmpdir")).listDirectoryEntries("boot-dyno-threads-${subject.pid}-*").map {
            it.name
        }.shouldBeEmpty()
    }

    @Test
    fun `connections are counted by direction, and those that wait to be accepted`() {
        val reading = diagnosis.sockets.last()
        reading.inbound shouldBe 1
        reading.outbound shouldBe mapOf("127.0.0.1:${subject.peer.localPort}" to 1)
        reading.listenQueue shouldBe 1
    }

    @Test
    fun `a busy thread is the busiest of its name`() {
        val spinner = diagnosis.threadCpu.single { it.name == "spinner" }
        spinner.threads shouldBe 1
        spinner.busiest shouldBe spinner.cpus
        spinner.cpus shouldBeGreaterThan 0.0
    }

    @Test
    fun `what a busy thread computes is in the profile, and our own observation is not`() {
        val profile = diagnosis.profile.shouldNotBeNull()
        profile.cpuEvent shouldBe "jdk.CPUTimeSample"
        diagnosis.sampled().shouldContain("Waiting")
        diagnosis.sampled().filter { "jfr" in it || "rmi" in it }.shouldBeEmpty()
    }

    private fun Diagnosis.sampled(): List<String> =
        profile?.cpu.orEmpty().flatMap { stacks.stack(it.stack) }.map { it.type }.distinct()

    @Test
    fun `memory of the JVM is read from its MBeans, and no value that is undefined`() {
        val memory = diagnosis.beans.last { it.bean == "java.lang:type=Memory" }.values
        memory.shouldContainKey("HeapMemoryUsage.max")
        diagnosis.beans.flatMap { it.values.values }.filter { it < 0 }.shouldBeEmpty()
    }

    @Test
    fun `an application without Spring has no settings, and the reason is missing`() {
        diagnosis.settings.shouldBe(emptyMap())
        effectiveSettings(subject.pid, listOf("server.port")).shouldBe(emptyMap())
        diagnosis.missing.filter { "spring.application.admin.enabled" in it }.shouldHaveSize(1)
    }

    @Test
    fun `times are those of the trial`() {
        (diagnosis.from in 40.0..42.0) shouldBe true
        val read = diagnosis.dumps.map { it.at } + diagnosis.beans.map { it.at }
        read.filter { it !in diagnosis.from..diagnosis.to }.shouldBeEmpty()
    }

    @Test
    fun `of JDK 17 monitors and locks are seen, and virtual threads are missing`() {
        val java = JAVA_17
        assumeTrue(java != null) { "this machine has no JDK 17" }
        WaitingSubject(java ?: JAVA_HERE).use { older ->
            val found = dumped(older)
            val seen = found.dumps.last()
            seen.named("monitor-waiter-").let { waiting ->
                waiting.count shouldBe 2
                seen.named("holder-").owns.shouldContainExactly(waiting.waitsFor)
            }
            seen.named("owner-").owns.shouldContainExactly(seen.named("lock-waiter-").waitsFor)
            seen.named("pool-1-thread-").let { (it.count to it.state) shouldBe (2 to "TIMED_WAITING") }
            found.profile.shouldNotBeNull().cpuEvent shouldBe "jdk.ExecutionSample"
            found.sampled().shouldContain("Waiting")
            found.missing.shouldContain("Virtual threads are not in the thread dumps: its JDK is older than 21.")
        }
    }

    @Test
    fun `without a JVM the kernel is read, and the reason for the rest is missing`() {
        val noJvm = JvmAccess({ null }, { listOf("Process 7 is no JVM.") })
        val found = patiently({ it.sockets.isNotEmpty() }) { observe(subject, noJvm, it) }
        found.dumps.shouldBeEmpty()
        found.profile.shouldBeNull()
        found.sockets.shouldNotBeEmpty()
        found.missing.single { "no thread dumps" in it }.run {
            this shouldStartWith "There are no thread dumps, MBeans and settings of the JVM. Process 7 is no JVM."
            this shouldContain "management.endpoints.web.exposure.include"
        }
    }

    @Test
    fun `without a JVM the actuator shows threads and pools, and what it does not show is missing`() {
        val bodies = mapOf("/actuator/threaddump" to ACTUATOR_DUMP, "/actuator/metrics/hikaricp.connections.active" to metric(10))
        val found = patiently({ it.dumps.size > 1 && it.beans.isNotEmpty() }) {
            observe(subject, JvmAccess({ null }, { listOf("Process 7 is no JVM.") }), it, actuator = bodies::get)
        }
        found.dumps.size shouldBeGreaterThan 1
        found.dumps.last().named("http-nio-8080-exec-").count shouldBe 2
        found.beans.last().values shouldBe mapOf("ActiveConnections" to 10.0)
        found.missing.shouldContain(
            "Thread dumps are those of /actuator/threaddump, without virtual threads. Process 7 is no JVM.",
        )
    }

    @Test
    fun `of a JVM that refuses attaching the kernel is read, and the refusal is missing`() {
        WaitingSubject(JAVA_HERE, listOf("-XX:+DisableAttachMechanism")).use { refusing ->
            SubjectProbe(Watched(refusing.pid)).use { probe ->
                // As often as the sampling of a window does.
                repeat(3) { probe.read() }
                val access = JvmAccess(probe::jvmConnection, probe::jvmNotes)
                val found = patiently({ it.threadCpu.isNotEmpty() }) { observe(refusing, access, it) }
                found.dumps.shouldBeEmpty()
                found.threadCpu.shouldNotBeEmpty()
                found.missing.single { "There are no thread dumps" in it } shouldContain "could not be asked over JMX"
            }
        }
    }

    @Test
    fun `a JVM that does not answer does not hold up the diagnosis, which keeps what it has`() {
        val never = java.util.concurrent.CountDownLatch(1)
        val found = patiently({ it.sockets.isNotEmpty() }) { length ->
            observe(subject, JvmAccess({ null.also { never.await() } }, { emptyList() }), length)
        }
        found.sockets.shouldNotBeEmpty()
        found.missing.shouldContain("The diagnosis ended before the JVM did.")
    }

    @Test
    fun `sessions of a database are read as long as it answers`() {
        val sessions = listOf(Sessions(10, "active", "Lock", "transactionid", "UPDATE person SET name = ?", 0.5))
        val noJvm = JvmAccess({ null }, { emptyList() })
        val read = patiently({ it.database != null }) { observe(subject, noJvm, it, sessions = { sessions }) }
        read.database.shouldNotBeNull().readings.map { it.sessions }.distinct().shouldContainExactly(listOf(sessions))
        val fails = { throw IOException("connection reset") }
        val broken =
            patiently({ found -> found.missing.any { "sessions" in it } }) { observe(subject, noJvm, it, sessions = fails) }
        broken.database shouldBe null
        broken.missing.shouldContain("The sessions of the database could not be read: connection reset.")
    }
}
