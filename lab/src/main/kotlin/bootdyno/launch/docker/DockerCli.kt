package bootdyno.launch.docker

import bootdyno.system.Inherited
import bootdyno.system.ShortCommand
import bootdyno.system.findOnPath
import bootdyno.system.ledger.DockerResource
import bootdyno.system.runWithin
import bootdyno.system.startChild
import java.io.IOException
import java.nio.file.Files
import java.nio.file.Path
import kotlin.time.Duration
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds

/**
 * The `docker` command of this machine. It finds its engine by DOCKER_HOST, or by the current context. [environment] is added to the
 * environment of every call.
 */
class DockerCli internal constructor(private val executable: Path, internal val environment: Map<String, String> = emptyMap()) {
    /** The engine's socket, if configured; empty for the default. */
    val host: String get() = environment[HOST] ?: System.getenv(HOST).orEmpty()

    /** The command line of `docker` [words]. */
    internal fun command(vararg words: String): List<String> = command(words.toList())

    internal fun command(words: List<String>): List<String> = listOf("$executable") + words

    internal fun at(host: String) = DockerCli(executable, environment + (HOST to host))

    internal fun start(words: List<String>): Process = startChild(command(words), environment, Inherited.DOCKER)

    /**
     * Runs `docker` [words] to its end, ignoring interrupts, because the engine would complete it anyway. [more] is added to the environment. Fails
     * after [within].
     */
    internal fun ask(words: List<String>, more: Map<String, String> = emptyMap(), within: Duration = 2.minutes): ShortCommand =
        try {
            runWithin(within, command(words), Inherited.DOCKER, environment + more)
                ?: ShortCommand(NEVER, "docker ${words.first()} did not end within $within")
        } catch (refused: IOException) {
            ShortCommand(NEVER, "docker could not be started: ${refused.message}")
        }

    internal fun ask(vararg words: String): ShortCommand = ask(words.toList())

    companion object {
        internal const val HOST = "DOCKER_HOST"
        private const val NEVER = -1

        /** The `docker` on the PATH; null without one. */
        fun found(): DockerCli? = findOnPath("docker")?.let { DockerCli(it) }
    }
}

private val LONGEST_PULL: Duration = 15.minutes

/** Pulls [image] if missing, and tells [say]. Returns the engine's reason of a failure; null if the image is available. */
internal fun DockerCli.fetch(image: String, what: String, say: (String) -> Unit): String? {
    if (ask("image", "inspect", "--format", "{{.Id}}", image).succeeded) return null
    say("Fetching $what $image …")
    val pulled = ask(listOf("pull", "--quiet", image), within = LONGEST_PULL)
    if (pulled.succeeded) return null
    val subject = what.replaceFirstChar(Char::uppercase)
    return "$subject $image is not here and could not be fetched: ${pulled.answer()}."
}

/** The last line; warnings come before the result. */
internal fun ShortCommand.answer(): String = output.lines().last().trim()

/** Advice if compose is missing. */
internal const val HOW_TO_GET_COMPOSE =
    "There is neither docker compose nor docker-compose. Install one (Debian, Ubuntu: apt-get install docker-compose)."

/** Advice if docker is missing. */
private const val HOW_TO_GET = "Install it (Debian, Ubuntu: apt-get install docker.io)."
private const val HOW_TO_REACH =
    "Start it (systemctl start docker), let your user reach it (the group docker), or say where it is with DOCKER_HOST."

/** Name and version of the engine: `Docker 28.2.2`. Null without an engine. */
fun dockerEngine(cli: DockerCli? = DockerCli.found()): String? =
    cli?.ask("version", "--format", "{{.Server.Version}}")?.takeIf { it.succeeded }?.let { "Docker ${it.answer()}" }

/** Why subjects cannot be measured in containers here, with advice; null if they can. */
fun whyNoDocker(cli: DockerCli? = DockerCli.found()): String? {
    cli ?: return "There is no docker command on the PATH. $HOW_TO_GET"
    val info = cli.ask(
        listOf("info", "--format", "{{.ServerVersion}}|{{.KernelVersion}}|{{.SecurityOptions}}|{{.ServerErrors}}"),
        within = 10.seconds,
    )
    val parts = info.answer().split('|')
    return when {
        !info.succeeded || parts.size < FIELDS || parts[0].isBlank() ->
            "No Docker engine answers: ${reason(info.output)} $HOW_TO_REACH"

        parts[1] != System.getProperty("os.version") ->
            "The Docker engine runs on another kernel (${parts[1]}), in a virtual machine or elsewhere: its processes cannot " +
                "be measured from here. Run Boot Dyno on the same machine."

        "rootless" in parts[2] ->
            "The Docker engine is rootless: its --network host is not this machine's network, so no load would reach a " +
                "subject. Use an engine that runs as root."

        else -> null
    }
}

private const val FIELDS = 4

/** The error line of docker's [output], as a sentence, without the empty parts of the format. */
private fun reason(output: String): String = plainReason(output).let { if (it.endsWith('?')) it else "$it." }

private fun plainReason(output: String): String = output.lines().find { "annot connect" in it || "rror" in it }.orEmpty()
    .ifEmpty { output.lines().first() }.trim('|', ' ', '.', '[', ']').ifEmpty { "it said nothing" }

private const val SOCKET = "unix://"

/** Time limit of an engine that does not answer, so that it does not delay the end of a run. */
private val LONGEST = 30.seconds

/** Removes it by force. True if it is gone, or its engine is. */
fun removeDockerResource(resource: DockerResource, cli: DockerCli? = DockerCli.found()): Boolean {
    // Without its socket, the engine is gone; processes of its containers are found by their mark.
    if (resource.host.startsWith(SOCKET) && !Files.exists(Path.of(resource.host.removePrefix(SOCKET)))) return true
    val there = (cli ?: return false).let { if (resource.host.isEmpty()) it else it.at(resource.host) }
    if (resource.kind == DockerResource.Kind.PROJECT) return removeProject(resource.name, there)
    val volumes = listOf("--volumes").takeIf { resource.kind == DockerResource.Kind.CONTAINER }.orEmpty()
    val removed = there.ask(listOf(resource.kind.word, "rm", "--force") + volumes + resource.name, within = LONGEST)
    return removed.succeeded || "No such" in removed.output
}

/** The label of all that belongs to a compose project. */
internal const val PROJECT_LABEL = "com.docker.compose.project"

/** Removes what `docker compose down --volumes` does, by its labels: the compose file may have gone. True if nothing is left. */
private fun removeProject(name: String, cli: DockerCli): Boolean = listOf(
    listOf("container", "ls", "--all") to listOf("container", "rm", "--force", "--volumes"),
    listOf("network", "ls") to listOf("network", "rm"),
    listOf("volume", "ls") to listOf("volume", "rm", "--force"),
).all { (list, remove) ->
    val listed = cli.ask(list + listOf("--quiet", "--filter", "label=$PROJECT_LABEL=$name"), within = LONGEST)
    val ids = listed.output.lines().map { it.trim() }.filter { it.isNotEmpty() }
    listed.succeeded && (ids.isEmpty() || cli.ask(remove + ids, within = LONGEST).succeeded)
}
