package bootdyno.engines.wrk

import bootdyno.engine.EngineFailed
import bootdyno.system.boundedLines
import java.nio.file.Files
import java.nio.file.Path
import java.util.TreeMap

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
    /** How often each latency was seen, by µs, wrk's phantoms included. */
    val samples: Map<Long, Long>,
) {
    data class Checked(val status: Long, val body: Long)
}

/**
 * What a run has written to [file]; null when that is missing or not whole.
 * @throws EngineFailed where it is no such file: a script of a user runs in the same process, and may have written there.
 */
internal fun readWrkSummary(file: Path): WrkSummary? {
    if (!Files.isReadable(file)) return null
    val figures = mutableMapOf<String, Double>()
    val samples = TreeMap<Long, Long>()
    var whole = false
    Files.newInputStream(file).use { input ->
        input.boundedLines().forEach { line ->
            if (line ==
                END
            ) {
                whole = true
            } else if (!take(line, figures, samples)) {
                throw unreadable("the line '${line.take(SHOWN)}'")
            }
        }
    }
    if (!whole) return null
    fun figure(name: String): Double = figures[name] ?: throw unreadable("no line $name")
    fun count(name: String): Long = figure(name).toLong()
    if (count("duration") == 0L) throw unreadable("a duration of 0")
    return WrkSummary(
        durationMicros = count("duration"),
        requests = count("requests"),
        cpuSeconds = figure("cpu-seconds"),
        connect = count("connect"),
        read = count("read"),
        write = count("write"),
        status = count("status"),
        timeout = count("timeout"),
        checked = figures["checked-status"]?.let { WrkSummary.Checked(it.toLong(), count("checked-body")) },
        printedMicros = figures.filterKeys { it in PRINTED },
        samples = samples,
    )
}

/** False where [line] is neither a figure nor a sample above the last one. */
private fun take(line: String, figures: MutableMap<String, Double>, samples: TreeMap<Long, Long>): Boolean {
    val words = line.split(' ')
    // Up to its largest a figure is exact as a floating-point number.
    val numbers = words.drop(1).map { word -> word.toDoubleOrNull()?.takeIf { it in 0.0..LARGEST } ?: return false }
    return when {
        words.first() == "at" && numbers.size == 2 -> {
            val micros = numbers[0].toLong()
            (samples.isEmpty() || micros > samples.lastKey()).also { if (it) samples[micros] = numbers[1].toLong() }
        }

        words.first() == "at" || numbers.size != 1 || figures.size == MOST_FIGURES -> false

        else -> true.also { figures[words.first()] = numbers.single() }
    }
}

private fun unreadable(what: String) = EngineFailed("What wrk measured cannot be read: its file has $what.")

private const val END = "end"
private const val SHOWN = 80
private const val MOST_FIGURES = 100

/** Of any figure: the microseconds of eleven days, and as many requests. */
private const val LARGEST = 1e12

private val PRINTED = setOf("mean", "p50", "p75", "p90", "p99")
