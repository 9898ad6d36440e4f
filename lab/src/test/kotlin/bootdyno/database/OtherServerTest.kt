package bootdyno.database

import bootdyno.launch.LaunchFailed
import bootdyno.model.Database
import bootdyno.system.waitUntil
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.BeforeAll
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestInstance
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.time.Duration.Companion.seconds

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OtherServerTest {
    @TempDir
    lateinit var folder: Path

    private var server: InstalledServer? = null
    private val theirs: InstalledServer get() = checkNotNull(server)

    @BeforeAll
    fun start() {
        val programs = installedPrograms()
        assumeTrue(programs != null, "no PostgreSQL is installed here (Debian: apt-get install postgresql)")
        server = programs?.let(::InstalledServer)
    }

    @AfterAll
    fun stop() {
        server?.close()
    }

    private fun database(user: String = "bench", password: String = InstalledServer.PASSWORD) =
        RunDatabase(Database.Server("$PERSON_TABLE", theirs.url, user, "DB_PASSWORD"), password, context(folder))

    private fun schemas() =
        theirs.administrator().use { it.text("SELECT count(*) FROM pg_namespace WHERE nspname = '$OUR_SCHEMA'") }

    @Test
    fun `all is done in a schema of ours, which is gone afterwards, and nothing else is touched`() {
        database().use { database ->
            val found = database.makeReady()
            found.address shouldBe "127.0.0.1:${theirs.port}/shop"
            found.pid shouldBe null
            found.startupSeconds shouldBe null
            database.asked { it.run("INSERT INTO person (name, description) VALUES ('Ada Lovelace', 'left behind')") }
            database.makeReady()
            database.asked { it.text("SELECT count(*) FROM person") } shouldBe "0"
            database.pids() shouldBe emptyList()
            schemas() shouldBe "1"
        }
        schemas() shouldBe "0"
        theirs.administrator().use { it.text("SELECT count(*) FROM precious") } shouldBe "1"
    }

    @Test
    fun `a rejected login fails immediately, without the password in the message`() {
        val failed = shouldThrow<LaunchFailed> { database(password = "not-the-password").use { it.makeReady() } }
        failed.reason shouldContain "The database is not there: 127.0.0.1:${theirs.port}/shop as bench: "
        failed.reason shouldContain "password authentication failed"
        failed.reason shouldNotContain "not-the-password"
    }

    @Test
    fun `without permission to create a schema the message names the grant`() {
        val failed = shouldThrow<LaunchFailed> { database(user = "guest").use { it.makeReady() } }
        failed.reason shouldContain "permission denied for database shop"
        failed.reason shouldContain "GRANT CREATE ON DATABASE"
    }

    @Test
    fun `two of us do not share it`() {
        database().use { first ->
            first.makeReady()
            val failed = shouldThrow<LaunchFailed> { database().use { it.makeReady() } }
            failed.reason shouldContain "another Boot Dyno is using this database"
            first.makeReady()
        }
    }

    @Test
    fun `one that was restarted broke off, and serves the next trial`() {
        database().use { database ->
            database.makeReady()
            database.brokeDown() shouldBe null
            theirs.restart()
            waitUntil(5.seconds) { database.brokeDown() != null } shouldBe true
            database.brokeDown().shouldNotBeNull() shouldContain "broke off all its sessions"
            database.makeReady()
            database.brokeDown() shouldBe null
        }
    }
}
