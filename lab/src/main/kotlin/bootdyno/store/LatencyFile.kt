package bootdyno.store

import bootdyno.model.Latencies
import org.HdrHistogram.Histogram
import org.HdrHistogram.HistogramLogReader
import org.HdrHistogram.HistogramLogWriter
import java.io.ByteArrayOutputStream
import java.time.Instant
import java.util.Locale

/**
 * `latency.hlog`: a standard HdrHistogram log, version 1.3, of three histograms told apart by tag.
 *
 * Values are nanoseconds. The readable maximum of each line is in ms (the ratio of 10⁶ that HdrHistogram's own tools expect).
 */
internal object LatencyFile {
    private const val RESPONSE = "response"
    private const val SERVICE = "service"
    private const val UNANSWERED = "unanswered"
    private const val NANOS_PER_MILLI = 1e6

    /** [from] and [to] are the window's bounds in seconds since [startedAt]. Made in memory: the log writer swallows a full disk. */
    fun write(latencies: Latencies, startedAt: Instant, from: Double, to: Double): ByteArray {
        val bytes = ByteArrayOutputStream()
        val log = HistogramLogWriter(bytes)
        log.outputComment("[Boot Dyno: response, service and unanswered times of one window, in ns; Interval_Max in ms]")
        log.outputLogFormatVersion()
        // Not outputStartTime: it adds the date in this machine's time zone.
        val seconds = "%.3f".format(Locale.ROOT, startedAt.toEpochMilli() / 1e3)
        log.outputComment("[StartTime: $seconds (seconds since epoch), $startedAt]")
        log.outputLegend()
        tagged(latencies).forEach { (tag, histogram) ->
            val copy = histogram.copy().also { it.tag = tag }
            log.outputIntervalHistogram(from, to, copy, NANOS_PER_MILLI)
        }
        log.close()
        return bytes.toByteArray()
    }

    /** Several intervals of one tag are added up, so that a log of another driver with an interval a second reads as well. */
    fun read(bytes: ByteArray): Latencies {
        val found = mutableMapOf<String, Histogram>()
        HistogramLogReader(bytes.inputStream()).use { log ->
            while (log.hasNext()) {
                val histogram = log.nextIntervalHistogram() as? Histogram ?: break
                found.merge(histogram.tag.orEmpty(), histogram) { sum, next -> sum.also { it.add(next) } }
            }
        }

        fun of(tag: String) = requireNotNull(found[tag]) { "it has no histogram tagged $tag" }
        return Latencies(of(RESPONSE), of(SERVICE), of(UNANSWERED))
    }

    private fun tagged(latencies: Latencies): Map<String, Histogram> =
        mapOf(RESPONSE to latencies.response, SERVICE to latencies.service, UNANSWERED to latencies.unanswered)
}
