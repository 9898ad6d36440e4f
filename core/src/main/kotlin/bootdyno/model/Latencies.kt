package bootdyno.model

import kotlinx.serialization.Serializable
import org.HdrHistogram.Histogram

/** Latency of one window, in nanoseconds. */
@Serializable
data class Latencies<T>(
    /** Answered well, from the intended start to the last byte. */
    val response: T,
    /** Answered well, from the real send to the last byte. */
    val service: T,
    /** Ages of the requests without an answer: in flight at the window's end, or timed out. Lower bounds (censored). */
    val unanswered: T,
    /** From the start of connecting to an open connection, of those that were opened in the window; null where the engine cannot tell. */
    val connect: T? = null,
    /** [response] by kind of request, where there are several; keys are those of [LoadFound.operations]. */
    val operations: Map<String, T> = emptyMap(),
    /** [unanswered] by kind of request; empty where the engine cannot tell. */
    val unansweredOperations: Map<String, T> = emptyMap(),
) {
    fun <R> map(transform: (T) -> R) = Latencies(
        response = transform(response),
        service = transform(service),
        unanswered = transform(unanswered),
        connect = connect?.let { transform(it) },
        operations = operations.mapValues { transform(it.value) },
        unansweredOperations = unansweredOperations.mapValues { transform(it.value) },
    )
}

/** As they are recorded and kept. */
typealias LatencyHistograms = Latencies<Histogram>

/** As they are judged. */
typealias LatencyFacts = Latencies<Distribution>

/** What is judged of them. */
fun LatencyHistograms.facts(): LatencyFacts = map(Distribution::of)

/**
 * How often each duration was seen, in nanoseconds: a histogram without the room for all that was not seen, which is a hundredth of it. A run
 * may have thousands.
 *
 * A bucket is represented by its middle: half a unit of the last kept digit away from the truth at most.
 */
class Distribution private constructor(private val nanos: LongArray, private val counts: LongArray) {
    /** Of all durations. */
    val count: Long = counts.sum()

    /** The sum of all durations, in nanoseconds. */
    val sum: Double = nanos.indices.sumOf { nanos[it].toDouble() * counts[it] }

    /** From the shortest to the longest, each with how often it was seen. */
    fun <R> map(transform: (nanos: Long, count: Long) -> R): List<R> = nanos.indices.map { transform(nanos[it], counts[it]) }

    override fun equals(other: Any?) =
        other is Distribution && nanos.contentEquals(other.nanos) && counts.contentEquals(other.counts)

    override fun hashCode() = 31 * nanos.contentHashCode() + counts.contentHashCode()

    override fun toString() = "$count durations, ${nanos.firstOrNull() ?: 0} to ${nanos.lastOrNull() ?: 0} ns"

    companion object {
        /** Of [histogram], which counts nanoseconds. */
        fun of(histogram: Histogram): Distribution {
            val seen = histogram.recordedValues().map {
                histogram.medianEquivalentValue(it.valueIteratedTo) to it.countAddedInThisIterationStep
            }
            return Distribution(LongArray(seen.size) { seen[it].first }, LongArray(seen.size) { seen[it].second })
        }
    }
}
