package bootdyno.launch.docker

import bootdyno.launch.AppliedLimits
import bootdyno.launch.Fingerprints
import bootdyno.launch.JavaRuntime
import bootdyno.launch.LaunchFailed
import bootdyno.launch.Launched
import bootdyno.launch.Placement
import bootdyno.launch.Prepared
import bootdyno.launch.Program
import bootdyno.launch.RunningSubject
import bootdyno.launch.jarCommand
import bootdyno.launch.launchable
import bootdyno.launch.secretsInEnvironment
import bootdyno.model.Cell
import bootdyno.model.Origin
import bootdyno.model.Stage
import bootdyno.model.redactCommandLine
import bootdyno.system.ledger.Ledger
import bootdyno.system.socket.freePort
import java.net.URI
import java.nio.file.Path
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/**
 * Starts subjects in containers, on the network of this machine. [run] is the folder of the run, for the label; [grace] is how long a
 * subject may take to end by itself before it is killed.
 */
class ContainerLauncher(
    cli: DockerCli,
    private val placement: Placement,
    private val ledger: Ledger,
    private val run: String,
    private val grace: Duration = 5.seconds,
) {
    private val fingerprints = Fingerprints()
    private val containers = Containers(cli, ledger, Stage.LAUNCH)

    /** Starts the image that [prepared] is, as a fresh container; what its process prints goes to [log]. Throws [LaunchFailed]. */
    fun start(cell: Cell, log: Path, prepared: Prepared): RunningSubject {
        val image = prepared.program as? Program.Image ?: error("only an image runs in a container: ${prepared.program}")
        val jar = (cell.subject.origin as? Origin.Jar)?.path
        val port = freePort()
        val inside = Program.Jar(Path.of(APPLICATION_JAR), image.flags)
        val plain = jarCommand(cell.launchable(), inside, JavaRuntime(Path.of(image.java), image.feature), port, heapFrom = null)
        val command = secretsInEnvironment(plain)
        val asked = AppliedLimits("docker", memoryByHeap = false, cell.limits, placement, command.notes)
        val flags = listOf("--label=boot-dyno.run=$run", "--network=host") + KEPT_OUTPUT + limitFlags(asked)
        val (name, warnings) = containers.create(image.reference, flags, command.words, command.environment + hidden(image))
        try {
            val container = containers.start(name, image.reference)
            container.holdTo(asked.cpus)
            val launched = Launched(
                base = URI.create("http://127.0.0.1:$port"),
                words = redactCommandLine(plain.words),
                sha256 = jar?.let { fingerprints.sha256(Path.of(it)) },
                log = log,
            )
            val applied = asked.copy(
                mechanism = container.group?.let { "docker, cgroup v${it.paths.version}" } ?: "docker",
                notes = asked.notes + warnings,
            )
            return ContainerSubject(launched, container, containers.follow(name, log), applied, grace) { containers.remove(name) }
        } catch (failed: LaunchFailed) {
            containers.remove(name)
            throw failed
        }
    }

    /** What the base image would give to any JVM, it gives to none of ours. */
    private fun hidden(image: Program.Image): Map<String, String> = image.hidden.associateWith { "" }
}
