package bootdyno.launch.docker

import bootdyno.launch.Docked
import bootdyno.launch.Fence
import bootdyno.launch.Fingerprints
import bootdyno.launch.GROUP_PREFIX
import bootdyno.launch.JavaRuntime
import bootdyno.launch.LaunchFailed
import bootdyno.launch.Ledger
import bootdyno.launch.Placement
import bootdyno.launch.Prepared
import bootdyno.launch.Program
import bootdyno.launch.RunningSubject
import bootdyno.launch.Share
import bootdyno.launch.areOnCpus
import bootdyno.launch.cpusFor
import bootdyno.launch.freePort
import bootdyno.launch.jarCommand
import bootdyno.launch.launchable
import bootdyno.launch.moveToCpus
import bootdyno.launch.quotaFor
import bootdyno.launch.withoutSecrets
import bootdyno.model.Cell
import bootdyno.model.Origin
import bootdyno.model.Stage
import java.io.IOException
import java.net.URI
import java.nio.file.Files
import java.nio.file.Path
import java.util.concurrent.atomic.AtomicInteger
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/** Who made a container or an image, for those who look at what an engine holds. */
internal const val LABEL = "boot-dyno.pid"

/**
 * Starts subjects in containers, on the network of this machine. [run] is the folder of the run, for the label; [grace] is how long a
 * subject may take to end by itself before it is killed.
 */
class ContainerLauncher(
    private val cli: DockerCli,
    private val placement: Placement,
    private val ledger: Ledger,
    private val run: String,
    private val grace: Duration = 5.seconds,
) {
    private val fingerprints = Fingerprints()
    private val engine by lazy { dockerEngine(cli) ?: "Docker" }

    /** Starts the image that [prepared] is, as a fresh container; what its process prints goes to [log]. Throws [LaunchFailed]. */
    fun start(cell: Cell, log: Path, prepared: Prepared): RunningSubject {
        val image = prepared.program as? Program.Image ?: error("only an image runs in a container: ${prepared.program}")
        val jar = (cell.subject.origin as? Origin.Jar)?.path
        val port = freePort()
        val inside = Program.Jar(Path.of(APPLICATION_JAR), image.flags)
        val command =
            jarCommand(cell.launchable(), inside, JavaRuntime(Path.of(image.java), image.feature), port, heapFrom = null)
        val share = Share(quotaFor(cell.limits), cell.limits.memory, favoured = !placement.shared)
        val fence = Fence(
            mechanism = "docker",
            memoryByHeap = false,
            asked = cell.limits,
            cpus = cpusFor(cell.limits, placement, quotas = true),
            placement = placement,
            quota = share.quota,
            notes = command.notes,
        )
        val (name, warnings) = create(image, limitFlags(fence, share), command.words, command.environment + hidden(image))
        try {
            val container = startContainer(cli, name, image.reference, engine)
            // Where the engine has no cpuset to give: late by a moment, but held from then on.
            if (container.lives && !areOnCpus(listOf(container.pid), fence.cpus)) moveToCpus(listOf(container.pid), fence.cpus)
            val words = withoutSecrets(command.words)
            val sha256 = jar?.let { fingerprints.sha256(Path.of(it)) }
            val what = Contained(words, sha256, URI.create("http://127.0.0.1:$port"), log, follow(name, log))
            val mechanism = container.group?.let { "docker, cgroup v${it.paths.version}" } ?: "docker"
            return ContainerSubject(
                container,
                what,
                fence.copy(mechanism = mechanism, notes = fence.notes + warnings),
                grace,
                ledger,
            ) {
                remove(name)
            }
        } catch (failed: LaunchFailed) {
            remove(name)
            throw failed
        }
    }

    /** [warnings]: what the engine could not apply, in its own sentences. */
    private data class Created(val name: String, val warnings: List<String>)

    /** Values go by the environment of the command, never by its words, which anybody on this machine may read. */
    private fun create(
        image: Program.Image,
        limits: List<String>,
        words: List<String>,
        environment: Map<String, String>,
    ): Created {
        val name = "$GROUP_PREFIX${ProcessHandle.current().pid()}-${counter.incrementAndGet()}-${System.nanoTime().toString(36)}"
        val (own, others) = environment.entries.partition { (key, _) -> key.startsWith("DOCKER_") || key in OF_THE_COMMAND }
        val flags = listOf("--name=$name", "--label=$LABEL=${ProcessHandle.current().pid()}", "--label=boot-dyno.run=$run") +
            listOf("--network=host", "--pull=never", "--log-driver=json-file") + limits +
            own.map { (key, value) -> "--env=$key=$value" } + others.map { (key, _) -> "--env=$key" }
        ledger.docked(Docked.Container(name, cli.host))
        val more = others.associate { it.key to it.value }
        val created = cli.ask(listOf("container", "create") + flags + image.reference + words, more)
        if (!created.succeeded) {
            remove(name)
            throw LaunchFailed(Stage.LAUNCH, "The container could not be made: ${created.output}")
        }
        return Created(name, created.output.lines().filter { it.startsWith(WARNING) }.map { it.removePrefix(WARNING).trim() })
    }

    private fun follow(name: String, log: Path): Process = try {
        Files.createDirectories(log.toAbsolutePath().parent)
        cli.prepare(ProcessBuilder(cli.command("container", "logs", "--follow", name))).redirectOutput(log.toFile()).start()
            .also { ledger.child(it.pid(), "the log of the container $name") }
    } catch (refused: IOException) {
        throw LaunchFailed(Stage.LAUNCH, "The container's output could not be kept: ${refused.message}.", cause = refused)
    }

    private fun remove(name: String) {
        val container = Docked.Container(name, cli.host)
        if (removeDocked(container, cli)) ledger.forgetDocked(container)
    }

    /** What the base image would give to any JVM, it gives to none of ours. */
    private fun hidden(image: Program.Image): Map<String, String> = image.hidden.associateWith { "" }

    private companion object {
        /** Of all launchers of this process, whose containers must differ in name. */
        val counter = AtomicInteger()

        const val WARNING = "WARNING:"

        /** What `docker` itself goes by. */
        val OF_THE_COMMAND = setOf("PATH", "HOME")
    }
}
