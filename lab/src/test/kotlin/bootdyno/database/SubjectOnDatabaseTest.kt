package bootdyno.database

import bootdyno.launch.Awaited
import bootdyno.launch.LaunchFailed
import bootdyno.launch.RunningSubject
import bootdyno.launch.Startup
import bootdyno.launch.SubjectOnDependency
import bootdyno.model.Bytes
import bootdyno.model.LimitsFound
import bootdyno.model.Stage
import bootdyno.model.Step
import bootdyno.model.Workload
import bootdyno.system.limits.Group
import bootdyno.system.waitUntil
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestInstance
import org.junit.jupiter.api.io.TempDir
import org.junit.jupiter.api.parallel.ResourceLock
import java.net.URI
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.readBytes
import kotlin.io.path.writeBytes
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/** One database for all tests; where one test kills it, the next has a fresh one. */
@ResourceLock(CLUSTERS)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SubjectOnDatabaseTest(@param:TempDir private val folder: Path) {
    private val log = folder.resolve("subject.log")
    private val database = databaseOfOurs(context(folder))

    @AfterAll
    fun end() = database.close()

    @Test
    fun `a subject that fails with a working database is the cause, and its last lines hide the password`() {
        database.makeReady()
        val password = database.environment.getValue("SPRING_DATASOURCE_PASSWORD")
        val subject = SubjectOnDependency(FakeSubject("cannot log in with $password"), database, log)
        val failed = shouldThrow<LaunchFailed> { subject.awaitReady("/", 1.seconds) }
        failed.stage shouldBe Stage.READY
        failed.reason shouldBe "It was not ready: cannot log in with (hidden)"
        failed.lastLines shouldBe listOf("cannot log in with (hidden)")
        subject.deathReport() shouldBe "The subject ended with exit code 1."
    }

    @Test
    fun `a subject whose database was killed fails for that, at whatever stage`() {
        val pid = checkNotNull(database.makeReady().pid)
        val subject = SubjectOnDependency(FakeSubject("connection refused"), database, log)
        ProcessHandle.of(pid).get().destroyForcibly()
        waitUntil(5.seconds) { database.brokeDown() != null } shouldBe true
        val reason = "The database was ended by signal 9 (SIGKILL)."
        shouldThrow<LaunchFailed> { subject.awaitReady("/", 1.seconds) }.reason shouldBe reason
        shouldThrow<LaunchFailed> {
            subject.verify(Workload("w", listOf(Step("w", path = "/"))))
        }.let { it.stage to it.reason } shouldBe (Stage.VERIFY to reason)
        subject.deathReport() shouldBe reason
        subject.lastLogLines().joinToString("\n") shouldContain "database system is ready"
    }

    @Test
    fun `what a subject printed holds no password when it is closed, and is otherwise as it was`() {
        database.makeReady()
        val password = database.environment.getValue("SPRING_DATASOURCE_PASSWORD")
        val odd = byteArrayOf(-1, 0x41, -61)
        log.writeBytes("one\nspring.datasource.password is $password!\n".toByteArray() + odd + "\n".toByteArray())
        SubjectOnDependency(FakeSubject(""), database, log).close()
        log.readBytes().toList() shouldBe
            ("one\nspring.datasource.password is (hidden)!\n".toByteArray() + odd + "\n".toByteArray()).toList()
        val other = folder.resolve("other.log").also { Files.writeString(it, "no newline at the end") }
        SubjectOnDependency(FakeSubject(""), database, other).close()
        Files.readString(other) shouldBe "no newline at the end"
    }
}

/** A subject that is never ready and has died. */
private class FakeSubject(private val said: String) : RunningSubject {
    override val pid: Long? = null
    override val base: URI = URI("http://127.0.0.1:1")
    override val limits = LimitsFound("fake", 1.0, null, "0", null, "0")
    override val commandLine = emptyList<String>()
    override val sha256: String? = null
    override val group: Group? = null

    override fun awaitReady(path: String?, deadline: Duration, tell: (Awaited) -> Unit): Startup =
        throw LaunchFailed(Stage.READY, "It was not ready: $said", listOf(said))

    override fun verify(workload: Workload, timeout: Duration): List<Double> =
        throw LaunchFailed(Stage.VERIFY, "status 500 came", listOf(said))

    override fun deathReport() = "The subject ended with exit code 1."

    override fun lastLogLines(n: Int) = listOf(said)

    override fun startupAsLogged(): Double? = null

    override fun peakMemory(): Bytes? = null

    override fun favourCompiler() = false

    override fun unfavourCompiler() = true

    override fun liftCpuLimit(extra: List<Int>) = false

    override fun restoreCpuLimit() = true

    override fun close() = Unit
}
