package bootdyno.compose

import bootdyno.launch.LOOPBACK
import bootdyno.launch.LaunchFailed
import bootdyno.launch.docker.DockerCli
import bootdyno.launch.docker.PROJECT_LABEL
import bootdyno.model.Stage
import bootdyno.system.ioOrNull
import bootdyno.system.pause
import java.net.InetSocketAddress
import java.net.Socket
import java.net.SocketTimeoutException
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.minutes
import kotlin.time.TimeSource

private val LONGEST_START = 3.minutes
private val LOOK_EVERY = 200.milliseconds
private const val SHOWN = 20

/** A running container, the [variables] that it gives to subjects, and where it has data that outlive it. */
internal data class ReadyContainer(
    val container: ComposeContainer,
    val variables: Map<String, String> = emptyMap(),
    val kept: List<String> = emptyList(),
)

/** When the containers of the compose file [file] are ready, and why they are not. */
internal class ComposeReadiness(private val file: String, private val cli: DockerCli) {
    /** Waits for the containers of [project]; returns those that run. Throws [LaunchFailed]. */
    fun await(project: String): List<ReadyContainer> {
        val start = TimeSource.Monotonic.markNow()
        while (true) {
            val all = ComposeContainer.all(project, cli)
            all.firstNotNullOfOrNull(::failureOf)?.let { throw it }
            // Others have ended by design.
            val running = all.filter { it.status != "exited" }
            val ready = running.mapNotNull(::readyOrNull)
            if (all.isNotEmpty() && ready.size == running.size) return ready.map { it.copy(kept = it.keptOutside(project)) }
            if (start.elapsedNow() >= LONGEST_START) throw tooLate(running.find { one -> ready.none { it.container === one } })
            pause(LOOK_EVERY)
        }
    }

    /** Why a container of [project] failed; null if none did. */
    fun failureIn(project: String): LaunchFailed? = ComposeContainer.all(project, cli).firstNotNullOfOrNull(::failureOf)

    private fun failureOf(container: ComposeContainer): LaunchFailed? {
        val why = when {
            container.status == "exited" && container.exitCode != 0 -> "ended with exit code ${container.exitCode}."
            container.status == "dead" -> "has ended."
            container.health == "unhealthy" -> "is unhealthy. ${container.healthReport.orEmpty()}".trim()
            else -> return null
        }
        return failed("The service ${container.service} of $file $why", container)
    }

    private fun tooLate(waiting: ComposeContainer?): LaunchFailed {
        waiting ?: return failed("No container of $file was started within $LONGEST_START.")
        val why = when {
            waiting.status != "running" -> "Its container is ${waiting.status}."
            waiting.health == "starting" -> waiting.healthReport ?: "Its health check has not run yet."
            else -> "It accepts no connection on ${addressesOf(waiting).joinToString(" or ")}."
        }
        return failed("The service ${waiting.service} of $file is not ready after $LONGEST_START. $why", waiting)
    }

    private fun failed(reason: String, container: ComposeContainer? = null) =
        LaunchFailed(Stage.SERVICES, reason, container?.lastLines(SHOWN, cli).orEmpty())

    /** Running, healthy, and accepting connections if subjects get its address; null otherwise. */
    private fun readyOrNull(container: ComposeContainer): ReadyContainer? {
        if (container.status != "running" || container.health == "starting") return null
        val kind = connectionKind(container) ?: return ReadyContainer(container)
        val addresses = addressesOf(container)
        // A server that is reached at the last is reached at all of them, so that each trial has the same one.
        if (!accepts(addresses.last())) return null
        return addresses.find(::accepts)?.let { ReadyContainer(container, kind.variables(it, container.withSecretFiles(cli))) }
    }

    /** The direct address first: behind a published port is Docker's proxy, which would run on the subject's CPUs. */
    private fun addressesOf(container: ComposeContainer): List<ServiceAddress> {
        val kind = connectionKind(container) ?: return emptyList()
        kind.advertised(container)?.let { return listOf(ServiceAddress(LOOPBACK, it)) }
        val port = kind.port
        return listOfNotNull(container.direct(port), container.published(port)).ifEmpty {
            throw LaunchFailed(
                Stage.SERVICES,
                "The service ${container.service} publishes no port, so that no application reaches it. In $file, add " +
                    "`ports: [ \"$port\" ]` to it, or the label `org.springframework.boot.ignore: \"true\"` if it is not needed.",
            )
        }
    }

    /** Only of services that Spring Boot knows: others write logs and caches. */
    private fun ReadyContainer.keptOutside(project: String): List<String> =
        if (variables.isEmpty()) emptyList() else container.keptOutside(volumesOf(project))

    private fun volumesOf(project: String): List<String> =
        cli.ask("volume", "ls", "--quiet", "--filter", "label=$PROJECT_LABEL=$project").output.lines().map { it.trim() }
}

/**
 * Whether a server at [address] accepts a connection and keeps it open: Docker's own proxy accepts connections before the server does, and
 * closes them.
 */
private fun accepts(address: ServiceAddress): Boolean = ioOrNull {
    Socket().use { socket ->
        socket.connect(InetSocketAddress(address.host, address.port), CONNECT_MILLIS)
        socket.soTimeout = KEPT_MILLIS
        staysOpen(socket)
    }
} ?: false

private fun staysOpen(socket: Socket): Boolean = try {
    socket.getInputStream().read() >= 0
} catch (_: SocketTimeoutException) {
    true
}

private const val CONNECT_MILLIS = 1_000
private const val KEPT_MILLIS = 200
