package bootdyno.compose

import bootdyno.launch.LOOPBACK
import bootdyno.launch.docker.DockerCli
import bootdyno.launch.docker.PROJECT_LABEL
import bootdyno.launch.docker.answer
import bootdyno.model.jsonOf
import bootdyno.system.startMark
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.contentOrNull
import java.nio.file.Path
import kotlin.io.path.isDirectory

/** A host and a port on which a service accepts connections. */
internal data class ServiceAddress(val host: String, val port: Int) {
    override fun toString() = "$host:$port"
}

/** A container of a compose project, as the engine describes it. */
internal class ComposeContainer(val id: String, private val told: JsonObject) {
    val image: String = text("image").orEmpty()
    private val state = (told["state"] as? JsonObject) ?: JsonObject(emptyMap())
    private val healthState = state["Health"] as? JsonObject

    /** `running`, `exited`, `created`… */
    val status: String = state.text("Status").orEmpty()

    /** `starting`, `healthy`, `unhealthy`; null without a health check. */
    val health: String? = healthState?.text("Status")
    val exitCode: Int = state.text("ExitCode")?.toIntOrNull() ?: 0

    /** Its process on this machine; 0 if it has ended. */
    val pid: Long = state.text("Pid")?.toLongOrNull() ?: 0
    val labels: Map<String, String> = told.texts("labels")
    val service: String = labels["com.docker.compose.service"] ?: id.take(SHORT_ID)

    /** The environment, also that of its image. */
    val environment: Map<String, String> = (told["env"] as? JsonArray).orEmpty().mapNotNull { textOf(it) }
        .associate { it.substringBefore('=') to it.substringAfter('=') }
    val command: String = (told["command"] as? JsonArray).orEmpty().joinToString(" ") { textOf(it).orEmpty() }
    private val mark: String? = startMark(pid)

    /** [environment] with the contents of the files that it names, as images read them: `POSTGRES_PASSWORD_FILE=/run/secrets/password`. */
    fun withSecretFiles(cli: DockerCli): Map<String, String> =
        environment + environment.filter { (name, path) -> name.endsWith(FILE) && path.startsWith("/") }
            .mapNotNull { (name, path) ->
                cli.ask("exec", id, "cat", path).takeIf { it.succeeded }?.let { name.removeSuffix(FILE) to it.output.trim() }
            }

    val lives: Boolean get() = mark != null && startMark(pid) == mark

    /** The last result of its health check, as a sentence; null without one. */
    val healthReport: String?
        get() {
            val last = (healthState?.get("Log") as? JsonArray)?.lastOrNull() as? JsonObject ?: return null
            val output = last.text("Output").orEmpty().lines().map { it.trim() }.lastOrNull { it.isNotEmpty() }
            return output?.let { "Its health check says: $it" }
                ?: "Its health check ended with exit code ${last.text("ExitCode")}."
        }

    /** Its port [port] on this machine: published, or its own with `network_mode: host`. Null if it is not published. */
    fun published(port: Int): ServiceAddress? {
        if (text("network") == "host") return ServiceAddress(LOOPBACK, port)
        val bindings = (told["ports"] as? JsonObject)?.get("$port/tcp") as? JsonArray
        // For IPv6, Docker may publish another port.
        val inOrder = bindings.orEmpty().filterIsInstance<JsonObject>().sortedBy { ':' in it.text("HostIp").orEmpty() }
        return inOrder.firstNotNullOfOrNull { binding ->
            val host = binding.text("HostIp")?.takeUnless { it.isEmpty() || it == EVERY_ADDRESS || ':' in it }
            binding.text("HostPort")?.toIntOrNull()?.let { ServiceAddress(host ?: LOOPBACK, it) }
        }
    }

    /**
     * Its port [port] at its own address in a network of Docker, which this machine reaches without a published port. Null without such an
     * address.
     */
    fun direct(port: Int): ServiceAddress? = (told["networks"] as? JsonObject).orEmpty().values
        .firstNotNullOfOrNull { (it as? JsonObject)?.text("IPAddress")?.ifEmpty { null } }?.let { ServiceAddress(it, port) }

    /** Folders of this machine and volumes other than [volumes] that it can write, without those of settings: their contents outlive it. */
    fun keptOutside(volumes: List<String>): List<String> = mounts
        .filter { mount -> mount.text("RW") == "true" && SETTINGS.none { mount.text("Destination").orEmpty().startsWith(it) } }
        .mapNotNull { mount ->
            when (mount.text("Type")) {
                "bind" -> mount.text("Source")?.takeIf { Path.of(it).isDirectory() }
                "volume" -> mount.text("Name")?.takeUnless { it in volumes || ANONYMOUS.matches(it) }
                else -> null
            }
        }

    /** What makes it as powerful as root of this machine, in the words of a compose file. */
    val powers: List<String>
        get() = listOfNotNull(
            "privileged: true".takeIf { text("privileged") == "true" },
            "pid: host".takeIf { text("pidMode") == "host" },
            "a mount of /".takeIf { mounts.any { it.text("Source") == "/" } },
            "a mount of Docker's socket".takeIf { mounts.any { it.text("Source").orEmpty().endsWith("/docker.sock") } },
        )

    private val mounts: List<JsonObject> get() = (told["mounts"] as? JsonArray).orEmpty().filterIsInstance<JsonObject>()

    /** The last [n] lines that it printed. */
    fun lastLines(n: Int, cli: DockerCli): List<String> =
        cli.ask("container", "logs", "--tail", "$n", id).output.lines().takeLast(n)

    private fun text(key: String): String? = told.text(key)

    companion object {
        private const val SHORT_ID = 12
        private const val FILE = "_FILE"
        private const val EVERY_ADDRESS = "0.0.0.0"
        private val SETTINGS = listOf("/etc/", "/docker-entrypoint-initdb.d")

        /** The name of a volume that is removed with its container. */
        private val ANONYMOUS = Regex("[0-9a-f]{64}")

        /** One line of JSON. Only of fields that every container has: one that it lacks, as `.State.Health`, may fail the whole. */
        private val FORMAT = mapOf(
            "image" to "json .Config.Image",
            "state" to "json .State",
            "labels" to "json .Config.Labels",
            "env" to "json .Config.Env",
            "command" to "json .Config.Cmd",
            "network" to "json .HostConfig.NetworkMode",
            "privileged" to "json .HostConfig.Privileged",
            "pidMode" to "json .HostConfig.PidMode",
            "ports" to "json .NetworkSettings.Ports",
            "mounts" to "json .Mounts",
            "networks" to "json .NetworkSettings.Networks",
        ).entries.joinToString(",", "{", "}") { (key, field) -> "\"$key\":{{$field}}" }

        /** The containers of [project], running or not. */
        fun all(project: String, cli: DockerCli): List<ComposeContainer> {
            val listed = cli.ask("container", "ls", "--all", "--quiet", "--no-trunc", "--filter", "label=$PROJECT_LABEL=$project")
            if (!listed.succeeded) return emptyList()
            return listed.output.lines().map { it.trim() }.filter { it.isNotEmpty() }.mapNotNull { id ->
                val shown = cli.ask("container", "inspect", "--format", FORMAT, id)
                (jsonOf(shown.answer()) as? JsonObject)?.takeIf { shown.succeeded }?.let { ComposeContainer(id, it) }
            }
        }
    }
}

private fun JsonObject.text(key: String): String? = textOf(get(key))

internal fun JsonObject.texts(key: String): Map<String, String> =
    (get(key) as? JsonObject).orEmpty().mapValues { textOf(it.value).orEmpty() }

internal fun textOf(element: JsonElement?): String? = (element as? JsonPrimitive)?.contentOrNull
