package bootdyno.launch.docker

import bootdyno.launch.LaunchFailed
import bootdyno.launch.deathSentence
import bootdyno.model.Bytes
import bootdyno.model.ContainerFound
import bootdyno.model.Stage
import bootdyno.system.areOnCpus
import bootdyno.system.endAll
import bootdyno.system.isAlive
import bootdyno.system.limits.Group
import bootdyno.system.limits.groupOf
import bootdyno.system.moveToCpus
import bootdyno.system.readOrNull
import bootdyno.system.startMark
import bootdyno.system.waitUntil
import java.nio.file.Path
import java.time.Instant
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/** How a container's process ended. */
internal data class ContainerEnd(val exit: Int, val killedForMemory: Boolean)

/** [who] begins the sentence; [memory] is what it was allowed. */
internal fun ContainerEnd?.inWords(who: String, memory: Bytes? = null): String = when (this) {
    null -> "$who ended in its container, and the engine does not say how."
    else -> deathSentence(exit, if (killedForMemory) 1 else 0, memory, who)
}

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

    /** Where the engine has no cpuset to give: late by a moment, but held from then on. */
    fun holdTo(cpus: List<Int>) {
        if (lives && !areOnCpus(listOf(pid), cpus)) moveToCpus(listOf(pid), cpus)
    }

    /** The kernel knows of a death before the engine does, and a kill for memory is told apart from other kills a moment later still. */
    fun awaitEnd(): ContainerEnd? {
        var end: ContainerEnd? = null
        waitUntil(10.seconds, every = 50.milliseconds) {
            end = end()
            end != null
        }
        fun isTold() = end()?.also { end = it }?.killedForMemory == true
        if (end?.exit == KILLED) waitUntil(2.seconds, every = 50.milliseconds, ::isTold)
        return end
    }

    /** Null until the engine has taken notice. */
    fun end(): ContainerEnd? {
        val format = "{{.State.Running}} {{.State.ExitCode}} {{.State.OOMKilled}}"
        val asked = cli.ask("container", "inspect", "--format", format, name)
        val said = asked.answer().split(' ')
        if (!asked.succeeded || said.size != 3 || said[0] == "true") return null
        return ContainerEnd(said[1].toInt(), said[2] == "true")
    }

    /** SIGTERM; after [grace] SIGKILL, which comes from us where the engine is dead: its containers outlive it. */
    fun stop(grace: Duration) {
        cli.ask(listOf("container", "stop", "-t", "${grace.inWholeSeconds}", name), within = grace + LONGEST_STOP)
        if (lives) endAll(listOf(pid), grace)
    }

    /** True when the engine took it; what came of it says the kernel. */
    fun setQuota(cpus: Double): Boolean = cli.ask("container", "update", "--cpus=${cpusText(cpus)}", name).succeeded

    private companion object {
        /** 128 and SIGKILL. */
        const val KILLED = 137

        val LONGEST_STOP = 15.seconds
    }
}

/** Starts the container called [name], which is there already. Throws [LaunchFailed] of [stage]. */
internal fun startContainer(cli: DockerCli, name: String, image: String, engine: String, stage: Stage): Container {
    val asked = Instant.now()
    val started = cli.ask("container", "start", name)
    if (!started.succeeded) throw LaunchFailed(stage, "The container could not be started: ${started.output}")
    val shown = cli.ask("container", "inspect", "--format", "{{.Id}} {{.State.Pid}} {{.State.StartedAt}}", name)
    val said = shown.answer().split(' ')
    if (!shown.succeeded || said.size != 3) {
        throw LaunchFailed(stage, "The container could not be looked at: ${shown.output}")
    }
    val pid = said[1].toLong()
    val began = Instant.parse(said[2])
    val seconds = (began.toEpochMilli() - asked.toEpochMilli()) / 1e3
    val found = ContainerFound(id = said[0], image = image, engine = engine, user = userOf(pid), startSeconds = seconds)
    return Container(cli, name, found, pid, began).also { checkSeen(it, pid, stage) }
}

/** One that has ended already has no process any more; that is for the one who waits for its answer to say. */
private fun checkSeen(container: Container, pid: Long, stage: Stage) {
    if (container.found.id in readOrNull(Path.of("/proc/$pid/cgroup")).orEmpty() || container.end() != null) return
    throw LaunchFailed(
        stage,
        "The container's process $pid is not to be seen from here: the Docker engine must run on this machine, and Boot Dyno " +
            "outside of containers.",
    )
}

/** The real user id, as the kernel says; null when the process has ended. */
private fun userOf(pid: Long): Long? = readOrNull(Path.of("/proc/$pid/status"))?.lineSequence()
    ?.find { it.startsWith("Uid:") }?.split('\t', ' ')?.getOrNull(1)?.toLongOrNull()
