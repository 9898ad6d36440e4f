package bootdyno.launch

import bootdyno.model.Bytes
import bootdyno.system.ChildOutput
import bootdyno.system.areOnCpus
import bootdyno.system.canPin
import bootdyno.system.endAll
import bootdyno.system.familyOf
import bootdyno.system.ledger.Ledger
import bootdyno.system.limits.Enclosure
import bootdyno.system.limits.Group
import bootdyno.system.markedBy
import bootdyno.system.moveThreadsToCpus
import bootdyno.system.moveToCpus
import bootdyno.system.socket.OwnPorts
import bootdyno.system.startMark
import bootdyno.system.waitUntil
import java.nio.file.Path
import kotlin.jvm.optionals.getOrNull
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlin.time.DurationUnit
import kotlin.time.TimeMark

/** A child process: [who] is the subject of sentences, [mark] is in its environment, [at] is the time before exec, [folder] is its own. */
internal data class StartedChild(
    val who: String,
    val process: Process,
    val mark: String,
    val at: TimeMark,
    val output: ChildOutput,
    val folder: Path,
)

/** A subject that is a process of this machine, inside [enclosure]. */
internal class StartedSubject(
    launched: Launched,
    private val started: StartedChild,
    applied: AppliedLimits,
    private val enclosure: Enclosure,
    private val ledger: Ledger,
    private val grace: Duration,
) : LimitedSubject(launched, applied) {
    private val child = started.process

    override val pid: Long = child.pid()
    override val group: Group? get() = enclosure.group(pid)

    /** /proc shows the end of a process shortly before the JDK has its exit code. */
    override val lives: Boolean get() = child.isAlive && startMark(pid) != null
    override val ports = OwnPorts(launched.base.port, child.info().startInstant().getOrNull(), ::members)

    override fun secondsSinceStart() = started.at.elapsedNow().toDouble(DurationUnit.SECONDS)

    override fun describeEnd(): String {
        waitUntil(2.seconds) { !child.isAlive }
        started.output.awaitEnd()
        return exitSentence(child.exitValue(), group?.memoryKills() ?: 0, group?.memory()?.let(::Bytes), started.who)
    }

    override fun lastLogLines(n: Int): List<String> = started.output.lastLines(n)

    override fun liftCpuLimit(extra: List<Int>): Boolean = lift(extra) { quotaLifted, wider ->
        if (quotaLifted) moveToCpus(members(), wider) else moveThreadsToCpus(compilerThreads(pid), wider)
    }

    /** A JVM that is told its number of CPUs reads no other. The command pins itself before it becomes the JVM, which would undo an earlier move. */
    override fun startOnAllCpus(extra: List<Int>): Boolean {
        val fixesItsSize = applied.asked.cpus != null && commandLine.any { it.startsWith(PROCESSORS) }
        if (!fixesItsSize) return false
        val lifted = lift(extra) { _, wider ->
            waitUntil(PINNED_WITHIN) { areOnCpus(listOf(pid), applied.cpus) } && moveToCpus(members(), wider)
        }
        // Some of its threads may have been moved.
        if (!lifted) restoreCpuLimit()
        return lifted
    }

    /** Lifts a quota, and lets [move] give threads the CPUs of the subject and the [extra] ones. */
    private fun lift(extra: List<Int>, move: (Boolean, List<Int>) -> Boolean): Boolean {
        val wider = (applied.cpus + extra).distinct().sorted()
        val quotaLifted = applied.quota != null && group?.setQuota(null) ?: false
        val lent = wider != applied.cpus && canPin() && move(quotaLifted, wider)
        return quotaLifted || lent
    }

    /** A control group that is not ours contains other processes. */
    private val ownGroup: Group? get() = group?.takeIf { enclosure.folders.isNotEmpty() || applied.quota != null }

    override val mostCpus: Double? get() = ownGroup?.let { applied.cpus.size.toDouble() }

    override fun moveCpus(cpus: Double?): Boolean = ownGroup?.setQuota(cpus ?: applied.quota) ?: false

    override fun restoreCpuLimit(): Boolean {
        val quotaBack = applied.quota == null || group?.setQuota(applied.quota) ?: true
        val cpusBack = !canPin() || areOnCpus(members(), applied.cpus) || moveToCpus(members(), applied.cpus)
        return quotaBack && cpusBack
    }

    override fun end() {
        if (endAll(members(), grace)) ledger.forgetChild(pid)
        waitUntil(2.seconds) { !child.isAlive }
        enclosure.remove()
        started.output.close()
        ledger.removeTemporary(started.folder)
    }

    /** Includes processes that a command started and detached from. */
    private fun members(): List<Long> = (familyOf(pid) + group?.members().orEmpty() + markedBy(started.mark)).distinct()
}

private val PINNED_WITHIN = 1.seconds
