package bootdyno.launch

import bootdyno.launch.http.Questioner
import bootdyno.model.Bytes
import bootdyno.model.LimitsFound
import bootdyno.model.Workload
import bootdyno.system.ChildOutput
import bootdyno.system.areOnCpus
import bootdyno.system.canPin
import bootdyno.system.cpuListOf
import bootdyno.system.endAll
import bootdyno.system.familyOf
import bootdyno.system.lastLines
import bootdyno.system.ledger.Ledger
import bootdyno.system.limits.CgroupPaths
import bootdyno.system.limits.Enclosure
import bootdyno.system.limits.Group
import bootdyno.system.markedBy
import bootdyno.system.moveThreadsToCpus
import bootdyno.system.moveToCpus
import bootdyno.system.readLong
import bootdyno.system.socket.OwnPorts
import bootdyno.system.socket.addressesBeyondLoopback
import bootdyno.system.startMark
import bootdyno.system.waitUntil
import bootdyno.system.withoutInterrupts
import java.net.URI
import java.nio.file.Path
import java.util.concurrent.locks.ReentrantLock
import kotlin.concurrent.withLock
import kotlin.jvm.optionals.getOrNull
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlin.time.DurationUnit
import kotlin.time.TimeMark

/** A child as it was started; [who] begins a sentence about it, [mark] is in its environment, [at] is the moment before exec. */
internal data class Launched(
    val who: String,
    val child: Process,
    val mark: String,
    val at: TimeMark,
    val words: List<String>,
    val sha256: String?,
    val base: URI,
    val log: Path,
    val output: ChildOutput,
    val folder: SubjectFolder,
)

/** A subject we started, in the room made for it. */
internal class StartedSubject(
    private val launched: Launched,
    private val fence: Fence,
    private val enclosure: Enclosure,
    private val ledger: Ledger,
    private val grace: Duration,
) : RunningSubject {
    private val child = launched.child
    private val group: Group? get() = enclosure.group(child.pid())
    private val ports = OwnPorts(launched.base.port, child.info().startInstant().getOrNull(), ::members)
    private val answers = Answers(AskedSubject(Questioner(launched.base), { lastLogLines() }, ::deathReport, ports))
    private val machineCpus = (fence.placement.subject + fence.placement.engine).distinct().size
    private val closing = ReentrantLock()

    /** Owned by [closing]. */
    private var closed = false

    @Volatile
    private var lastSeen: LimitsFound? = null

    /** That other machines can reach it, where they can; known once it is ready. */
    private var reachable: String? = null

    override val pid: Long = child.pid()
    override val base: URI = launched.base
    override val commandLine: List<String> = launched.words
    override val sha256: String? = launched.sha256
    override val cgroup: CgroupPaths? get() = group?.paths

    override val limits: LimitsFound
        get() {
            val seen = lastSeen
            if (seen != null && !child.isAlive) return seen
            val found = limitsFound(fence, KernelSays(cpuListOf(pid), group, machineCpus))
            return found.copy(notes = found.notes + listOfNotNull(reachable)).also { lastSeen = it }
        }

    override fun awaitReady(path: String?, deadline: Duration, tell: (Awaited) -> Unit): Startup =
        answers.awaitReady(Readiness(path, deadline), every = 5.milliseconds, tell, ::startup)

    private fun startup(): Startup {
        val seconds = launched.at.elapsedNow().toDouble(DurationUnit.SECONDS)
        reachable = addressesBeyondLoopback(base.port).firstOrNull()?.let {
            "It listens on $it, so that other machines can reach it: server.address should be 127.0.0.1."
        }
        return Startup(seconds, group?.cpuSeconds() ?: child.info().totalCpuDuration().getOrNull()?.let { it.toNanos() / 1e9 })
    }

    override fun verify(workload: Workload, timeout: Duration) = answers.verify(workload, timeout)

    /** The kernel knows of a death a moment before the JDK has the exit code. */
    override fun deathReport(): String? {
        if (child.isAlive && startMark(pid) != null) return null
        waitUntil(2.seconds) { !child.isAlive }
        launched.output.awaitEnd()
        return deathSentence(child.exitValue(), group?.memoryKills() ?: 0, group?.memory()?.let(::Bytes), launched.who)
    }

    override fun lastLogLines(n: Int): List<String> = launched.output.lastLines(n)

    override fun startupAsLogged(): Double? = startupIn(firstText(launched.log))

    override fun peakMemory(): Bytes? = group?.paths?.memoryPeak?.let(::readLong)?.let(::Bytes)

    override fun favourCompiler(): Boolean = favourCompilerThreads(pid)

    override fun unfavourCompiler(): Boolean = unfavourCompilerThreads(pid)

    override fun liftCpuLimit(extra: List<Int>): Boolean {
        val wider = (fence.cpus + extra).distinct().sorted()
        val quotaLifted = fence.quota != null && group?.setQuota(null) ?: false
        val lent = wider != fence.cpus && canPin() &&
            if (quotaLifted) moveToCpus(members(), wider) else moveThreadsToCpus(compilerThreads(pid), wider)
        return quotaLifted || lent
    }

    override fun restoreCpuLimit(): Boolean {
        val quotaBack = fence.quota == null || group?.setQuota(fence.quota) ?: true
        val cpusBack = !canPin() || areOnCpus(members(), fence.cpus) || moveToCpus(members(), fence.cpus)
        return quotaBack && cpusBack
    }

    /** A second caller (the shutdown hook beside the conductor) waits until the first is through. */
    override fun close(): Unit = closing.withLock {
        if (closed) return
        withoutInterrupts {
            answers.close()
            if (endAll(members(), grace)) ledger.forgetChild(pid)
            waitUntil(2.seconds) { !child.isAlive }
            if (enclosure.remove()) enclosure.folders.forEach(ledger::forgetGroup)
            launched.output.close()
            launched.folder.close()
        }
        closed = true
    }

    /** A command may have started more than itself, and let go of it. */
    private fun members(): List<Long> = (familyOf(pid) + group?.members().orEmpty() + markedBy(launched.mark)).distinct()
}
