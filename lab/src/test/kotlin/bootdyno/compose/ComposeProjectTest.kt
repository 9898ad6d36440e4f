package bootdyno.compose

import bootdyno.launch.LaunchFailed
import bootdyno.model.Compose
import bootdyno.model.Stage
import bootdyno.system.availableCpus
import bootdyno.system.formatCpuList
import bootdyno.system.ledger.Ledger
import bootdyno.system.waitUntil
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.net.InetAddress
import java.net.ServerSocket
import java.nio.file.Path
import kotlin.io.path.createDirectories
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.readLines
import kotlin.io.path.readText
import kotlin.time.Duration.Companion.seconds

/** With a docker command that starts nothing; a process and a socket of the test are the container. */
class ComposeProjectTest(@param:TempDir private val folder: Path) {
    private val docker = FakeDocker(folder.resolve("docker").createDirectories())
    private val ledgers = folder.resolve("ledgers")
    private val ledger = Ledger(ledgers)
    private val process = ProcessBuilder("sleep", "300").start()
    private val server = ServerSocket(0, 10, InetAddress.getLoopbackAddress())
    private val file = folder.resolve("compose.yaml")

    @AfterEach
    fun end() {
        process.destroyForcibly()
        server.close()
    }

    /** [said] gets what the user is told. */
    private fun project(
        services: List<String> = emptyList(),
        reset: List<String> = emptyList(),
        jar: String? = null,
        said: MutableList<String> = mutableListOf(),
    ): ComposeProject {
        val jars = listOfNotNull(jar?.let { MeasuredApplication(folder.resolve(it)) })
        val context = ComposeContext(CPUS, ledger, folder.resolve("compose.log"), docker.cli, jars, said::add)
        return ComposeProject(Compose("$file", services, reset), context)
    }

    private fun hasCache(health: String? = null, ip: String = "", kept: Path? = null, powers: String = "") {
        val port = server.localPort
        docker.has("cache", "redis:8", process.pid(), 6379, port, health = health, ip = ip, kept = kept, powers = powers)
    }

    private fun refusal(): LaunchFailed = project().use { shouldThrow<LaunchFailed> { it.start() } }

    @Test
    fun `subjects get the addresses of its containers, which are on their CPUs and removed at the end`() {
        hasCache(health = "healthy")
        docker.has("init", "busybox", pid = 0, status = "exited")
        project(listOf("cache")).use {
            it.start()
            it.environment["SPRING_DATA_REDIS_PORT"] shouldBe "${server.localPort}"
            val found = it.found.single()
            found.service shouldBe "cache"
            found.image shouldBe "redis:8"
            found.variables shouldContain "SPRING_DATA_REDIS_HOST"
            it.pids() shouldContain process.pid()
            it.brokeDown() shouldBe null
            docker.calls("container update") shouldContain "container update --cpuset-cpus=${formatCpuList(CPUS)} cache"
            docker.calls("compose --project-name").single() shouldContain " --file $file up --detach cache"
            ledgers.listDirectoryEntries().single().readText() shouldContain "project dyno-"
        }
        docker.calls("container rm").single() shouldBe "container rm --force --volumes cache init"
        ledger.close()
        ledgers.listDirectoryEntries().shouldBeEmpty()
    }

    @Test
    fun `the application of the file and what depends on it are left out, and said to be`() {
        hasCache()
        docker.resolves(
            """"cache": { "image": "redis:8" }, "app": { "build": { "context": "$folder/shop" }, "depends_on": { "cache": {} } },
            "proxy": { "image": "nginx", "depends_on": { "app": {} } }, "other": { "build": { "context": "$folder/other" } }""",
        )
        val said = mutableListOf<String>()
        fun started(jar: String): String {
            project(jar = jar, said = said).use { it.start() }
            return docker.calls("compose --project-name").last().substringAfter("--detach").trim()
        }
        started("shop/target/shop.jar") shouldBe "cache other"
        said.first() shouldBe "Left out of $file: app, which is the application, and proxy, which depends on it. " +
            "To choose: --compose FILE=SERVICE,…."
        // Neither is built from a folder with the jar, or called like it, and neither has settings of Spring Boot.
        said.clear()
        started("elsewhere/desk.jar") shouldBe ""
        said.first() shouldBe "app of $file may be the measured application. To leave it out: --compose FILE=cache,other."
        docker.resolves(
            """"cache": { "image": "redis:8" }, "app": { "image": "acme/shop", "environment": { "SPRING_PROFILES_ACTIVE": "x" } }""",
        )
        started("elsewhere/shop.jar") shouldBe "cache"
        // Two applications: which of them is measured, nobody knows.
        docker.resolves(
            """"a": { "image": "x/a", "environment": { "SPRING_X": "1" } }, "b": { "image": "x/b", "environment": { "SPRING_X": "1" } }""",
        )
        started("elsewhere/shop.jar") shouldBe ""
    }

    @Test
    fun `of a file with the application alone, nothing is started`() {
        docker.resolves(""""app": { "image": "x", "environment": { "SPRING_PROFILES_ACTIVE": "y" } }""")
        project().use {
            it.makeReady()
            it.environment shouldBe emptyMap()
        }
        docker.calls("compose --project-name").shouldBeEmpty()
    }

    @Test
    fun `two services with the same address for subjects are refused before anything starts`() {
        docker.resolves(
            """"one": { "image": "postgres:18" }, "two": { "image": "bitnami/postgresql" }, "cache": { "image": "redis" }""",
        )
        refusal().reason shouldBe "one and two of $file both give SPRING_DATASOURCE_URL. Name the services that are needed: " +
            "compose: { file: …, services: [ one ] }, or --compose FILE=one."
        docker.calls("compose --project-name").shouldBeEmpty()
        hasCache()
        project(listOf("cache")).use { it.start() }
    }

    @Test
    fun `each trial gets new containers, the first one those of the check before`() {
        hasCache()
        project().use {
            it.start()
            it.makeReady()
            docker.calls("compose --project-name") shouldHaveSize 1
            it.makeReady()
        }
        val names = docker.calls("compose --project-name").map { it.split(' ')[2] }
        names shouldHaveSize 2
        names.first() shouldNotBe names.last()
        docker.calls("container rm") shouldHaveSize 2
    }

    @Test
    fun `kept containers are reset by the command before each trial, which knows them`() {
        hasCache()
        val told = folder.resolve("told")
        val script = "echo \"\$SPRING_DATA_REDIS_PORT \$COMPOSE_PROJECT_NAME \$(pwd)\" >>'$told'"
        project(reset = listOf("sh", "-c", script)).use {
            it.makeReady()
            it.makeReady()
        }
        docker.calls("compose --project-name") shouldHaveSize 1
        told.readLines() shouldHaveSize 2
        told.readLines().first() shouldStartWith "${server.localPort} dyno-"
        told.readLines().first() shouldContain "$folder"
    }

    @Test
    fun `what does not start says why, with its last words`() {
        docker.has("db", "postgres:18", process.pid(), status = "exited", exit = 3)
        refusal().also {
            it.stage shouldBe Stage.SERVICES
            it.reason shouldBe "The service db of $file ended with exit code 3."
            it.lastLines shouldContainExactly listOf("last words of db")
        }
        docker.has("db", "postgres:18", process.pid(), inside = 5432, port = server.localPort, health = "unhealthy")
        refusal().reason shouldBe "The service db of $file is unhealthy. Its health check says: such role"
        docker.has("db", "postgres:18", process.pid(), inside = 5432)
        refusal().reason shouldContain
            "The service db publishes no port, so that no application reaches it. In $file, add `ports: [ \"5432\" ]` to it"
    }

    @Test
    fun `a compose file that cannot be started says why, and what to do about a taken port`() {
        docker.refusesUp()
        refusal().also {
            it.lastLines shouldContain "port is already allocated"
            it.reason shouldStartWith "docker compose up of $file ended with exit code 1. A port or a name is taken"
        }
        // Compose itself waits for what others depend on.
        docker.has("db", "postgres:18", process.pid(), health = "unhealthy")
        refusal().reason shouldStartWith "The service db of $file is unhealthy."
    }

    @Test
    fun `after a start that failed, the next trial starts new containers`() {
        hasCache()
        docker.refusesUp()
        project().use {
            shouldThrow<LaunchFailed> { it.makeReady() }
            docker.acceptsUp()
            it.makeReady()
            it.environment["SPRING_DATA_REDIS_PORT"] shouldBe "${server.localPort}"
        }
        docker.calls("container rm") shouldHaveSize 2
    }

    @Test
    fun `the published port counts where the address in Docker's network is out of reach`() {
        hasCache(ip = "127.254.254.254")
        project().use {
            it.start()
            it.environment["SPRING_DATA_REDIS_HOST"] shouldBe "127.0.0.1"
            it.environment["SPRING_DATA_REDIS_PORT"] shouldBe "${server.localPort}"
        }
    }

    @Test
    fun `what can change the machine as root can is said once`() {
        hasCache(kept = Path.of("/"), powers = """"privileged": true, "pidMode": "host",""")
        val said = mutableListOf<String>()
        project(said = said).use {
            it.makeReady()
            it.makeReady()
        }
        said.single { line -> "runs with" in line } shouldBe
            "cache of $file runs with privileged: true, pid: host and a mount of /: it can change this machine as root can."
    }

    @Test
    fun `data that outlive the containers are said once, and recorded`() {
        hasCache(kept = folder)
        val said = mutableListOf<String>()
        project(said = said).use {
            it.makeReady()
            it.makeReady()
            it.found.single().kept shouldContainExactly listOf("$folder")
        }
        said.single { line -> "Starting" !in line } shouldStartWith
            "cache of $file keeps its data in $folder: the load changes them"
    }

    @Test
    fun `passwords are hidden, but for those that are the name of a user`() {
        fun hidden(password: String): String {
            docker.has("db", "postgres:18", process.pid(), inside = 5432, port = server.localPort, password = password)
            return project().use {
                it.start()
                it.hide("postgres said $password")
            }
        }
        hidden("hunter22") shouldBe "postgres said (hidden)"
        hidden("postgres") shouldBe "postgres said postgres"
    }

    @Test
    fun `two services for the same setting are refused, since nobody could tell which one counts`() {
        docker.has("one", "postgres:18", process.pid(), inside = 5432, port = server.localPort)
        docker.has("two", "mysql:9", process.pid(), inside = 3306, port = server.localPort)
        refusal().reason shouldContain "one and two of $file both give SPRING_DATASOURCE_URL. Name the services that are needed"
    }

    @Test
    fun `a container that ends is reported, and replaced for the next trial`() {
        hasCache()
        project(reset = listOf("true")).use {
            it.makeReady()
            process.destroyForcibly()
            waitUntil(10.seconds) { it.brokeDown() != null } shouldBe true
            it.brokeDown() shouldBe "The container of cache ($file) has ended."
            val next = ProcessBuilder("sleep", "300").start()
            try {
                docker.has("cache", "redis:8", next.pid(), inside = 6379, port = server.localPort)
                it.makeReady()
                it.brokeDown() shouldBe null
            } finally {
                next.destroyForcibly()
            }
        }
    }

    private companion object {
        val CPUS = availableCpus()
    }
}
