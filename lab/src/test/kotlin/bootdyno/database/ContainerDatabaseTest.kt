package bootdyno.database

import bootdyno.launch.LaunchFailed
import bootdyno.launch.docker.InEngine
import bootdyno.launch.docker.SharedEngine
import bootdyno.launch.docker.WITHOUT_JAVA
import bootdyno.model.Database
import bootdyno.system.availableCpus
import bootdyno.system.cpuListOf
import bootdyno.system.startMark
import bootdyno.system.waitUntil
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import io.kotest.matchers.string.shouldStartWith
import org.junit.jupiter.api.BeforeAll
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.isRegularFile
import kotlin.io.path.readText
import kotlin.time.Duration.Companion.seconds

/** With a real engine and a real PostgreSQL in an image that is used as Docker's official one is. */
internal class ContainerDatabaseTest(@param:TempDir private val folder: Path) : InEngine(folder) {
    private fun database(
        image: String = POSTGRES_IMAGE,
        settings: Map<String, String> = emptyMap(),
        context: DatabaseContext = context(folder).inEngine(),
    ) = RunDatabase(Database.Container("$PERSON_TABLE", image, settings), null, context)

    private fun DatabaseContext.inEngine() = DatabaseContext(cpus, cache, this@ContainerDatabaseTest.ledger, log, engine.cli)

    @Test
    fun `it is ready with its tables and settings, on its CPUs, and its password is written nowhere`() {
        val cpus = availableCpus().take(1)
        val (password, pids) = database(
            settings = mapOf("shared_buffers" to "16MB"),
            context = context(folder, cpus).inEngine(),
        ).use {
            val found = it.makeReady()
            found.version shouldStartWith "18."
            found.settings["fsync"] shouldBe "on"
            found.settings["shared_buffers"] shouldBe "16MB"
            found.startupSeconds.shouldNotBeNull() shouldBeGreaterThan 0.0
            val container = found.container.shouldNotBeNull()
            container.image shouldBe POSTGRES_IMAGE
            container.user shouldBe 999L
            it.asked { session -> session.text("SELECT count(*) FROM person") } shouldBe "0"
            it.asked { session -> session.run("INSERT INTO person (name, description) VALUES ('Ada Lovelace', 'left behind')") }
            it.makeReady()
            it.asked { session -> session.text("SELECT count(*) FROM person") } shouldBe "0"
            val pids = it.pids()
            pids.mapNotNull(::cpuListOf).distinct() shouldContainExactly listOf("${cpus.single()}")
            it.brokeDown() shouldBe null
            it.environment.getValue("SPRING_DATASOURCE_PASSWORD") to pids
        }
        waitUntil(5.seconds) { pids.all { startMark(it) == null } } shouldBe true
        val written = Files.walk(folder).use { all -> all.filter { it.isRegularFile() }.map { it.readText() }.toList() }
        written.joinToString("\n") shouldContain "database system is ready to accept connections"
        written.joinToString("\n") shouldNotContain password
    }

    @Test
    fun `a killed one says how it ended, and the next trial has a fresh one`() {
        database().use { database ->
            val first = database.makeReady()
            ProcessHandle.of(first.pid.shouldNotBeNull()).get().destroyForcibly()
            waitUntil(5.seconds) { database.brokeDown() != null } shouldBe true
            database.brokeDown() shouldBe "The database was ended by signal 9 (SIGKILL)."
            val second = database.makeReady()
            second.pid shouldNotBe first.pid
            second.address shouldNotBe first.address
            database.asked { it.text("SELECT count(*) FROM person") } shouldBe "0"
            database.brokeDown() shouldBe null
            engine.containers().size shouldBe 1
        }
    }

    @Test
    fun `a setting it does not take is told in its own words`() {
        database(settings = mapOf("shared_buffers" to "a lot")).use { database ->
            val failed = shouldThrow<LaunchFailed> { database.makeReady() }
            failed.reason shouldContain "The database did not start: The database ended with exit code 1."
            failed.lastLines.joinToString("\n") shouldContain "shared_buffers"
        }
    }

    @Test
    fun `an image that is nowhere, or one that is no PostgreSQL, is told so`() {
        shouldThrow<LaunchFailed> { database("dyno-test:none").use { it.makeReady() } }.reason shouldContain
            "The image of the database dyno-test:none is not here and could not be fetched"
        shouldThrow<LaunchFailed> { database(WITHOUT_JAVA).use { it.makeReady() } }.reason shouldContain
            "The container could not be started: "
    }

    @Test
    fun `without a docker command it says what to install`() {
        shouldThrow<LaunchFailed> { database(context = context(folder)).use { it.makeReady() } }.reason shouldContain
            "There is no docker command on the PATH. Install it"
    }

    private companion object {
        @JvmStatic
        @BeforeAll
        fun importImage() = SharedEngine.engine.importPostgres()
    }
}
