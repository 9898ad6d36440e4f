package bootdyno.compose

import bootdyno.launch.docker.DockerCli
import bootdyno.launch.docker.answer
import bootdyno.model.jsonOf
import bootdyno.system.startMark
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.contentOrNull

/** A container of a compose project, as the engine describes it. */
internal class ComposeContainer(private val told: JsonObject) {
    val id: String = text("id").orEmpty()
    val image: String = text("image").orEmpty()

    /** `running`, `exited`, `created`… */
    val status: String = text("status").orEmpty()

    /** `starting`, `healthy`, `unhealthy`; null without a health check. */
    val health: String? = text("health")
    val exitCode: Int = text("exit")?.toIntOrNull() ?: 0

    /** Its process on this machine; 0 if it has ended. */
    val pid: Long = text("pid")?.toLongOrNull() ?: 0
    val labels: Map<String, String> = texts("labels")
    val service: String = labels["com.docker.compose.service"] ?: id.take(SHORT_ID)

    /** The environment, also that of its image. */
    val environment: Map<String, String> = (told["env"] as? JsonArray).orEmpty().mapNotNull { textOf(it) }
        .associate { it.substringBefore('=') to it.substringAfter('=') }
    private val mark: String? = startMark(pid)

    val lives: Boolean get() = mark != null && startMark(pid) == mark

    /** The port of this machine for its port [port]; null if it is not published. */
    fun portHere(port: Int): Int? {
        if (text("network") == "host") return port
        val bindings = (told["ports"] as? JsonObject)?.get("$port/tcp") as? JsonArray
        return bindings.orEmpty().firstNotNullOfOrNull { ((it as? JsonObject)?.get("HostPort"))?.let(::textOf)?.toIntOrNull() }
    }

    private fun text(key: String): String? = told[key]?.let(::textOf)

    private fun texts(key: String): Map<String, String> =
        (told[key] as? JsonObject).orEmpty().mapValues { textOf(it.value).orEmpty() }

    companion object {
        private const val SHORT_ID = 12

        /** One line of JSON. */
        private val FORMAT = mapOf(
            "id" to "json .Id",
            "image" to "json .Config.Image",
            "status" to "json .State.Status",
            "exit" to "json .State.ExitCode",
            "pid" to "json .State.Pid",
            "health" to "if .State.Health}}{{json .State.Health.Status}}{{else}}null{{end",
            "labels" to "json .Config.Labels",
            "env" to "json .Config.Env",
            "network" to "json .HostConfig.NetworkMode",
            "ports" to "json .NetworkSettings.Ports",
        ).entries.joinToString(",", "{", "}") { (key, field) -> "\"$key\":{{$field}}" }

        /** The containers of [project], running or not. */
        fun all(project: String, cli: DockerCli): List<ComposeContainer> {
            val listed = cli.ask("container", "ls", "--all", "--quiet", "--filter", "label=com.docker.compose.project=$project")
            if (!listed.succeeded) return emptyList()
            return listed.output.lines().filter { it.isNotBlank() }.mapNotNull { id ->
                val shown = cli.ask("container", "inspect", "--format", FORMAT, id.trim())
                (jsonOf(shown.answer()) as? JsonObject)?.takeIf { shown.succeeded }?.let(::ComposeContainer)
            }
        }
    }
}

private fun textOf(element: JsonElement): String? = (element as? JsonPrimitive)?.takeUnless { it is JsonNull }?.contentOrNull
