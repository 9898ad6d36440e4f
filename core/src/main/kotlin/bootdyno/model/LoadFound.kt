package bootdyno.model

import kotlinx.serialization.Serializable

/** Requests sent: each is in exactly one of answered (well), errors and inFlight (unanswered when the window ended). */
interface RequestCounts {
    val answered: Long
    val errors: Map<ErrorCause, Long>
    val inFlight: Long
    val failed: Long get() = errors.values.sum()
    val sent: Long get() = answered + failed + inFlight
}

/** What the engine counted inside the window. */
@Serializable
data class LoadFound(
    val engine: String,
    /** As measured, never as asked for. */
    val windowSeconds: Double,
    override val answered: Long,
    override val errors: Map<ErrorCause, Long>,
    override val inFlight: Long,
    /** For open load: sends in the window, each of a moment when one was due. */
    val due: Long?,
    val generator: GeneratorFound,
    /** In-flight requests left when the drain before the window ended, and when the one after it did. */
    val leftBefore: Long,
    val leftAfter: Long,
    val drainSeconds: Double,
    /** What the engine itself printed, where it says otherwise than its samples do: `p99 ms` of wrk, corrected by its own guess. */
    val printed: Map<String, Double> = emptyMap(),
    /** Of a chain or of a script with several kinds of request: each kind by its name. Their sums are the figures above. */
    val operations: List<OperationFound> = emptyList(),
    /** Of a burst that its window cut off: requests, or chains, never begun. Of single requests, with the classes above, users × requests. */
    val unsent: Long = 0,
) : RequestCounts {
    /** The share of its CPUs that the generator used; null where that is not known. */
    val generatorShare: Double?
        get() = if (windowSeconds > 0 && generator.cpus > 0) generator.cpuSeconds / windowSeconds / generator.cpus else null
}

/** One kind of request among several. */
@Serializable
data class OperationFound(
    val name: String,
    override val answered: Long,
    override val errors: Map<ErrorCause, Long>,
    override val inFlight: Long = 0,
) : RequestCounts

/** The load generator watched. */
@Serializable
data class GeneratorFound(
    /** CPU seconds of the generator inside the window. */
    val cpuSeconds: Double,
    /** CPUs it may use. */
    val cpus: Double,
    /** From the intended to the real send, ms; of a burst from its beginning to a user's own. Null for closed load. */
    val lagP99Ms: Double?,
)

/** Why a request got no good answer; the classes are disjoint. [words]: what became of it, for people. */
@Serializable(with = ErrorCauseByWord::class)
enum class ErrorCause(override val word: String, val words: String) : Worded {
    REFUSED("refused", "connection refused"),
    CONNECT_TIMEOUT("connect-timeout", "connect timeout"),
    RESET("reset", "connection reset"),

    /** The server closed the connection before the whole answer had come. */
    CLOSED("closed", "connection closed"),
    TIMEOUT("timeout", "response timeout"),

    /** An answer with another status than expected. */
    STATUS("status", "unexpected status"),

    /** The expected status with another body than expected, or without a value that was to be captured from it. */
    BODY("body", "unexpected body"),

    /** Bytes that are no HTTP. */
    PROTOCOL("protocol", "invalid HTTP"),

    /** The client's own limits: no file descriptor, no port. */
    CLIENT("client", "client out of resources"),
}

internal object ErrorCauseByWord : ByWord<ErrorCause>(ErrorCause.entries)
