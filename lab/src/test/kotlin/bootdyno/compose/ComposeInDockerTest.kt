package bootdyno.compose

import bootdyno.database.PERSON_TABLE
import bootdyno.database.POSTGRES_IMAGE
import bootdyno.database.importPostgres
import bootdyno.database.run
import bootdyno.database.text
import bootdyno.launch.LaunchFailed
import bootdyno.launch.docker.HOW_TO_GET_COMPOSE
import bootdyno.launch.docker.InEngine
import bootdyno.launch.docker.SharedEngine
import bootdyno.model.Compose
import bootdyno.system.availableCpus
import bootdyno.system.cpuListOf
import bootdyno.system.socket.listeningSockets
import bootdyno.system.startMark
import bootdyno.system.waitUntil
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.BeforeAll
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.net.InetAddress
import java.net.ServerSocket
import java.nio.file.Path
import java.sql.Connection
import java.sql.DriverManager
import kotlin.io.path.createDirectory
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.readLines
import kotlin.io.path.writeText
import kotlin.time.Duration.Companion.seconds

/** With a real engine, a real compose and a real PostgreSQL; skipped without compose. */
internal class ComposeInDockerTest(@param:TempDir private val folder: Path) : InEngine(folder) {
    private val cpus = availableCpus().take(1)
    private val file = folder.resolve("compose.yaml")

    /** PostgreSQL with [more] keys, before the [rest] of the compose file. */
    private fun project(more: String, rest: String = "", reset: List<String> = emptyList()): ComposeProject {
        file.writeText("services:\n  db:\n    image: $POSTGRES_IMAGE\n    $LOGIN\n${more.prependIndent("    ")}\n$rest\n")
        val context = ComposeContext(cpus, ledger, folder.resolve("compose.log"), engine.cli)
        return ComposeProject(Compose("$file", reset = reset), context)
    }

    private fun <T> ComposeProject.asked(action: (Connection) -> T): T = DriverManager.getConnection(
        environment.getValue("SPRING_DATASOURCE_URL"),
        environment.getValue("SPRING_DATASOURCE_USERNAME"),
        environment.getValue("SPRING_DATASOURCE_PASSWORD"),
    ).use(action)

    private fun refusal(project: ComposeProject): LaunchFailed = project.use { shouldThrow<LaunchFailed> { it.start() } }

    @Test
    fun `each trial gets a new database, with its tables, on the CPUs of services`() {
        val mounted = "volumes: [ \"$PERSON_TABLE:/docker-entrypoint-initdb.d/schema.sql\", \"data:/data\" ]"
        val pids = project("$PORT\n$HEALTH\n$mounted", rest = "volumes: { data: {} }").use {
            it.makeReady()
            it.environment.getValue("SPRING_DATASOURCE_USERNAME") shouldBe "shop"
            it.asked { db -> db.run("INSERT INTO person (name, description) VALUES ('Ada Lovelace', 'left behind')") }
            val first = it.found.single()
            first.service shouldBe "db"
            first.image shouldBe POSTGRES_IMAGE
            first.variables shouldContain "SPRING_R2DBC_URL"
            first.kept.shouldBeEmpty()
            it.pids().mapNotNull(::cpuListOf).distinct() shouldContainExactly listOf("${cpus.single()}")
            it.makeReady()
            it.found.single().id shouldNotBe first.id
            it.asked { db -> db.text("SELECT count(*) FROM person") } shouldBe "0"
            it.brokeDown() shouldBe null
            it.pids()
        }
        waitUntil(5.seconds) { pids.all { startMark(it) == null } } shouldBe true
    }

    @Test
    fun `subjects reach a database without Docker's proxy, also one that publishes no port`() {
        listOf(PORT, "").forEach { port ->
            project(port).use {
                it.start()
                val own = engine.cli.ask("container", "inspect", "--format", ADDRESSES, it.found.single().id).output.trim()
                it.environment.getValue("SPRING_DATASOURCE_URL") shouldBe "jdbc:postgresql://$own:5432/shop"
            }
        }
    }

    @Test
    fun `a database with the network of the machine is at its usual port`() {
        assumeTrue(listeningSockets().none { it.port == 5432 }) { "port 5432 is taken" }
        project("network_mode: host").use {
            it.start()
            it.environment.getValue("SPRING_DATASOURCE_URL") shouldBe "jdbc:postgresql://127.0.0.1:5432/shop"
            it.asked { db -> db.text("SELECT current_user") } shouldBe "shop"
        }
    }

    @Test
    fun `kept containers are reset by a command that reaches them by compose`() {
        val told = folder.resolve("told")
        val words = "${composeWords(engine.cli)?.joinToString(" ")} exec -T db pg_ctl status >>$told"
        project(PORT, reset = listOf("sh", "-ec", words)).use {
            it.makeReady()
            val first = it.found.single()
            it.asked { db -> db.run("CREATE TABLE kept (x int)") }
            it.makeReady()
            it.found.single().id shouldBe first.id
            it.asked { db -> db.text("SELECT count(*) FROM kept") } shouldBe "0"
        }
        told.readLines().count { "server is running" in it } shouldBe 2
    }

    @Test
    fun `data in a folder of the user are not removed, and it is said that they outlive the containers`() {
        val data = folder.resolve("data").createDirectory()
        data.toFile().setWritable(true, false)
        project("$PORT\nvolumes: [ \"$data:/data\" ]").use {
            it.makeReady()
            it.found.single().kept shouldContainExactly listOf("$data")
        }
        data.listDirectoryEntries("cluster").size shouldBe 1
    }

    @Test
    fun `a killed database is reported, with its last words, and replaced for the next trial`() {
        project(PORT).use {
            it.makeReady()
            ProcessHandle.of(it.found.single().pid).get().destroyForcibly()
            waitUntil(5.seconds) { it.brokeDown() != null } shouldBe true
            it.brokeDown() shouldBe "The container of db ($file) has ended."
            it.lastLogLines(20).joinToString() shouldContain "database system is ready to accept connections"
            it.makeReady()
            it.asked { db -> db.text("SELECT 1") } shouldBe "1"
        }
    }

    @Test
    fun `what is wrong with a compose file or its services is said in their own words`() {
        refusal(project("imag: x")).also {
            it.reason shouldStartWith "docker compose up of $file ended with exit code"
            it.lastLines.joinToString() shouldContain "imag"
        }
        refusal(project("command: [ postgres, -c, shared_buffers=lots ]")).also {
            it.reason shouldBe "The service db of $file ended with exit code 1."
            it.lastLines.joinToString() shouldContain "shared_buffers"
        }
        val sick = "healthcheck: { test: [ CMD-SHELL, \"echo no such role; false\" ], interval: 1s, retries: 2 }"
        refusal(project(sick)).reason shouldBe "The service db of $file is unhealthy. Its health check says: no such role"
        // Compose itself waits for that one.
        val other = "labels: { org.springframework.boot.ignore: \"true\" }"
        val waits = "  web: { image: $POSTGRES_IMAGE, $other, depends_on: { db: { condition: service_healthy } } }"
        refusal(project(sick, waits)).reason shouldBe "The service db of $file is unhealthy. Its health check says: no such role"
    }

    @Test
    fun `a taken port is said, and what to do`() {
        ServerSocket(0, 1, InetAddress.getByName("0.0.0.0")).use { taken ->
            val failed = refusal(project("ports: [ \"${taken.localPort}:5432\" ]"))
            failed.reason shouldContain "A port or a name is taken"
        }
    }

    private companion object {
        const val LOGIN = "environment: { POSTGRES_USER: shop, POSTGRES_PASSWORD: secret-of-shop }"
        const val PORT = "ports: [ \"5432\" ]"
        const val HEALTH = "healthcheck: { test: [ CMD, pg_ctl, status ], interval: 1s }"
        const val ADDRESSES = "{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}"

        @JvmStatic
        @BeforeAll
        fun start() {
            assumeTrue(composeWords(SharedEngine.engine.cli) != null) { HOW_TO_GET_COMPOSE }
            SharedEngine.engine.importPostgres()
        }
    }
}
