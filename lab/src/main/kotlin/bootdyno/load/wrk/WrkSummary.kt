package bootdyno.load.wrk

import java.nio.file.Files
import java.nio.file.Path

/** What wrk knew at the end of a run. Of its errors only [status] and [timeout] are of requests that were answered. */
internal data class WrkSummary(
    val durationMicros: Long,
    /** Answers of any status, late or not. */
    val requests: Long,
    /** Of the whole run. */
    val cpuSeconds: Double,
    val connect: Long,
    /** Reset, closed before the whole answer had come, refused after the start, or no HTTP. */
    val read: Long,
    val write: Long,
    /** Answers with a status above 399. */
    val status: Long,
    /** Answers later than `--timeout`; they have no sample. */
    val timeout: Long,
    /** Answers that were not as expected; null where they were not checked. */
    val checked: Checked?,
    /** Mean and percentiles in µs as wrk prints them, by their names. */
    val printedMicros: Map<String, Double>,
    /** µs, wrk's phantoms included. */
    val samples: Samples,
) {
    data class Checked(val status: Long, val body: Long)
}

/** What a run has written to [file]; null when that is missing or not whole. */
internal fun readWrkSummary(file: Path): WrkSummary? {
    if (!Files.isReadable(file)) return null
    val figures = mutableMapOf<String, Double>()
    val samples = SamplesInOrder()
    var whole = false
    Files.newBufferedReader(file).useLines { lines ->
        lines.forEach { line ->
            val words = line.split(' ')
            when {
                words[0] == "at" -> samples.add(words[1].toLong(), words[2].toLong())
                line == "end" -> whole = true
                else -> figures[words[0]] = words[1].toDouble()
            }
        }
    }
    if (!whole) return null
    fun count(name: String): Long = figures.getValue(name).toLong()
    return WrkSummary(
        durationMicros = count("duration"),
        requests = count("requests"),
        cpuSeconds = figures.getValue("cpu-seconds"),
        connect = count("connect"),
        read = count("read"),
        write = count("write"),
        status = count("status"),
        timeout = count("timeout"),
        checked = figures["checked-status"]?.let { WrkSummary.Checked(it.toLong(), count("checked-body")) },
        printedMicros = PRINTED.mapNotNull { name -> figures[name]?.let { name to it } }.toMap(),
        samples = samples.toSamples(),
    )
}

private val PRINTED = listOf("mean", "p50", "p75", "p90", "p99")
