package bootdyno.engine

import bootdyno.model.EngineKind
import bootdyno.model.EngineSpec
import bootdyno.model.LatencyHistograms
import bootdyno.model.LoadFound
import kotlinx.serialization.Serializable

/** Sends the load of one profile to a subject, and records the results. One drive at a time. */
interface LoadEngine : AutoCloseable {
    val kind: EngineKind
    val name: String get() = kind.name

    /** Pid of the load generator; null while it has no process, or several. */
    val pid: Long?

    /** Its processes on this machine. */
    val pids: List<Long> get() = listOfNotNull(pid)

    /** Warms up the engine's own code on a private server, so that the subject can stay cold. [chains]: that of chains of requests, too. */
    fun warmItself(chains: Boolean = true)

    /**
     * Settles, measures the window, stops sending, and drains. Blocks; interrupting the thread stops the load and throws
     * [InterruptedException]. Failures of the subject are counted, not thrown.
     * @throws EngineFailed if the engine itself fails
     */
    fun drive(order: LoadOrder, onSecond: (LoadSecond) -> Unit = {}): LoadMeasured
}

/** One second of a drive, or a [LoadOrder.reportEvery]. [answered] and [errors] are totals since its start. */
@Serializable
data class LoadSecond(
    /** Seconds since the drive started, as measured. */
    val at: Double,
    val inWindow: Boolean,
    val answered: Long,
    val errors: Long,
    val inFlight: Long,
    /** Of the responses in this second, from the intended start; null without responses. */
    val p99Ms: Double?,
    val p50Ms: Double? = null,
    /** The last round trip to the target over a network, of several hosts the longest; null if not measured. */
    val roundTripMs: Double? = null,
)

/** Results of a drive. [LoadFound.leftBefore] is 0; the trial sets it. */
data class LoadMeasured(val found: LoadFound, val latencies: LatencyHistograms)

/** The engine failed: its process ended, or the order is unsupported. */
class EngineFailed(message: String) : RuntimeException(message)

data class EngineChoice(
    val kind: EngineKind,
    val description: String,
    /** Why it is unavailable here, and what to do; null if available, or if only the start shows it. */
    val whyNot: () -> String? = { null },
    /** Starts it after downloads to the cache. @throws EngineFailed with the missing requirement and how to get it */
    val start: (context: EngineContext, spec: EngineSpec) -> LoadEngine,
) {
    val name: String get() = kind.name
}

/** No values are captured from longer responses. */
const val LONGEST_CAPTURED_FROM = 1024 * 1024
