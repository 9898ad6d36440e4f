package bootdyno.launch.docker

import bootdyno.launch.LaunchFailed
import bootdyno.launch.prepare.ToolRun
import bootdyno.model.Stage
import bootdyno.system.CHILD_MARK
import bootdyno.system.ChildOutput
import bootdyno.system.Inherited
import bootdyno.system.ledger.DockerResource
import bootdyno.system.ledger.GROUP_PREFIX
import bootdyno.system.ledger.Ledger
import java.io.IOException
import java.nio.file.Path
import java.util.concurrent.atomic.AtomicInteger
import kotlin.time.Duration
import kotlin.time.Duration.Companion.minutes

/** Who made a container or an image, for those who look at what an engine holds. */
internal const val LABEL = "boot-dyno.pid"

/** For a container whose output is followed, whatever the engine does with that of others. */
internal val KEPT_OUTPUT = listOf("--log-driver=json-file", "--log-opt=max-size=$ENGINE_KEEPS", "--log-opt=max-file=2")

/** What the engine keeps of a container's output at once; whoever follows it sees all of it. */
private const val ENGINE_KEEPS = "16m"

/** A container that was made and not yet started. [warnings]: what the engine could not apply, in its own sentences. */
internal data class Created(val name: String, val warnings: List<String>)

/** Makes containers whose names are ours, each written down before it is there, and removes them. What fails, fails [stage]. */
internal class Containers(private val cli: DockerCli, private val ledger: Ledger, private val stage: Stage) {
    private val engine by lazy { dockerEngine(cli) ?: "Docker" }

    /**
     * A container of [image] that will run [words], with [flags] of `docker create`. Values of [environment] go by the environment of the
     * command, never by its words, which anybody on this machine may read. Throws [LaunchFailed].
     */
    fun create(image: String, flags: List<String>, words: List<String>, environment: Map<String, String> = emptyMap()): Created {
        val name = nextName()
        val (own, others) = environment.entries.partition { (key, _) -> key.startsWith("DOCKER_") || key in OF_THE_COMMAND }
        val values = own.map { (key, value) -> "--env=$key=$value" } + others.map { (key, _) -> "--env=$key" }
        val more = others.associate { it.key to it.value }
        val created = cli.ask(listOf("container", "create") + ours(name) + values + flags + image + words, more)
        if (!created.succeeded) {
            remove(name)
            throw LaunchFailed(stage, "The container could not be made: ${created.output}")
        }
        return Created(name, created.output.lines().filter { it.startsWith(WARNING) }.map { it.removePrefix(WARNING).trim() })
    }

    /** Throws [LaunchFailed]. */
    fun start(name: String, image: String): Container = startContainer(cli, name, image, engine, stage)

    /**
     * Runs [words] in a container of [image] to the end, and removes it. What it prints is added to [log]; [what] names it in sentences.
     * Returns the command line. Throws [LaunchFailed]; an interrupt ends it.
     */
    fun runToTheEnd(
        what: String,
        image: String,
        flags: List<String>,
        words: List<String>,
        within: Duration,
        log: Path,
    ): List<String> {
        val name = nextName()
        val command = cli.command(listOf("run") + ours(name) + flags + image + words)
        try {
            ToolRun(ledger, log, Inherited.DOCKER).toTheEnd(what, command, within, cli.environment)
        } finally {
            remove(name)
        }
        return command
    }

    private fun nextName(): String {
        val name = "$GROUP_PREFIX${ProcessHandle.current().pid()}-${counter.incrementAndGet()}-${System.nanoTime().toString(36)}"
        ledger.docker(DockerResource.Container(name, cli.host))
        return name
    }

    private fun ours(name: String) = listOf("--name=$name", "--label=$LABEL=${ProcessHandle.current().pid()}", "--pull=never") +
        // The docker command's own mark: by it what runs in the container is found where the engine is dead.
        "--env=$CHILD_MARK"

    /** Adds to [log] what the container prints, until it has ended. Throws [LaunchFailed]. */
    fun follow(name: String, log: Path): ContainerLog = try {
        val process = cli.start(listOf("container", "logs", "--follow", name))
        ledger.child(process.pid(), "the log of the container $name")
        ContainerLog(process, ChildOutput.start(log, process.inputStream), ledger)
    } catch (refused: IOException) {
        throw LaunchFailed(stage, "The container's output could not be kept: ${refused.message}.", cause = refused)
    }

    fun remove(name: String) {
        val container = DockerResource.Container(name, cli.host)
        if (removeDockerResource(container, cli)) ledger.forgetDocker(container)
    }

    private companion object {
        /** Of all that make containers in this process, which must differ in name. */
        val counter = AtomicInteger()

        const val WARNING = "WARNING:"

        /** What `docker` itself goes by. */
        val OF_THE_COMMAND = setOf("PATH", "HOME")
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
