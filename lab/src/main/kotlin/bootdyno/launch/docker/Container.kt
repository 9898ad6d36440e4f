package bootdyno.launch.docker

import bootdyno.launch.Group
import bootdyno.launch.LaunchFailed
import bootdyno.launch.groupOf
import bootdyno.launch.isAlive
import bootdyno.launch.readOrNull
import bootdyno.launch.startMark
import bootdyno.model.ContainerFound
import bootdyno.model.Stage
import java.nio.file.Path
import java.time.Instant
import kotlin.time.Duration

/** How a container's process ended. */
internal data class ContainerEnd(val exit: Int, val killedForMemory: Boolean)

/** A container as it was started: [pid] is its process on this machine, [began] the moment it became that program. */
internal class Container(
    private val cli: DockerCli,
    private val name: String,
    val found: ContainerFound,
    val pid: Long,
    val began: Instant,
) {
    private val mark = startMark(pid)

    /** Where the kernel counts what it uses; null where that cannot be seen from here. */
    val group: Group? = groupOf(pid, found.id)

    val lives: Boolean get() = mark != null && isAlive(pid, mark)

    /** Null until the engine has taken notice. */
    fun end(): ContainerEnd? {
        val format = "{{.State.Running}} {{.State.ExitCode}} {{.State.OOMKilled}}"
        val asked = cli.ask("container", "inspect", "--format", format, name)
        val said = asked.answer().split(' ')
        if (!asked.succeeded || said.size != 3 || said[0] == "true") return null
        return ContainerEnd(said[1].toInt(), said[2] == "true")
    }

    /** SIGTERM; after [grace] SIGKILL. */
    fun stop(grace: Duration) {
        cli.ask("container", "stop", "-t", "${grace.inWholeSeconds}", name)
    }

    /** True when the engine took it; what came of it says the kernel. */
    fun setQuota(cpus: Double): Boolean = cli.ask("container", "update", "--cpus=${cpusText(cpus)}", name).succeeded
}

/** Starts the container called [name], which is there already. Throws [LaunchFailed]. */
internal fun startContainer(cli: DockerCli, name: String, image: String, engine: String): Container {
    val asked = Instant.now()
    val started = cli.ask("container", "start", name)
    if (!started.succeeded) throw LaunchFailed(Stage.LAUNCH, "The container could not be started: ${started.output}")
    val shown = cli.ask("container", "inspect", "--format", "{{.Id}} {{.State.Pid}} {{.State.StartedAt}}", name)
    val said = shown.answer().split(' ')
    if (!shown.succeeded || said.size != 3) {
        throw LaunchFailed(Stage.LAUNCH, "The container could not be looked at: ${shown.output}")
    }
    val pid = said[1].toLong()
    val began = Instant.parse(said[2])
    val seconds = (began.toEpochMilli() - asked.toEpochMilli()) / 1e3
    val found = ContainerFound(id = said[0], image = image, engine = engine, user = userOf(pid), startSeconds = seconds)
    return Container(cli, name, found, pid, began).also { checkSeen(it, pid) }
}

/** One that has ended already has no process any more; that is for the one who waits for its answer to say. */
private fun checkSeen(container: Container, pid: Long) {
    if (container.found.id in readOrNull(Path.of("/proc/$pid/cgroup")).orEmpty() || container.end() != null) return
    throw LaunchFailed(
        Stage.LAUNCH,
        "The container's process $pid is not to be seen from here: the Docker engine must run on this machine, and Boot Dyno " +
            "outside of containers.",
    )
}

/** The real user id, as the kernel says; null when the process has ended. */
private fun userOf(pid: Long): Long? = readOrNull(Path.of("/proc/$pid/status"))?.lineSequence()
    ?.find { it.startsWith("Uid:") }?.split('\t', ' ')?.getOrNull(1)?.toLongOrNull()
