package bootdyno.store

import bootdyno.model.LatencyHistograms
import bootdyno.model.Phase
import org.HdrHistogram.Histogram
import org.HdrHistogram.HistogramLogReader
import org.HdrHistogram.HistogramLogWriter
import java.io.ByteArrayOutputStream
import java.net.URLDecoder
import java.net.URLEncoder
import java.time.Instant
import java.util.Locale
import kotlin.math.abs

/**
 * `latency.hlog`: a standard HdrHistogram log, version 1.3, with three tagged histograms. Optional ones are of connect times, of the
 * answers of a burst since its start, and of the ages of requests when the window opened (`entered`). Each kind of request may have its
 * own: `response-of-create`, `unanswered-of-create`, `entered-of-create`.
 *
 * Values are nanoseconds. The maximum of each line is in ms (the ratio of 10⁶ that HdrHistogram's tools expect).
 */
internal object LatencyFile {
    private const val RESPONSE = "response"
    private const val SERVICE = "service"
    private const val UNANSWERED = "unanswered"
    private const val CONNECT = "connect"
    private const val SINCE_START = "since-start"
    private const val OPERATION = "response-of-"
    private const val UNANSWERED_OPERATION = "unanswered-of-"
    private const val ENTERED = "entered"
    private const val ENTERED_OPERATION = "entered-of-"
    private const val NANOS_PER_MILLI = 1e6
    private const val ROUNDING_SECONDS = 2e-3
    private val START = Regex("""^#\[StartTime: (\S+) """)

    /** Maximum count: more than any machine serves in a year, and small enough for sums. */
    private const val MOST = 1_000_000_000_000_000L

    /** [from] and [to] are the window's bounds in seconds since [startedAt]. Written to memory, because the log writer ignores a full disk. */
    fun write(latencies: LatencyHistograms, startedAt: Instant, from: Double, to: Double): ByteArray {
        val bytes = ByteArrayOutputStream()
        val log = HistogramLogWriter(bytes)
        log.outputComment("[Boot Dyno: response, service and unanswered times of one window, in ns; Interval_Max in ms]")
        log.outputLogFormatVersion()
        // Not outputStartTime, which adds the date in the local time zone.
        log.outputComment("[StartTime: ${seconds(startedAt)} (seconds since epoch), $startedAt]")
        log.outputLegend()
        tagged(latencies).forEach { (tag, histogram) ->
            val copy = histogram.copy().also { it.tag = tag }
            log.outputIntervalHistogram(from, to, copy, NANOS_PER_MILLI)
        }
        log.close()
        return bytes.toByteArray()
    }

    /**
     * Sums several intervals with one tag, to read logs of other tools with an interval per second.
     *
     * Throws [IllegalArgumentException] if it belongs to a trial that did not begin at [startedAt], or if its intervals are not that of [span].
     */
    fun read(bytes: ByteArray, startedAt: Instant? = null, span: Phase? = null): LatencyHistograms {
        val sums = mutableMapOf<String, Histogram>()
        val intervals = intervals(bytes)
        intervals.forEach { interval -> sums.merge(interval.tag.orEmpty(), interval) { sum, next -> sum.also { it.add(next) } } }
        requireComplete(bytes, intervals.size, span)
        requireStart(bytes, startedAt)
        sums.forEach { (tag, sum) -> require(sum.totalCount in 0..MOST) { "its histogram $tag counts ${sum.totalCount} values" } }
        fun of(tag: String) = requireNotNull(sums[tag]) { "it has no histogram tagged $tag" }
        fun operations(prefix: String) =
            sums.filterKeys { it.startsWith(prefix) }.mapKeys { (tag, _) -> untagged(tag.removePrefix(prefix)) }
        return LatencyHistograms(
            response = of(RESPONSE),
            service = of(SERVICE),
            unanswered = of(UNANSWERED),
            connect = sums[CONNECT],
            operations = operations(OPERATION),
            unansweredOperations = operations(UNANSWERED_OPERATION),
            sinceStart = sums[SINCE_START],
            entered = sums[ENTERED],
            enteredOperations = operations(ENTERED_OPERATION),
        )
    }

    private fun intervals(bytes: ByteArray): List<Histogram> = try {
        HistogramLogReader(bytes.inputStream()).use { log ->
            generateSequence { if (log.hasNext()) log.nextIntervalHistogram() as? Histogram else null }.toList()
        }
    } catch (absurd: OutOfMemoryError) {
        // A damaged header may claim gigabytes; only that allocation failed.
        throw IllegalArgumentException("a histogram claims an impossible size", absurd)
    }

    /** The library's reader silently stops at a damaged line, and accepts negative times. */
    private fun requireComplete(bytes: ByteArray, read: Int, span: Phase?) {
        val written = lines(bytes).filter { it.isNotBlank() && !it.startsWith("#") && !it.startsWith("\"") }.toList()
        require(read == written.size) { "only $read of its ${written.size} histograms can be read" }
        written.forEach { line ->
            val times = line.split(',').filterNot { it.startsWith("Tag=") }.take(2).map { it.toDoubleOrNull() ?: -1.0 }
            require(times.all { it in 0.0..MOST.toDouble() }) { "an interval has the times ${times.joinToString()}" }
            require(span == null || agree(times, span)) {
                "an interval has the times ${times.joinToString()}, and its stage was from ${span?.from} to ${span?.to} s"
            }
        }
    }

    /** [times] are start and length, in whole milliseconds. */
    private fun agree(times: List<Double>, span: Phase) =
        times.zip(listOf(span.from, span.to - span.from)).all { (written, found) -> abs(written - found) <= ROUNDING_SECONDS }

    private fun requireStart(bytes: ByteArray, startedAt: Instant?) {
        val written = lines(bytes).firstNotNullOfOrNull { START.find(it) }?.groupValues?.get(1) ?: return
        require(startedAt == null || written == seconds(startedAt)) { "it is of another trial, which began at $written" }
    }

    private fun lines(bytes: ByteArray) = String(bytes).lineSequence()

    private fun seconds(instant: Instant) = "%.3f".format(Locale.ROOT, instant.toEpochMilli() / 1e3)

    private fun tagged(latencies: LatencyHistograms): Map<String, Histogram> = buildMap {
        put(RESPONSE, latencies.response)
        put(SERVICE, latencies.service)
        put(UNANSWERED, latencies.unanswered)
        latencies.connect?.let { put(CONNECT, it) }
        latencies.sinceStart?.let { put(SINCE_START, it) }
        latencies.operations.forEach { (name, histogram) -> put(OPERATION + tagged(name), histogram) }
        latencies.unansweredOperations.forEach { (name, histogram) -> put(UNANSWERED_OPERATION + tagged(name), histogram) }
        latencies.entered?.let { put(ENTERED, it) }
        latencies.enteredOperations.forEach { (name, histogram) -> put(ENTERED_OPERATION + tagged(name), histogram) }
    }

    /** Encodes a name as a tag, which ends at a comma, a space or the end of the line. */
    private fun tagged(name: String) = URLEncoder.encode(name, Charsets.UTF_8)

    private fun untagged(text: String) = URLDecoder.decode(text, Charsets.UTF_8)
}
