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
 * The `docker` command of this machine. It finds its engine as it does for its user: by DOCKER_HOST, or by the context in use.
 * [environment] is put into the environment of every call.
 */
class DockerCli internal constructor(private val executable: Path, internal val environment: Map<String, String> = emptyMap()) {
    /** The engine's socket where it was said by name; empty for the one that the command knows by itself. */
    val host: String get() = environment[HOST] ?: System.getenv(HOST).orEmpty()

    /** [words] as they are started by whoever starts them. */
    internal fun command(vararg words: String): List<String> = command(words.toList())

    internal fun command(words: List<String>): List<String> = listOf("$executable") + words

    internal fun at(host: String) = DockerCli(executable, environment + (HOST to host))

    /** Starts `docker` [words]. Throws [IOException]. */
    internal fun start(words: List<String>): Process = startChild(command(words), environment, Inherited.DOCKER)

    /**
     * Runs `docker` [words] to the end, whoever interrupts: what was begun in an engine is there whether or not one waits for it. [more]
     * is put into the environment too. What did not end [within] failed.
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

        /** The one on the PATH; null where there is none. */
        fun found(): DockerCli? = findOnPath("docker")?.let { DockerCli(it) }
    }
}

private val LONGEST_PULL: Duration = 15.minutes

/** Fetches [image] unless it is here, and tells [say] so. Why it could not be had, as the engine says it; null: it is here. */
internal fun DockerCli.fetch(image: String, what: String, say: (String) -> Unit): String? {
    if (ask("image", "inspect", "--format", "{{.Id}}", image).succeeded) return null
    say("Fetching $what $image …")
    val pulled = ask(listOf("pull", "--quiet", image), within = LONGEST_PULL)
    if (pulled.succeeded) return null
    val subject = what.replaceFirstChar(Char::uppercase)
    return "$subject $image is not here and could not be fetched: ${pulled.answer()}."
}

/** Warnings stand before the answer. */
internal fun ShortCommand.answer(): String = output.lines().last().trim()

/** What to do where there is none. */
private const val HOW_TO_GET = "Install it (Debian, Ubuntu: apt-get install docker.io)."
private const val HOW_TO_REACH =
    "Start it (systemctl start docker), let your user reach it (the group docker), or say where it is with DOCKER_HOST."

/** The engine that answers, by its version: `Docker 28.2.2`. Null where none does. */
fun dockerEngine(cli: DockerCli? = DockerCli.found()): String? =
    cli?.ask("version", "--format", "{{.Server.Version}}")?.takeIf { it.succeeded }?.let { "Docker ${it.answer()}" }

/** Why nothing can be measured in a container here, in a sentence with what to do; null: one can. */
fun whyNoDocker(cli: DockerCli? = DockerCli.found()): String? {
    cli ?: return "There is no docker command on the PATH. $HOW_TO_GET"
    val info = cli.ask(
        listOf("info", "--format", "{{.ServerVersion}}|{{.KernelVersion}}|{{.SecurityOptions}}|{{.ServerErrors}}"),
        within = 10.seconds,
    )
    val said = info.answer().split('|')
    return when {
        !info.succeeded || said.size < FIELDS || said[0].isBlank() ->
            "No Docker engine answers: ${reason(info.output)} $HOW_TO_REACH"

        said[1] != System.getProperty("os.version") ->
            "The Docker engine runs on another kernel (${said[1]}), in a virtual machine or elsewhere: its processes cannot be " +
                "measured from here. Run Boot Dyno on the same machine."

        "rootless" in said[2] ->
            "The Docker engine is rootless: its --network host is not this machine's network, so no load would reach a " +
                "subject. Use an engine that runs as root."

        else -> null
    }
}

private const val FIELDS = 4

/** The line that says it, as a sentence, without the empty fields that may stand beside. */
private fun reason(output: String): String = plainReason(output).let { if (it.endsWith('?')) it else "$it." }

private fun plainReason(output: String): String = output.lines().find { "annot connect" in it || "rror" in it }.orEmpty()
    .ifEmpty { output.lines().first() }.trim('|', ' ', '.', '[', ']').ifEmpty { "it said nothing" }

private const val SOCKET = "unix://"

/** An engine that does not answer must not hold up the end of a run for long. */
private val LONGEST = 30.seconds

/** Removes it by force. True when it is gone, with its engine or without. */
fun removeDockerResource(resource: DockerResource, cli: DockerCli? = DockerCli.found()): Boolean {
    // Where the socket is gone the engine is; what ran in it is found by its mark.
    if (resource.host.startsWith(SOCKET) && !Files.exists(Path.of(resource.host.removePrefix(SOCKET)))) return true
    val there = (cli ?: return false).let { if (resource.host.isEmpty()) it else it.at(resource.host) }
    val volumes = listOf("--volumes").takeIf { resource.kind == DockerResource.Kind.CONTAINER }.orEmpty()
    val removed = there.ask(listOf(resource.kind.word, "rm", "--force") + volumes + resource.name, within = LONGEST)
    return removed.succeeded || "No such" in removed.output
}
