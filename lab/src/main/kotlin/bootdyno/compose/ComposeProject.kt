package bootdyno.compose

import bootdyno.launch.Dependency
import bootdyno.launch.LaunchFailed
import bootdyno.launch.docker.DockerCli
import bootdyno.launch.docker.removeDockerResource
import bootdyno.launch.prepare.ToolRun
import bootdyno.model.Compose
import bootdyno.model.DependencyFound
import bootdyno.model.HIDDEN
import bootdyno.model.Stage
import bootdyno.model.looksSecret
import bootdyno.system.Inherited
import bootdyno.system.areOnCpus
import bootdyno.system.cpuListOf
import bootdyno.system.familyOf
import bootdyno.system.formatCpuList
import bootdyno.system.ledger.DockerResource
import bootdyno.system.ledger.Ledger
import bootdyno.system.ledger.newName
import bootdyno.system.moveToCpus
import bootdyno.system.withoutInterrupts
import java.io.IOException
import java.net.InetAddress
import java.net.InetSocketAddress
import java.net.Socket
import java.net.SocketTimeoutException
import java.nio.file.Path
import java.util.concurrent.locks.LockSupport
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.minutes
import kotlin.time.TimeSource

/** Resources of a compose project: [cpus] of its containers, and the [log] of its commands. */
class ComposeSeat(
    val cpus: List<Int>,
    val ledger: Ledger,
    val log: Path,
    val docker: DockerCli,
    /** Gets messages about slow steps. */
    val say: (String) -> Unit = {},
)

/**
 * The containers of a compose file in a run, as a project of our own: new ones for each trial, or kept and reset by the user's command. They
 * run on the CPUs of services, and are removed with their volumes and networks at the end. Owned by the conductor's thread.
 */
class ComposeProject(private val what: Compose, private val seat: ComposeSeat) :
    Dependency,
    AutoCloseable {
    private val cli = seat.docker
    private val file = Path.of(what.file)
    private var project: DockerResource? = null
    private var containers: List<ComposeContainer> = emptyList()

    /** Whether a subject has used the containers. */
    private var used = false

    /** Variables for subjects; empty before [start]. */
    var environment: Map<String, String> = emptyMap()
        private set

    /** The running containers, without those that end by design. */
    val found: List<DependencyFound>
        get() = containers.map {
            val given = variablesOf(it).keys.toList()
            DependencyFound(it.service, it.image, it.id, it.pid, cpuListOf(it.pid), given)
        }

    /** Their current processes. */
    fun pids(): List<Long> = containers.flatMap { familyOf(it.pid) }

    /** Starts the containers, and waits until they are ready. Throws [LaunchFailed] with the problem and what to do. */
    fun start() {
        if (project != null && brokeDown() == null) return
        remove()
        val words = composeWords(cli) ?: throw LaunchFailed(Stage.SERVICES, whyNoCompose(cli).orEmpty())
        seat.say("Starting ${what.services.joinToString().ifEmpty { "the services" }} of ${what.file} …")
        val resource = DockerResource(DockerResource.Kind.PROJECT, newName(), cli.host)
        seat.ledger.add(resource)
        project = resource
        // Not --wait: it is unknown to docker-compose 1, and fails for containers that end by design.
        val up = listOf("--project-name", resource.name, "--file", what.file, "up", "--detach") + what.services
        ToolRun(seat.ledger, seat.log, Inherited.DOCKER, Stage.SERVICES)
            .toTheEnd("docker compose up of ${what.file}", words + up, LONGEST_UP, cli.environment + mentionedVariables(file))
        containers = awaitReady(resource.name).filter { it.lives }
        containers.forEach(::pin)
        environment = variables()
    }

    /** Provides the containers for a trial: new, or reset. Throws [LaunchFailed]. */
    fun makeReady() {
        if (what.fresh && used) remove()
        start()
        if (!what.fresh) reset()
        used = true
    }

    /** How a container ended since [makeReady], as a sentence; null if all run. */
    override fun brokeDown(): String? = containers.find {
        !it.lives
    }?.let { "The container of ${it.service} (${what.file}) has ended." }

    /** The last lines that the ended containers printed. */
    override fun lastLogLines(n: Int): List<String> = containers.filter { !it.lives }.flatMap { linesOf(it, n) }

    /** [text] without the passwords that subjects get, unless they are also the name of a user, as `postgres` often is. */
    override fun hide(text: String): String {
        val (secret, shown) = environment.entries.partition { looksSecret(it.key) }
        val names = shown.map { it.value }
        return secret.map { it.value }.distinct().filter { it.length >= SHORTEST_HIDDEN && it !in names }
            .fold(text) { so, password -> so.replace(password, HIDDEN) }
    }

    override fun close() = withoutInterrupts(::remove)

    private fun remove() {
        val resource = project ?: return
        if (removeDockerResource(resource, cli)) seat.ledger.forget(resource)
        project = null
        containers = emptyList()
        environment = emptyMap()
        used = false
    }

    private fun reset() {
        val told = mapOf("COMPOSE_PROJECT_NAME" to project?.name.orEmpty(), "COMPOSE_FILE" to what.file)
        ToolRun(seat.ledger, seat.log, Inherited.DOCKER, Stage.SERVICES, file.toAbsolutePath().parent)
            .toTheEnd("The command `reset` of compose", what.reset, LONGEST_RESET, cli.environment + environment + told)
    }

    private fun awaitReady(name: String): List<ComposeContainer> {
        val start = TimeSource.Monotonic.markNow()
        while (true) {
            val all = ComposeContainer.all(name, cli)
            all.firstNotNullOfOrNull(::failureOf)?.let { throw it }
            val waiting = all.find { !isReady(it) }
            if (waiting == null && all.isNotEmpty()) return all
            if (start.elapsedNow() >= LONGEST_START) {
                val who = waiting?.service ?: "no container"
                throw LaunchFailed(
                    Stage.SERVICES,
                    "The service $who of ${what.file} is not ready after $LONGEST_START.",
                    waiting?.let { linesOf(it, SHOWN) }.orEmpty(),
                )
            }
            LockSupport.parkNanos(LOOK_EVERY.inWholeNanoseconds)
            if (Thread.interrupted()) throw InterruptedException("interrupted while waiting for a compose file")
        }
    }

    private fun failureOf(container: ComposeContainer): LaunchFailed? {
        val why = when {
            container.status == "exited" && container.exitCode != 0 -> "ended with exit code ${container.exitCode}"
            container.status == "dead" -> "has ended"
            container.health == "unhealthy" -> "is unhealthy, as its health check says"
            else -> return null
        }
        return LaunchFailed(Stage.SERVICES, "The service ${container.service} of ${what.file} $why.", linesOf(container, SHOWN))
    }

    /** Ended by design, or running, healthy, and accepting connections if subjects get its address. */
    private fun isReady(container: ComposeContainer): Boolean {
        if (container.status == "exited") return true
        if (container.status != "running" || container.health == "starting") return false
        val kind = connectionKind(container) ?: return true
        return accepts(portOf(container, kind))
    }

    private fun portOf(container: ComposeContainer, kind: ConnectionKind): Int =
        container.portHere(kind.port) ?: throw LaunchFailed(
            Stage.SERVICES,
            "The service ${container.service} publishes no port, so that no application reaches it: " +
                "add `ports: [ \"${kind.port}\" ]` to it in ${what.file}.",
        )

    private fun variablesOf(container: ComposeContainer): Map<String, String> {
        val kind = connectionKind(container) ?: return emptyMap()
        return kind.variables(portOf(container, kind), container.environment)
    }

    private fun variables(): Map<String, String> {
        val given = containers.associateWith(::variablesOf)
        val all = mutableMapOf<String, String>()
        given.forEach { (container, variables) ->
            val twice = variables.keys.find { it in all } ?: return@forEach all.putAll(variables)
            val other = given.entries.first { (_, its) -> twice in its }.key.service
            throw LaunchFailed(
                Stage.SERVICES,
                "$other and ${container.service} of ${what.file} both give $twice. Name the services that are needed: " +
                    "compose: { file: …, services: [ $other ] }, or --compose FILE=$other.",
            )
        }
        return all
    }

    /** On the CPUs of services, so that they take none from the subject. */
    private fun pin(container: ComposeContainer) {
        cli.ask("container", "update", "--cpuset-cpus=${formatCpuList(seat.cpus)}", container.id)
        val pids = familyOf(container.pid)
        if (!areOnCpus(pids, seat.cpus)) moveToCpus(pids, seat.cpus)
    }

    private fun linesOf(container: ComposeContainer, n: Int): List<String> =
        cli.ask("container", "logs", "--tail", "$n", container.id).output.lines().takeLast(n)

    private companion object {
        val LONGEST_UP = 15.minutes
        val LONGEST_START = 3.minutes
        val LONGEST_RESET = 10.minutes
        val LOOK_EVERY = 200.milliseconds
        const val SHOWN = 20

        /** Shorter passwords are parts of other words. */
        const val SHORTEST_HIDDEN = 4
    }
}

/**
 * Whether a server behind [port] accepts a connection and keeps it open: Docker's own proxy accepts connections before the server does, and
 * closes them.
 */
private fun accepts(port: Int): Boolean = try {
    Socket().use { socket ->
        socket.connect(InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_MILLIS)
        socket.soTimeout = KEPT_MILLIS
        socket.getInputStream().read() >= 0
    }
} catch (_: SocketTimeoutException) {
    true
} catch (_: IOException) {
    false
}

private const val CONNECT_MILLIS = 1_000
private const val KEPT_MILLIS = 200
