package bootdyno.engine

import bootdyno.model.EngineKind
import bootdyno.model.EngineSpec
import bootdyno.model.LatencyHistograms
import bootdyno.model.LoadFound
import bootdyno.model.LoadProfile
import bootdyno.model.Step
import kotlinx.serialization.Serializable
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/** Asks a subject for one profile of load and records what came back. One drive at a time. */
interface LoadEngine : AutoCloseable {
    val kind: EngineKind
    val name: String get() = kind.name

    /** The process that makes the load; null when it has none of its own yet. */
    val pid: Long?

    /** Compiles the engine's own code against a private server inside the engine, so that the subject can stay cold. */
    fun warmItself()

    /**
     * Settles, measures the window, stops sending, and waits until nothing is in flight. Blocks; interrupting the thread stops the
     * load at once and throws [InterruptedException]. A world that fails (refused, reset, silent) is counted, never thrown.
     * @throws EngineFailed when the engine itself broke.
     */
    fun drive(order: LoadOrder, onSecond: (LoadSecond) -> Unit = {}): LoadMeasured
}

/**
 * What to send, how, and for how long.
 *
 * Load runs during [settle] without counting, then during [window] counting. A [window] of zero is a warm-up drive: only seconds are
 * reported. A burst has no settling: its window opens with its first send and closes when all users are done, at [window] at the latest.
 *
 * The [steps] make a chain, of one request mostly. Each connection of a closed load, and each user of a burst, goes through the chain
 * over and over; open load begins one at each arrival. A step is sent when the one before it was answered well, and its intended start is
 * that answer. Where a step fails, in whatever way, it is counted under its cause, the rest of that chain is not sent, and the connection
 * or user goes on with another. What is under way when sending stops is not gone through to its end.
 */
@Serializable
data class LoadOrder(
    val host: String,
    val port: Int,
    /**
     * At least one request, in order. Parameters are filled in; `{name}` is left where a column of [data] or a captured value is to stand,
     * written as [bootdyno.model.Template] says.
     */
    val steps: List<Step>,
    /** The absolute path of a CSV file ([bootdyno.model.readCsv]): each chain begun takes the next row, from the first in every drive. */
    val data: String? = null,
    val load: LoadProfile,
    val settle: Duration = Duration.ZERO,
    val window: Duration,
    /** From the intended start; a request older than this is an error, and its connection is closed and replaced. */
    val timeout: Duration,
    /** The longest wait for requests in flight after sending has stopped; it never exceeds [timeout], when the youngest is given up. */
    val drain: Duration = 60.seconds,
    val seed: Long = 0,
) {
    /** The names of its steps, which are counted apart; none where there is one. */
    val operations: List<String> get() = steps.takeIf { it.size > 1 }.orEmpty().map { it.name }
}

/** One second of a drive, as it happened. [answered] and [errors] are totals since the drive started. */
@Serializable
data class LoadSecond(
    /** Seconds since the drive started, as measured. */
    val at: Double,
    val inWindow: Boolean,
    val answered: Long,
    val errors: Long,
    val inFlight: Long,
    /** Of the responses of this second, from the intended start; null when nothing was answered. */
    val p99Ms: Double?,
)

/** What one drive left behind; [LoadFound.leftBefore] is 0, the conductor knows it. */
data class LoadMeasured(val found: LoadFound, val latencies: LatencyHistograms)

/** The engine itself broke: its process died, or it said what it cannot do. */
class EngineFailed(message: String) : RuntimeException(message)

/** A load engine that can be chosen by the name of its [kind]. */
data class EngineChoice(
    val kind: EngineKind,
    val description: String,
    /** Why it cannot be used here, and what to do; null when it can, or when that shows only as it starts. */
    val whyNot: () -> String? = { null },
    /** Starts it, fetching what it needs into the cache first. @throws EngineFailed with what is missing and how to get it. */
    val start: (context: EngineContext, spec: EngineSpec) -> LoadEngine,
) {
    val name: String get() = kind.name
}
