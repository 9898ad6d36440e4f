package bootdyno.launch.docker

import bootdyno.launch.Answers
import bootdyno.launch.AskedSubject
import bootdyno.launch.Awaited
import bootdyno.launch.Fence
import bootdyno.launch.KernelSays
import bootdyno.launch.Readiness
import bootdyno.launch.RunningSubject
import bootdyno.launch.Startup
import bootdyno.launch.favourCompilerThreads
import bootdyno.launch.firstText
import bootdyno.launch.http.Questioner
import bootdyno.launch.limitsFound
import bootdyno.launch.startupIn
import bootdyno.launch.unfavourCompilerThreads
import bootdyno.model.Bytes
import bootdyno.model.ContainerFound
import bootdyno.model.LimitsFound
import bootdyno.model.Workload
import bootdyno.system.cpuListOf
import bootdyno.system.lastLines
import bootdyno.system.limits.CgroupPaths
import bootdyno.system.limits.sameQuota
import bootdyno.system.readLong
import bootdyno.system.withoutInterrupts
import java.net.URI
import java.nio.file.Path
import java.time.Instant
import java.util.concurrent.locks.ReentrantLock
import kotlin.concurrent.withLock
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/** What is known of a subject in a container besides the container. [output] is written into [log]. */
internal data class Contained(
    val words: List<String>,
    val sha256: String?,
    val base: URI,
    val log: Path,
    val output: ContainerLog,
)

/** A subject in a container of its own, [running]; [remove] takes the container away, when it has had [grace] to end by itself. */
internal class ContainerSubject(
    private val running: Container,
    private val what: Contained,
    private val fence: Fence,
    private val grace: Duration,
    private val remove: () -> Unit,
) : RunningSubject {
    private val answers = Answers(AskedSubject(Questioner(what.base), { lastLogLines() }, ::deathReport))
    private val machineCpus = (fence.placement.subject + fence.placement.engine).distinct().size
    private val closing = ReentrantLock()

    /** Owned by [closing]. */
    private var closed = false

    @Volatile
    private var lastSeen: LimitsFound? = null

    @Volatile
    private var ended: String? = null

    override val pid: Long = running.pid
    override val base: URI = what.base
    override val commandLine: List<String> = what.words
    override val sha256: String? = what.sha256
    override val cgroup: CgroupPaths? get() = running.group?.paths
    override val container: ContainerFound = running.found

    override val limits: LimitsFound
        get() {
            val seen = lastSeen
            if (seen != null && !running.lives) return seen
            return limitsFound(fence, KernelSays(cpuListOf(pid), running.group, machineCpus)).also { lastSeen = it }
        }

    /** From the moment the process became the subject; what the engine took before that is told apart. */
    override fun awaitReady(path: String?, deadline: Duration, tell: (Awaited) -> Unit): Startup =
        answers.awaitReady(Readiness(path, deadline), every = 5.milliseconds, tell, ::startup)

    private fun startup(): Startup {
        val seconds = (Instant.now().toEpochMilli() - running.began.toEpochMilli()) / 1e3
        return Startup(seconds, running.group?.cpuSeconds())
    }

    override fun verify(workload: Workload, timeout: Duration) = answers.verify(workload, timeout)

    override fun deathReport(): String? {
        if (running.lives) return null
        return ended ?: endSentence().also { ended = it }
    }

    private fun endSentence(): String {
        val end = running.awaitEnd()
        what.output.awaitEnd()
        return end.inWords("The subject", lastSeen?.memory)
    }

    override fun lastLogLines(n: Int): List<String> = what.output.lastLines(n)

    override fun startupAsLogged(): Double? = startupIn(firstText(what.log))

    override fun peakMemory(): Bytes? = running.group?.paths?.memoryPeak?.let(::readLong)?.let(::Bytes)

    override fun favourCompiler(): Boolean = favourCompilerThreads(pid)

    override fun unfavourCompiler(): Boolean = unfavourCompilerThreads(pid)

    /** A quota only: a container's CPUs are its own, and its compiler's threads cannot be let out of them alone. */
    override fun liftCpuLimit(extra: List<Int>): Boolean {
        if (fence.quota == null) return false
        return running.setQuota(machineCpus.toDouble()) && sameQuota(running.group?.quota(), machineCpus.toDouble())
    }

    override fun restoreCpuLimit(): Boolean {
        val quota = fence.quota ?: return true
        if (sameQuota(running.group?.quota(), quota)) return true
        return running.setQuota(quota) && sameQuota(running.group?.quota(), quota)
    }

    /** A second caller (the shutdown hook beside the conductor) waits until the first is through. */
    override fun close(): Unit = closing.withLock {
        if (closed) return
        withoutInterrupts {
            answers.close()
            running.stop(grace)
            what.output.close()
            remove()
        }
        closed = true
    }
}
