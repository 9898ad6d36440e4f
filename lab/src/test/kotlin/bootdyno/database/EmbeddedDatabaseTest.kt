package bootdyno.database

import bootdyno.launch.LaunchFailed
import bootdyno.model.Database
import bootdyno.system.availableCpus
import bootdyno.system.cpuListOf
import bootdyno.system.familyOf
import bootdyno.system.readOrNull
import bootdyno.system.runShortly
import bootdyno.system.startMark
import bootdyno.system.waitUntil
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldNotContain
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import io.kotest.matchers.string.shouldStartWith
import org.junit.jupiter.api.BeforeEach
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import org.junit.jupiter.api.parallel.ResourceLock
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.isRegularFile
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.readText
import kotlin.io.path.writeText
import kotlin.time.Duration.Companion.seconds

@ResourceLock(CLUSTERS)
class EmbeddedDatabaseTest(@param:TempDir private val folder: Path) {
    private lateinit var clustersBefore: Set<String>

    @BeforeEach
    fun lookAround() {
        clustersBefore = clusters()
    }

    /** Null when it has ended. */
    private fun uidOf(pid: Long): String? =
        readOrNull(Path.of("/proc/$pid/status"))?.lines()?.find { it.startsWith("Uid:") }?.split('\t')?.get(1)

    private fun everythingWritten(): String = Files.walk(folder).use { files ->
        files.filter { it.isRegularFile() }.map { it.readText() }.toList().joinToString("\n")
    }

    private fun nothingShouldBeLeft(pids: List<Long>) {
        waitUntil(5.seconds) { pids.all { startMark(it) == null } } shouldBe true
        (clusters() - clustersBefore).shouldBeEmpty()
        folder.resolve("ledgers").listDirectoryEntries().shouldBeEmpty()
    }

    @Test
    fun `it is ready with its tables, writes for good, runs on its CPUs, not as root, and leaves nothing behind`() {
        val cpus = availableCpus().take(1)
        val context = context(folder, cpus)
        val database = databaseOfOurs(context)
        val (password, pids) = database.use {
            val found = it.makeReady()
            found.version shouldStartWith "18."
            found.address shouldStartWith "127.0.0.1:"
            found.settings["fsync"] shouldBe "on"
            found.settings["synchronous_commit"] shouldBe "on"
            found.cpuList shouldBe "${cpus.single()}"
            it.asked { session -> session.text("SELECT count(*) FROM person") } shouldBe "0"
            it.brokeDown() shouldBe null
            val pids = it.pids()
            // A session's process may have ended meanwhile; the server itself has not.
            pids shouldContain found.pid
            pids.mapNotNull(::cpuListOf).distinct() shouldContainExactly listOf("${cpus.single()}")
            pids.mapNotNull(::uidOf) shouldNotContain "0"
            it.environment.getValue("SPRING_DATASOURCE_PASSWORD") to pids
        }
        context.ledger.close()
        nothingShouldBeLeft(pids)
        everythingWritten() shouldNotContain password
    }

    @Test
    fun `before each trial it is empty again, whatever the last one left and however it ended`() {
        databaseOfOurs(context(folder)).use { database ->
            val first = database.makeReady()
            val left = database.connect()
            left.run("INSERT INTO person (name, description) VALUES ('Ada Lovelace', 'left behind')")
            left.run("CREATE TABLE of_the_application (id int)")
            left.autoCommit = false
            // A subject that was killed in a transaction, its locks still held.
            left.run("UPDATE person SET name = 'locked'")
            val second = database.makeReady()
            second.pid shouldBe first.pid
            database.asked { session ->
                session.text("SELECT count(*) FROM person") shouldBe "0"
                session.text("SELECT string_agg(tablename, ',') FROM pg_tables WHERE schemaname = 'boot_dyno'") shouldBe "person"
                session.text("INSERT INTO person (name, description) VALUES ('Grace', 'first') RETURNING id") shouldBe "1"
            }
            left.isValid(1) shouldBe false
        }
    }

    @Test
    fun `a killed one says how it ended, and the next trial has a fresh one`() {
        databaseOfOurs(context(folder)).use { database ->
            val first = database.makeReady()
            val killed = database.pids()
            ProcessHandle.of(first.pid.shouldNotBeNull()).get().destroyForcibly()
            waitUntil(5.seconds) { database.brokeDown() != null } shouldBe true
            database.brokeDown() shouldBe "The database was ended by signal 9 (SIGKILL)."
            val second = database.makeReady()
            second.pid shouldNotBe first.pid
            database.brokeDown() shouldBe null
            database.asked { it.text("SELECT count(*) FROM person") } shouldBe "0"
            waitUntil(5.seconds) { killed.all { startMark(it) == null } } shouldBe true
            (clusters() - clustersBefore).size shouldBe 1
        }
    }

    @Test
    fun `a database that recovered fails the trial, and the next trial has a new one`() {
        databaseOfOurs(context(folder)).use { database ->
            val first = database.makeReady()
            val session = database.connect()
            val backend = session.text("SELECT pg_backend_pid()")
            runShortly(listOf("sh", "-c", "kill -9 $backend"))
            waitUntil(10.seconds) { database.brokeDown() != null } shouldBe true
            database.brokeDown().shouldNotBeNull() shouldContain "broke off all its sessions"
            database.lastLogLines().joinToString("\n") shouldContain "terminating any other active server processes"
            database.makeReady().pid shouldNotBe first.pid
            database.brokeDown() shouldBe null
        }
    }

    @Test
    fun `a setting it does not take is told in its own words, and nothing is left`() {
        val context = context(folder)
        databaseOfOurs(context, Database.Embedded(settings = mapOf("shared_buffers" to "a lot"))).use { database ->
            val failed = shouldThrow<LaunchFailed> { database.makeReady() }
            failed.reason shouldContain "did not start"
            failed.lastLines.joinToString("\n") shouldContain "shared_buffers"
            context.ledger.close()
            nothingShouldBeLeft(emptyList())
        }
    }

    @Test
    fun `tables that cannot be made fail that trial with the reason, and settings are its settings`() {
        val tables = folder.resolve("tables.sql")
        val settings = mapOf("shared_buffers" to "16MB", "fsync" to "off")
        databaseOfOurs(context(folder), Database.Embedded("$tables", settings)).use { database ->
            shouldThrow<LaunchFailed> { database.makeReady() }.reason shouldContain "tables.sql cannot be read"
            tables.writeText("CREATE TABEL person (id int)")
            shouldThrow<LaunchFailed> { database.makeReady() }.reason shouldContain "syntax error at or near \"TABEL\""
            tables.writeText("CREATE TABLE person (id int)")
            database.makeReady().settings.filterKeys { it in settings } shouldBe settings
            database.asked { it.text("SELECT count(*) FROM person") } shouldBe "0"
        }
    }

    @Test
    fun `after a kill of the lab the next one ends it and removes its files`() {
        val java = ProcessHandle.current().info().command().get()
        val classes = System.getProperty("java.class.path")
        val owner = ProcessBuilder(java, "-cp", classes, "bootdyno.database.DatabaseOwnerKt", "$folder").start()
        try {
            val pid = owner.inputReader().readLine().toLong()
            val family = familyOf(pid)
            (startMark(pid) != null) shouldBe true
            (clusters() - clustersBefore).size shouldBe 1
            owner.destroyForcibly().waitFor()
            val said = context(folder).ledger.cleanUpAfterTheDead()
            said.map { it.substringBefore(" (").substringBefore(" /") } shouldContainExactly
                listOf("Ended the database", "Removed the folder")
            nothingShouldBeLeft(family)
        } finally {
            owner.destroyForcibly()
        }
    }
}
