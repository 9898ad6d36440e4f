package bootdyno.model

import kotlinx.serialization.Serializable
import org.HdrHistogram.Histogram

/** Latency of one window, in nanoseconds. */
@Serializable
data class Latencies<T>(
    /** Successful responses, from the intended send time to the last byte. */
    val response: T,
    /** Successful responses, from the actual send to the last byte. */
    val service: T,
    /** Ages of requests without a response: in flight at the end of the window, or timed out. Lower bounds (censored). */
    val unanswered: T,
    /** Time to open each connection of the window; null if the engine does not measure it. */
    val connect: T? = null,
    /** [response] by kind of request, if there are several; keys are those of [LoadFound.operations]. */
    val operations: Map<String, T> = emptyMap(),
    /** [unanswered] by kind of request; empty if the engine does not measure it. */
    val unansweredOperations: Map<String, T> = emptyMap(),
    /** Of a burst: successful responses, from the start of the burst to the last byte; null for other loads, and in runs of older versions. */
    val sinceStart: T? = null,
    /**
     * Of the requests in [response] and [unanswered] that began before the window: their ages when it opened. They are observed from that age on
     * (delayed entry). Null where the engine does not know it, and in runs of older versions.
     */
    val entered: T? = null,
    /** [entered] by kind of request. */
    val enteredOperations: Map<String, T> = emptyMap(),
) {
    fun <R> map(transform: (T) -> R) = Latencies(
        response = transform(response),
        service = transform(service),
        unanswered = transform(unanswered),
        connect = connect?.let { transform(it) },
        operations = operations.mapValues { transform(it.value) },
        unansweredOperations = unansweredOperations.mapValues { transform(it.value) },
        sinceStart = sinceStart?.let { transform(it) },
        entered = entered?.let { transform(it) },
        enteredOperations = enteredOperations.mapValues { transform(it.value) },
    )
}

/** As recorded and stored. */
typealias LatencyHistograms = Latencies<Histogram>

/** As analysed. */
typealias LatencyFacts = Latencies<Distribution>

fun LatencyHistograms.facts(): LatencyFacts = map(Distribution::of)

/**
 * Frequency of each duration in nanoseconds: a compact histogram with a hundredth of the memory, because a run may have thousands.
 *
 * Each bucket is represented by its middle: at most half a unit of the last digit from the true value.
 */
class Distribution private constructor(private val nanos: LongArray, private val counts: LongArray) {
    val count: Long = counts.sum()

    /** The sum of all durations, in nanoseconds. */
    val sum: Double = nanos.indices.sumOf { nanos[it].toDouble() * counts[it] }

    /** Ascending; each duration with its frequency. */
    fun <R> map(transform: (nanos: Long, count: Long) -> R): List<R> = nanos.indices.map { transform(nanos[it], counts[it]) }

    override fun equals(other: Any?) =
        other is Distribution && nanos.contentEquals(other.nanos) && counts.contentEquals(other.counts)

    override fun hashCode() = 31 * nanos.contentHashCode() + counts.contentHashCode()

    override fun toString() = "$count durations, ${nanos.firstOrNull() ?: 0} to ${nanos.lastOrNull() ?: 0} ns"

    companion object {
        /**
         * Converts [histogram], in nanoseconds. It is read from its smallest value on, because the library's iterator begins at 1 ns: a thousand
         * steps for each doubling up to there.
         */
        fun of(histogram: Histogram): Distribution {
            val all = histogram.minValue..histogram.maxValue
            val seen = mutableListOf<Long>()
            var value = all.first
            // Beyond the largest value that a histogram can hold, the next one is negative.
            while (value in all) {
                if (histogram.getCountAtValue(value) > 0) seen += value
                value = histogram.nextNonEquivalentValue(value)
            }
            return Distribution(
                LongArray(seen.size) { histogram.medianEquivalentValue(seen[it]) },
                LongArray(seen.size) { histogram.getCountAtValue(seen[it]) },
            )
        }
    }
}
