package bootdyno.launch

import bootdyno.model.Bytes
import bootdyno.model.ContainerFound
import bootdyno.model.LimitsFound
import bootdyno.model.ProtocolFound
import bootdyno.model.Workload
import bootdyno.system.limits.Group
import java.net.URI
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/** Seconds and CPU seconds until the first successful response. Null if it was already running, or its CPU time is unreadable. */
data class Startup(val seconds: Double?, val cpuSeconds: Double?)

/** A running subject, started by us or not. Closing it cleans up, and may be repeated. */
interface RunningSubject : AutoCloseable {
    /** Null for a server that was already running. */
    val pid: Long?
    val base: URI

    /** What replaces the host of [base] in requests and TLS; null: nothing. */
    val serverName: String? get() = null

    /** Whether it listens on a port that it chose itself. */
    val hasOwnPort: Boolean get() = false

    /** The subject's own command line, without our wrappers; secrets are masked. Empty for a server that was already running. */
    val commandLine: List<String>

    /** Of the jar, or of the executable of a command. */
    val sha256: String?

    /** Null for a process of this machine. */
    val container: ContainerFound? get() = null

    /** What its connections negotiate, as verification found; null before, and for plain HTTP/1.1. */
    val protocol: ProtocolFound? get() = null

    /** The current limits as read back; also while the CPU limit is lifted. */
    val limits: LimitsFound

    /** Its cgroup; null without one. */
    val group: Group?

    /** Peak memory of its cgroup, including the page cache; null if not counted. */
    fun peakMemory(): Bytes? = group?.peakMemory()?.let(::Bytes)

    /**
     * Waits for a status from 200 to 299 at `GET` [path]; if [path] is null, see [Readiness]. Calls [tell] about once per second.
     * Throws [LaunchFailed]: immediately if the subject ends, and early if the same wrong response repeats.
     */
    fun awaitReady(path: String?, deadline: Duration, tell: (Awaited) -> Unit = {}): Startup

    /**
     * Sends the requests of [workload] one at a time and checks each response. The first is not timed; the response times of the next three, in
     * seconds, are the result. A chain or a mix is repeated as often, and the mean of its steps counts. If the workload declares its holding
     * time, one request is enough. Throws [LaunchFailed].
     */
    fun verify(workload: Workload, timeout: Duration = 30.seconds): List<Double>

    /** How it ended, as a sentence; null while it runs. */
    fun deathReport(): String?

    fun lastLogLines(n: Int = 20): List<String>

    /** The start-up seconds that its framework logged; null without such a line. */
    fun startupAsLogged(): Double?

    /** Gives its current JIT compiler threads priority over all others. False without permission, or without such threads. */
    fun favourCompiler(): Boolean = pid?.let(::favourCompilerThreads) ?: false

    /** Resets the priority of compiler threads; false if that fails. */
    fun unfavourCompiler(): Boolean = pid?.let(::unfavourCompilerThreads) ?: true

    /**
     * Lifts a CPU quota, and adds the [extra] CPUs. A pinned subject keeps its CPUs; only its compiler threads also use the [extra] ones, so that
     * its throughput stays that of the limit. False if nothing was lifted.
     */
    fun liftCpuLimit(extra: List<Int>): Boolean

    /**
     * While it starts: lifts a CPU quota, and gives all of its threads the [extra] CPUs besides its own. False if nothing was lifted: without the
     * permission, or because it would size its pools by the CPUs that it sees.
     */
    fun startOnAllCpus(extra: List<Int>): Boolean = false

    /** CPUs that it could use at most if its limit were raised now; null if its limit cannot be changed while it runs. */
    val mostCpus: Double? get() = null

    /** Gives it a quota of [cpus], at most [mostCpus], besides its pinning; its own limit if they are null. True if the value read back is equal. */
    fun moveCpus(cpus: Double?): Boolean = false

    /** Restores the limit and reads it back; after false, the subject must not be measured. */
    fun restoreCpuLimit(): Boolean
}
