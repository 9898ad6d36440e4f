package bootdyno.launch.docker

import bootdyno.launch.exitSentence
import bootdyno.model.Bytes
import bootdyno.model.ContainerFound
import bootdyno.system.ChildOutput
import bootdyno.system.areOnCpus
import bootdyno.system.endAll
import bootdyno.system.isAlive
import bootdyno.system.limits.Group
import bootdyno.system.limits.groupOf
import bootdyno.system.moveToCpus
import bootdyno.system.startMark
import bootdyno.system.waitUntil
import java.time.Instant
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/**
 * A started container. [pid]: its process on this machine. [began]: when the process became the program. [warnings]: limits that the engine
 * could not apply, in its own words. [remove] removes it by force, and ends its [output].
 */
internal class Container(
    private val cli: DockerCli,
    private val name: String,
    val found: ContainerFound,
    val pid: Long,
    val began: Instant,
    val warnings: List<String>,
    private val output: ChildOutput,
    private val remove: () -> Unit,
) : AutoCloseable {
    private val mark = startMark(pid)

    /** Its cgroup; null if not visible from here. */
    val group: Group? = groupOf(pid, found.id)

    val lives: Boolean get() = mark != null && isAlive(pid, mark)

    fun lastLines(n: Int): List<String> = output.lastLines(n)

    /** Pins its processes, for engines without cpuset; new processes inherit this. */
    fun holdTo(cpus: List<Int>) {
        if (lives && !areOnCpus(listOf(pid), cpus)) moveToCpus(listOf(pid), cpus)
    }

    /**
     * How it ended, as a sentence that starts with [who]; [memory] is its limit. The engine notices an end later than the kernel, and an
     * out-of-memory kill later still.
     */
    fun describeEnd(who: String, memory: Bytes? = null): String {
        var end: ContainerEnd? = null
        waitUntil(10.seconds, every = 50.milliseconds) {
            end = end()
            end != null
        }
        if (end?.exit == KILLED) {
            waitUntil(2.seconds, every = 50.milliseconds) { end()?.also { end = it }?.killedForMemory == true }
        }
        output.awaitEnd()
        return end?.let { exitSentence(it.exit, if (it.killedForMemory) 1 else 0, memory, who) }
            ?: "$who ended in its container, and the engine does not say how."
    }

    private fun end() = endOf(name, cli)

    /** Sends SIGTERM; after [grace] SIGKILL, directly if the engine is down, because containers outlive it. */
    fun stop(grace: Duration) {
        cli.ask(listOf("container", "stop", "-t", "${grace.inWholeSeconds}", name), within = grace + LONGEST_STOP)
        if (lives) endAll(listOf(pid), grace)
    }

    /** True if the engine accepted it; the effect is read back from the kernel. */
    fun setQuota(cpus: Double): Boolean = cli.ask("container", "update", "--cpus=${cpusText(cpus)}", name).succeeded

    /** Removes it with its files, running or not. */
    override fun close() {
        if (!lives) output.awaitEnd()
        remove()
    }
}

/** 128 and SIGKILL. */
private const val KILLED = 137

private val LONGEST_STOP = 15.seconds

internal data class ContainerEnd(val exit: Int, val killedForMemory: Boolean)

/** How the process of container [name] ended; null until the engine has noticed. */
internal fun endOf(name: String, cli: DockerCli): ContainerEnd? {
    val state = cli.ask("container", "inspect", "--format", "{{.State.Running}} {{.State.ExitCode}} {{.State.OOMKilled}}", name)
    val fields = state.answer().split(' ')
    if (!state.succeeded || fields.size != 3 || fields[0] == "true") return null
    return ContainerEnd(fields[1].toInt(), fields[2] == "true")
}
