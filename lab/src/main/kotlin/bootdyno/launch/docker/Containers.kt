package bootdyno.launch.docker

import bootdyno.launch.LaunchFailed
import bootdyno.launch.orLaunchFailed
import bootdyno.launch.prepare.ToolRun
import bootdyno.model.ContainerFound
import bootdyno.model.PreparationStep
import bootdyno.model.Stage
import bootdyno.system.CHILD_MARK
import bootdyno.system.ChildOutput
import bootdyno.system.Inherited
import bootdyno.system.kill
import bootdyno.system.ledger.DockerResource
import bootdyno.system.ledger.Ledger
import bootdyno.system.ledger.newName
import bootdyno.system.onFailure
import bootdyno.system.readKeyed
import bootdyno.system.readOrNull
import java.nio.file.Path
import java.time.Instant
import kotlin.time.Duration

/** Label of containers and images: the pid of their Boot Dyno. */
internal const val LABEL = "boot-dyno.pid"

/** Size of the log that the engine keeps; followers get all output. */
private const val ENGINE_KEEPS = "16m"

/** Creates containers with names that are in the ledger first, and removes them. Failures are failures of [stage]. */
internal class Containers(private val cli: DockerCli, private val ledger: Ledger, private val stage: Stage) {
    private val engine by lazy { dockerEngine(cli) ?: "Docker" }

    /**
     * Starts a container of [image] that runs [words] on [cpus], with [flags] of `docker create`; its output is appended to [log]. Values of
     * [environment] are passed in the environment of the docker command, because all users can see command lines. Throws [LaunchFailed].
     */
    fun start(
        image: String,
        flags: List<String>,
        words: List<String>,
        cpus: List<Int>,
        log: Path,
        environment: Map<String, String> = emptyMap(),
    ): Container {
        val name = listedName()
        return onFailure({ remove(name) }) {
            val (own, others) = environment.entries.partition { (key, _) -> key.startsWith("DOCKER_") || key in OF_THE_COMMAND }
            val values = own.map { (key, value) -> "--env=$key=$value" } + others.map { (key, _) -> "--env=$key" }
            val kept = listOf("--log-driver=json-file", "--log-opt=max-size=$ENGINE_KEEPS", "--log-opt=max-file=2")
            val create = listOf("container", "create") + ours(name) + values + kept + flags + image + words
            val created = cli.ask(create, others.associate { it.key to it.value })
            if (!created.succeeded) throw LaunchFailed(stage, "The container could not be made: ${created.output}")
            val warnings = created.output.lines().filter { it.startsWith(WARNING) }.map { it.removePrefix(WARNING).trim() }
            started(name, image, warnings, log).also { it.holdTo(cpus) }
        }
    }

    private fun started(name: String, image: String, warnings: List<String>, log: Path): Container {
        val askedAt = Instant.now()
        val started = cli.ask("container", "start", name)
        if (!started.succeeded) throw LaunchFailed(stage, "The container could not be started: ${started.output}")
        val shown = cli.ask("container", "inspect", "--format", "{{.Id}} {{.State.Pid}} {{.State.StartedAt}}", name)
        val fields = shown.answer().split(' ')
        if (!shown.succeeded || fields.size != 3) {
            throw LaunchFailed(stage, "The container could not be looked at: ${shown.output}")
        }
        val (id, pid) = fields
        // A container that has already ended has no process; the readiness check reports that.
        if (id !in readOrNull(Path.of("/proc/$pid/cgroup")).orEmpty() && endOf(name, cli) == null) {
            throw LaunchFailed(
                stage,
                "The container's process $pid is not to be seen from here: the Docker engine must run on this machine, and " +
                    "Boot Dyno outside of containers.",
            )
        }
        val began = Instant.parse(fields[2])
        val seconds = (began.toEpochMilli() - askedAt.toEpochMilli()) / 1e3
        val found = ContainerFound(id, image, engine, userOf(pid), seconds)
        val (follower, output) = follow(name, log)
        return Container(cli, name, found, pid.toLong(), began, warnings, output) {
            remove(name)
            output.awaitEnd()
            follower.kill()
            output.close()
            ledger.forgetChild(follower.pid())
        }
    }

    /** The process that follows the output, and exits after the container with all output; and what it has read. */
    private fun follow(name: String, log: Path): Pair<Process, ChildOutput> =
        orLaunchFailed(stage, "The container's output could not be kept") {
            val process = cli.start(listOf("container", "logs", "--follow", name))
            ledger.child(process.pid(), "the log of the container $name")
            process to ChildOutput.start(log, process.inputStream)
        }

    /**
     * Runs [words] in a container of [image] to its end, and removes it, as the step [name]. Its output is appended to [log]; [what] is its name
     * in sentences. Throws [LaunchFailed]; an interrupt ends it.
     */
    fun step(
        name: String,
        what: String,
        image: String,
        flags: List<String>,
        words: List<String>,
        within: Duration,
        log: Path,
    ): PreparationStep {
        val container = listedName()
        val command = cli.command(listOf("run") + ours(container) + flags + image + words)
        try {
            return ToolRun(ledger, log, Inherited.DOCKER).step(name, what, command, within, cli.environment)
        } finally {
            remove(container)
        }
    }

    private fun listedName() = orLaunchFailed(stage, "The container could not be made") {
        newName().also { ledger.add(resource(it)) }
    }

    private fun ours(name: String) = listOf("--name=$name", "--label=$LABEL=${ProcessHandle.current().pid()}", "--pull=never") +
        // Marks the docker command, to find the container's processes if the engine is down.
        "--env=$CHILD_MARK"

    private fun remove(name: String) {
        if (removeDockerResource(resource(name), cli)) ledger.forget(resource(name))
    }

    private fun resource(name: String) = DockerResource(DockerResource.Kind.CONTAINER, name, cli.host)
}

private const val WARNING = "WARNING:"

/** Variables that `docker` itself uses. */
private val OF_THE_COMMAND = setOf("PATH", "HOME")

/** The real user id from /proc; null if the process has ended. */
private fun userOf(pid: String): Long? = readKeyed(Path.of("/proc/$pid/status"), "Uid")
