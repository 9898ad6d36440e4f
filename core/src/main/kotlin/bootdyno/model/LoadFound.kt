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
    /** Requests in flight after the drain before the window, and after the drain that follows it. */
    val leftBefore: Long,
    val leftAfter: Long,
    val drainSeconds: Double,
    /** Figures printed by the engine that differ from its samples: `p99 ms` of wrk, which corrects it by an estimate. */
    val printed: Map<String, Double> = emptyMap(),
    /** Kinds of request of a chain or a script, by name. Their sums are the figures above. */
    val operations: List<OperationFound> = emptyList(),
    /** Requests or chains of a burst that were not sent before the window ended. For single requests the sum of all classes is users × requests. */
    val unsent: Long = 0,
) : RequestCounts {
    /** CPU use of the generator as a share of its CPUs; null if unknown. */
    val generatorShare: Double?
        get() = if (windowSeconds > 0 && generator.cpus > 0) generator.cpuSeconds / windowSeconds / generator.cpus else null
}

/** One of several kinds of request. */
@Serializable
data class OperationFound(
    val name: String,
    override val answered: Long,
    override val errors: Map<ErrorCause, Long>,
    override val inFlight: Long = 0,
) : RequestCounts

/** The load generator as measured. */
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
)

/** Why a request failed; the classes are disjoint. [words]: description for users. */
@Serializable(with = ErrorCauseByWord::class)
enum class ErrorCause(override val word: String, val words: String) : Worded {
    REFUSED("refused", "connection refused"),
    CONNECT_TIMEOUT("connect-timeout", "connect timeout"),
    RESET("reset", "connection reset"),

    /** The server closed the connection before the end of the response. */
    CLOSED("closed", "connection closed"),
    TIMEOUT("timeout", "response timeout"),

    /** A response with an unexpected status. */
    STATUS("status", "unexpected status"),

    /** The expected status with an unexpected body, or without a value to capture. */
    BODY("body", "unexpected body"),

    /** Bytes that are not HTTP, or a failed TLS handshake. */
    PROTOCOL("protocol", "invalid HTTP or TLS"),

    /** Limits of the client: no file descriptor, no port. */
    CLIENT("client", "client out of resources"),
}

internal object ErrorCauseByWord : ByWord<ErrorCause>(ErrorCause.entries)
