package bootdyno.launch.docker

import bootdyno.launch.AppliedLimits
import bootdyno.launch.Fingerprints
import bootdyno.launch.JAVA_TOOL_OPTIONS
import bootdyno.launch.JavaRuntime
import bootdyno.launch.LaunchFailed
import bootdyno.launch.Launched
import bootdyno.launch.LimitedSubject
import bootdyno.launch.Placement
import bootdyno.launch.Prepared
import bootdyno.launch.Program
import bootdyno.launch.RunningSubject
import bootdyno.launch.SubjectCommand
import bootdyno.launch.baseOf
import bootdyno.launch.imageCommand
import bootdyno.launch.jarCommand
import bootdyno.launch.launchable
import bootdyno.launch.secretsInEnvironment
import bootdyno.model.Cell
import bootdyno.model.ContainerFound
import bootdyno.model.Origin
import bootdyno.model.Stage
import bootdyno.model.redactCommandLine
import bootdyno.system.familyOf
import bootdyno.system.formatCpuList
import bootdyno.system.ledger.Ledger
import bootdyno.system.limits.Group
import bootdyno.system.limits.sameQuota
import bootdyno.system.socket.OwnPorts
import bootdyno.system.socket.freePort
import java.nio.file.Path
import java.time.Instant
import java.util.Locale
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/**
 * Starts subjects in containers with the network of this machine. [run]: the run folder, for the label. [grace]: time limit for a normal exit
 * before the subject is killed.
 */
class ContainerLauncher(
    private val cli: DockerCli,
    private val placement: Placement,
    ledger: Ledger,
    private val run: String,
    private val grace: Duration = 5.seconds,
) {
    private val fingerprints = Fingerprints()
    private val containers = Containers(cli, ledger, Stage.LAUNCH)

    /** Starts the image of [prepared], or the subject's own, in a new container; its output goes to [log]. Throws [LaunchFailed]. */
    fun start(cell: Cell, log: Path, prepared: Prepared): RunningSubject = when (val origin = cell.subject.origin) {
        is Origin.Image -> startOwn(cell, origin.name, log)
        is Origin.Jar, is Origin.Command, is Origin.Url -> startBuilt(cell, log, prepared)
    }

    private fun startBuilt(cell: Cell, log: Path, prepared: Prepared): RunningSubject {
        val image = prepared.program as? Program.Image ?: error("only an image runs in a container: ${prepared.program}")
        val jar = (cell.subject.origin as? Origin.Jar)?.path
        val port = freePort()
        val inside = Program.Jar(Path.of(APPLICATION_JAR), image.flags)
        val plain = jarCommand(cell.launchable(), inside, JavaRuntime(Path.of(image.java), image.feature), port, heapFrom = null)
        // Empties variables of the base image that change any JVM.
        val hidden = image.hidden.associateWith { "" }
        val command = secretsInEnvironment(plain).let { it.copy(environment = it.environment + hidden) }
        val sha256 = jar?.let { fingerprints.sha256(Path.of(it)) }
        return started(cell, image.reference, command, redactCommandLine(plain.words), sha256, port, log)
    }

    /** An image runs with its own entry point, which gets port, settings and JVM flags by its environment. */
    private fun startOwn(cell: Cell, image: String, log: Path): RunningSubject {
        val port = freePort()
        val shown = cli.ask("image", "inspect", "--format", "{{.Id}}{{range .Config.Env}}{{println}}{{.}}{{end}}", image)
        if (!shown.succeeded) throw LaunchFailed(Stage.LAUNCH, "The image $image cannot be looked at: ${shown.output}")
        val lines = shown.output.lines()
        val options = lines.find { it.startsWith("$JAVA_TOOL_OPTIONS=") }?.substringAfter('=').orEmpty()
        val id = lines.find { it.startsWith(SHA256) }?.removePrefix(SHA256)
        return started(cell, image, imageCommand(cell.launchable(), port, options), listOf(image), id, port, log)
    }

    /** [words]: its command line to record; [sha256]: of its jar, or of its image. */
    private fun started(
        cell: Cell,
        image: String,
        command: SubjectCommand,
        words: List<String>,
        sha256: String?,
        port: Int,
        log: Path,
    ): RunningSubject {
        val limits = AppliedLimits("docker", memoryByHeap = false, cell.limits, placement, command.notes)
        val flags = listOf("--label=boot-dyno.run=$run", "--network=host") + limitFlags(limits)
        val container = containers.start(image, flags, command.words, limits.cpus, log, command.environment)
        val launched = Launched(
            base = baseOf(cell.launchable(), port),
            words = words,
            sha256 = sha256,
            log = log,
            subject = cell.subject,
            firstPath = cell.launchable().firstPath,
        )
        val applied = limits.copy(
            mechanism = container.group?.let { "docker, cgroup v${it.version}" } ?: "docker",
            notes = limits.notes + container.warnings,
        )
        return ContainerSubject(launched, container, applied, grace)
    }
}

private const val SHA256 = "sha256:"

/** Flags of `docker create` for the limits of [applied]. Without swap beyond the memory limit. */
internal fun limitFlags(applied: AppliedLimits): List<String> = listOfNotNull(
    applied.share.quota?.let { "--cpus=${cpusText(it)}" },
    // Always set, because the engine's processes may have more CPUs than ours.
    "--cpuset-cpus=${formatCpuList(applied.cpus)}",
    applied.share.memory?.let { "--memory=${it}b" },
    applied.share.memory?.let { "--memory-swap=${it}b" },
    "--cpu-shares=10240".takeIf { applied.share.favoured },
)

internal fun cpusText(cpus: Double): String = String.format(Locale.ROOT, "%.3f", cpus)

/** A subject in the container [running]; [grace] is its time limit for a normal exit. */
internal class ContainerSubject(
    launched: Launched,
    private val running: Container,
    applied: AppliedLimits,
    private val grace: Duration,
) : LimitedSubject(launched, applied) {
    override val pid: Long get() = running.pid
    override val container: ContainerFound get() = running.found
    override val group: Group? get() = running.group
    override val lives: Boolean get() = running.lives
    override val ports = OwnPorts(launched.base.port, since = null) { (familyOf(pid) + group?.members().orEmpty()).distinct() }

    /** Without the engine's own time before the process became the subject. */
    override fun secondsSinceStart() = (Instant.now().toEpochMilli() - running.began.toEpochMilli()) / 1e3

    override fun describeEnd(): String = running.describeEnd("The subject", lastSeen?.memory)

    override fun lastLogLines(n: Int): List<String> = running.lastLines(n)

    /** Lifts a quota only: compiler threads of a container cannot be moved to other CPUs. */
    override fun liftCpuLimit(extra: List<Int>): Boolean = applied.quota != null && setQuota(machineCpus.toDouble())

    /** Without a quota, `docker container update` sets none back. */
    override val mostCpus: Double? get() = applied.quota?.let { minOf(applied.cpus.size, machineCpus).toDouble() }

    override fun moveCpus(cpus: Double?): Boolean = (cpus ?: applied.quota)?.let(::setQuota) ?: false

    override fun restoreCpuLimit(): Boolean {
        val quota = applied.quota ?: return true
        return sameQuota(running.group?.quota(), quota) || setQuota(quota)
    }

    private fun setQuota(cpus: Double) = running.setQuota(cpus) && sameQuota(running.group?.quota(), cpus)

    override fun end() {
        running.stop(grace)
        running.close()
    }
}
