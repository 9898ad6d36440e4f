package bootdyno.launch

import bootdyno.model.Bytes
import bootdyno.model.ContainerFound
import bootdyno.model.LimitsFound
import bootdyno.model.Workload
import bootdyno.system.limits.Group
import java.net.URI
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/** Seconds and CPU seconds until the first good answer. Null where the server already ran, or where its CPU time cannot be read. */
data class Startup(val seconds: Double?, val cpuSeconds: Double?)

/** A subject that was started, or found by its address. Closing it leaves nothing behind; closing twice is fine. */
interface RunningSubject : AutoCloseable {
    /** Null for a server that already ran. */
    val pid: Long?
    val base: URI

    /** The subject's own words, without those that limit it; secrets are masked. Empty for a server that already ran. */
    val commandLine: List<String>

    /** Of the jar, or of the executable a command names by path. */
    val sha256: String?

    /** Null for a process of this machine. */
    val container: ContainerFound? get() = null

    /** The limits in force, as the kernel says now, never those asked for; while the CPU limit is lifted they say so. */
    val limits: LimitsFound

    /** Its control group; null without one. */
    val group: Group?

    /** The most memory its control group ever held, page cache included; null without a group that counts it. */
    fun peakMemory(): Bytes? = group?.peakMemory()?.let(::Bytes)

    /**
     * Waits for a status of 200 to 299 to `GET` [path], or, where [path] is null, for any answer to `GET /`. It calls [tell] about once a
     * second. Throws [LaunchFailed]: at once when the subject dies, early where the same wrong answer comes all the time.
     */
    fun awaitReady(path: String?, deadline: Duration, tell: (Awaited) -> Unit = {}): Startup

    /**
     * Sends the requests of [workload] one at a time, and compares each answer with the expected one. The first is not timed; the fastest
     * of the next three, in seconds, is the response time without load. A chain is run as often, and the mean of its steps counts. Where
     * the workload declares its time, one request is enough. Throws [LaunchFailed].
     */
    fun verify(workload: Workload, timeout: Duration = 30.seconds): Double

    /** Null while it lives; then a sentence that says how it ended. */
    fun deathReport(): String?

    fun lastLogLines(n: Int = 20): List<String>

    /** The start-up seconds that its framework logged; null where there is no such line. */
    fun startupAsLogged(): Double?

    /** Gives the JIT compiler threads of this moment precedence over all others. False without the permission, or without such threads. */
    fun favourCompiler(): Boolean = pid?.let(::favourCompilerThreads) ?: false

    /** Gives compiler threads the usual priority again; false where they do not have it then. */
    fun unfavourCompiler(): Boolean = pid?.let(::unfavourCompilerThreads) ?: true

    /**
     * Lifts a quota, and lets the subject use the [extra] CPUs too. A pinned subject stays on its CPUs, and only its compiler threads use
     * the [extra] ones: its throughput stays that of the limit. False when nothing could be lifted.
     */
    fun liftCpuLimit(extra: List<Int>): Boolean

    /** Sets the limit as before, and reads it back; false means that the subject must not be measured. */
    fun restoreCpuLimit(): Boolean
}
