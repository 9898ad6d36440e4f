package bootdyno.launch

import bootdyno.model.Bytes
import bootdyno.model.ContainerFound
import bootdyno.model.LimitsFound
import bootdyno.model.Workload
import bootdyno.system.limits.CgroupPaths
import bootdyno.system.pinned
import java.net.URI
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/** What the first good answer took. Null where the server already ran, or where its CPU time cannot be read. */
data class Startup(val seconds: Double?, val cpuSeconds: Double?)

/** A subject that was started (or, given by its address, found). Closing it leaves nothing behind; closing twice is fine. */
interface RunningSubject : AutoCloseable {
    /** Null for a server that already ran. */
    val pid: Long?

    val base: URI

    /** As the kernel says at this moment, never as asked for; while the CPU limit is lifted it says so. */
    val limits: LimitsFound

    /** The subject's own words, without those that confine it; secrets are masked. Empty for a server that already ran. */
    val commandLine: List<String>

    /** Of the jar, or of the executable a command names by path. */
    val sha256: String?

    /** Where to read the counters of its group; null without one. */
    val cgroup: CgroupPaths?

    /** What it runs in; null for a process of this machine. */
    val container: ContainerFound? get() = null

    /**
     * Waits for the first answer of the 200s to `GET` [path], where there is none for the first answer of any kind to `GET /`, and [tell]s
     * about once a second what for. Throws [LaunchFailed]: at once when the subject dies, early where the same wrong answer comes all the time.
     */
    fun awaitReady(path: String?, deadline: Duration, tell: (Awaited) -> Unit = {}): Startup

    /**
     * Asks for [workload] as measured, one request at a time, and compares each answer with what is expected. One request is not timed,
     * then three are: the fastest, in seconds, is what a request takes alone. A chain is gone through as often, its captures looked for;
     * the mean of its steps is what one takes. Where the workload says how long it holds what it occupies, once is enough.
     * Throws [LaunchFailed].
     */
    fun verify(workload: Workload, timeout: Duration = 30.seconds): Double

    /** Null while it lives; then how it ended, in a sentence. */
    fun deathReport(): String?

    fun lastLogLines(n: Int = 20): List<String>

    /** Seconds that its framework says it took to start, as far as its log tells by now; null where it says nothing known. */
    fun startupAsLogged(): Double?

    /** The most memory its control group ever held, page cache included; null without a group that counts it. */
    fun peakMemory(): Bytes?

    /** Gives the JIT's compiler threads of this moment precedence over all others. False without the permission, or without such threads. */
    fun favourCompiler(): Boolean

    /** Makes compiler threads as all others again, and looks whether they are. */
    fun unfavourCompiler(): Boolean

    /**
     * For the warm-up: lifts a quota and lets the subject use [extra] CPUs too; a pinned subject stays where it is, and its compiler threads
     * alone may use them, so that throughput is that of the limit while it is watched. False when nothing could be lifted.
     */
    fun liftCpuLimit(extra: List<Int>): Boolean

    /** Back to the limit as before, read back: false means it must not be measured. */
    fun restoreCpuLimit(): Boolean
}
