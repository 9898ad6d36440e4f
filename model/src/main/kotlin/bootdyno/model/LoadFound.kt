package bootdyno.model

import kotlinx.serialization.Serializable

/** Sent requests: each is exactly one of answered (successful), errors and inFlight (no response at the end of the window). */
interface RequestCounts {
    val answered: Long
    val errors: Map<ErrorCause, Long>
    val inFlight: Long
    val failed: Long get() = errors.values.sum()
    val sent: Long get() = answered + failed + inFlight
}

/** Counts of the engine inside the window. */
@Serializable
data class LoadFound(
    val engine: String,
    /** As measured, not as configured. */
    val windowSeconds: Double,
    override val answered: Long,
    override val errors: Map<ErrorCause, Long>,
    override val inFlight: Long,
    /** For open load: requests scheduled and sent in the window. */
    val due: Long?,
    val generator: GeneratorFound,
    /** Requests in flight after the drains of the warm-up, all together, and after the drain that follows the window. */
    val leftBefore: Long,
    val leftAfter: Long,
    val drainSeconds: Double,
    /** Figures printed by the engine that differ from its samples: `p99 ms` of wrk, which corrects it by an estimate. */
    val printed: Map<String, Double> = emptyMap(),
    /** What the engine reports against its own run, with its number: `iterations dropped`, `checks failed`, exceptions of a script. */
    val complaints: Map<String, Long> = emptyMap(),
    /** Details of failed requests, at most [MOST_FAILURES], where the engine knows them: `status 429`, the text of an exception. */
    val failures: Map<String, Long> = emptyMap(),
    /** Kinds of request of a chain or a script, by name. Their sums are the figures above. */
    val operations: List<OperationFound> = emptyList(),
    /** Requests or chains of a burst that were not sent before the window ended. For single requests the sum of all classes is users × requests. */
    val unsent: Long = 0,
    /** The hosts that generated the load, if it came from other hosts; their sums are the figures above. */
    val agents: List<AgentFound> = emptyList(),
    /** Of all agents; null if the load did not leave this machine, and in runs of older versions. */
    val network: NetworkFound? = null,
) : RequestCounts {
    /** Successful responses per second. */
    val perSecond: Double get() = answered / windowSeconds

    /** CPU use of the generator as a share of its CPUs, of the busiest host if there are several; null if unknown. */
    val generatorShare: Double? get() = generators.mapNotNull { shareOf(it.found) }.maxOrNull()

    /** Each load generator with the name of its host; null for this machine. */
    val generators: List<NamedGenerator>
        get() = agents.map { NamedGenerator(it.host, it.generator) }.ifEmpty { listOf(NamedGenerator(null, generator)) }

    private fun shareOf(generator: GeneratorFound): Double? =
        if (windowSeconds > 0 && generator.cpus > 0) generator.cpuSeconds / windowSeconds / generator.cpus else null
}

/** Most details of failed requests that are kept; the others are left out. */
const val MOST_FAILURES = 8

/** The commonest of [all], most first. */
fun commonestFailures(all: Iterable<Map.Entry<String, Long>>): Map<String, Long> =
    all.groupingBy { it.key }.fold(0L) { sum, entry -> sum + entry.value }.entries
        .sortedByDescending { it.value }.take(MOST_FAILURES).associate { it.key to it.value }

data class NamedGenerator(val host: String?, val found: GeneratorFound)

/** One of the hosts that generated the load together. */
@Serializable
data class AgentFound(
    /** As the experiment names it. */
    val host: String,
    val answered: Long,
    /** As measured on that host. */
    val windowSeconds: Double,
    val generator: GeneratorFound,
    /** Null if it could not be measured. */
    val network: NetworkFound? = null,
    /** From the start signal to its confirmation, ms: at most so much later than the first host did this one start. */
    val startedWithinMs: Double,
)

/**
 * The network between a load generator and its target in the window: a TCP connection a second, by the load generator's clock alone, and the
 * kernel's counters of TCP segments, of all connections of that host.
 */
@Serializable
data class NetworkFound(
    /** Connections of the probe that were opened; the next three are null without one. */
    val probes: Int,
    val rttMinMs: Double?,
    val rttP50Ms: Double?,
    val rttMaxMs: Double?,
    /** TCP segments sent, and those of them that were sent again; null if the kernel does not say. */
    val segments: Long? = null,
    val sentAgain: Long? = null,
)

/** One of several kinds of request. */
@Serializable
data class OperationFound(
    val name: String,
    override val answered: Long,
    override val errors: Map<ErrorCause, Long>,
    override val inFlight: Long = 0,
) : RequestCounts

/** The load generator as measured; of several hosts, the sum of CPU seconds and CPUs, and the largest of the others. */
@Serializable
data class GeneratorFound(
    /** CPU seconds inside the window. */
    val cpuSeconds: Double,
    val cpus: Double,
    /** Intended to actual send, ms; for bursts from the start of the burst to the user's start. Null for closed load. */
    val lagP99Ms: Double?,
    /** Null as [lagP99Ms] is, and in runs of older versions. */
    val lagP999Ms: Double? = null,
    val lagMaxMs: Double? = null,
    /**
     * Share of the window for which an event loop was ready to run and waited for a CPU (run-queue wait), mean over event loops. Null if the
     * kernel does not count it, for other engines, and in runs of older versions.
     */
    val waitShare: Double? = null,
    /** How our own engine used sockets: `epoll`, `io_uring` or `nio`. Null for other engines, and in runs of older versions. */
    val transport: String? = null,
)

/**
 * Why a request failed; the classes are disjoint. [words]: description for users. [isOfConnection]: the connection failed, so that retries need
 * a delay.
 */
@Serializable(with = ErrorCauseByWord::class)
enum class ErrorCause(override val word: String, val words: String, val isOfConnection: Boolean = true) : Worded {
    REFUSED("refused", "connection refused"),
    CONNECT_TIMEOUT("connect-timeout", "connect timeout"),
    RESET("reset", "connection reset"),

    /** The server closed the connection before the end of the response. */
    CLOSED("closed", "connection closed"),
    TIMEOUT("timeout", "response timeout", isOfConnection = false),

    /** A response with an unexpected status. */
    STATUS("status", "unexpected status", isOfConnection = false),

    /** The expected status with an unexpected body, or without a value to capture. */
    BODY("body", "unexpected body", isOfConnection = false),

    /** Bytes that are not HTTP, or a failed TLS handshake. */
    PROTOCOL("protocol", "invalid HTTP or TLS"),

    /** Limits of the client: no file descriptor, no port. */
    CLIENT("client", "client out of resources"),

    /** A failure that the engine reports and that is none of these: an unknown host, an invalid address, an error of a script. */
    OTHER("other", "other failure"),
}

internal object ErrorCauseByWord : ByWord<ErrorCause>(ErrorCause.entries)
