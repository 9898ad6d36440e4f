package bootdyno.launch.docker

import bootdyno.launch.AppliedLimits
import bootdyno.launch.Launched
import bootdyno.launch.LimitedSubject
import bootdyno.model.ContainerFound
import bootdyno.system.limits.Group
import bootdyno.system.limits.sameQuota
import java.time.Instant
import kotlin.time.Duration

/** A subject in a container of its own, [running]; [remove] takes the container away, when it has had [grace] to end by itself. */
internal class ContainerSubject(
    launched: Launched,
    private val running: Container,
    private val output: ContainerLog,
    applied: AppliedLimits,
    private val grace: Duration,
    private val remove: () -> Unit,
) : LimitedSubject(launched, applied) {
    override val pid: Long get() = running.pid
    override val container: ContainerFound get() = running.found
    override val group: Group? get() = running.group
    override val lives: Boolean get() = running.lives

    /** Without what the engine took before its process became the subject. */
    override fun secondsSinceStart() = (Instant.now().toEpochMilli() - running.began.toEpochMilli()) / 1e3

    override fun describeEnd(): String {
        val end = running.awaitEnd()
        output.awaitEnd()
        return end.inWords("The subject", lastSeen?.memory)
    }

    override fun lastLogLines(n: Int): List<String> = output.lastLines(n)

    /** A quota only: a container's CPUs are its own, and its compiler threads cannot be moved out of them alone. */
    override fun liftCpuLimit(extra: List<Int>): Boolean = applied.quota != null && setQuota(machineCpus.toDouble())

    override fun restoreCpuLimit(): Boolean {
        val quota = applied.quota ?: return true
        return sameQuota(running.group?.quota(), quota) || setQuota(quota)
    }

    private fun setQuota(cpus: Double) = running.setQuota(cpus) && sameQuota(running.group?.quota(), cpus)

    override fun end() {
        running.stop(grace)
        output.close()
        remove()
    }
}
