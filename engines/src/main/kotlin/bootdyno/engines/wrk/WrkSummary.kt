package bootdyno.engines.wrk

import bootdyno.engine.EngineFailed
import bootdyno.engine.LONGEST_NANOS
import bootdyno.engine.LoadMeasured
import bootdyno.engine.nanoHistogram
import bootdyno.model.ErrorCause
import bootdyno.model.GeneratorFound
import bootdyno.model.LatencyHistograms
import bootdyno.model.LoadFound
import bootdyno.system.boundedLines
import org.HdrHistogram.Histogram
import java.nio.file.Files
import java.nio.file.Path
import java.util.TreeMap

/** The results of a run. Only the errors [status] and [timeout] are of answered requests. */
internal data class WrkSummary(
    val durationMicros: Long,
    /** Responses of any status, late or not. */
    val requests: Long,
    /** Of the whole run. */
    val cpuSeconds: Double,
    val connect: Long,
    /** Reset, closed before the end of the response, refused after the start, or not HTTP. */
    val read: Long,
    val write: Long,
    /** Responses with a status above 399. */
    val status: Long,
    /** Responses later than `--timeout`; they have no sample. */
    val timeout: Long,
    /** Unexpected responses; null without a check. */
    val checked: Checked?,
    /** Mean and percentiles in µs as printed by wrk, by name. */
    val printedMicros: Map<String, Double>,
    /** Number of samples by latency in µs, including those added by wrk's correction. */
    val samples: Map<Long, Long>,
) {
    data class Checked(val status: Long, val body: Long)
}

/**
 * The results in [file]; null if missing or incomplete.
 * @throws EngineFailed for an invalid file, because a user's script runs in the same process and may write there
 */
internal fun readWrkSummary(file: Path): WrkSummary? {
    if (!Files.isReadable(file)) return null
    val figures = mutableMapOf<String, Double>()
    val samples = TreeMap<Long, Long>()
    var whole = false
    Files.newInputStream(file).use { input ->
        input.boundedLines().forEach { line ->
            if (line == END) {
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

/** False if [line] is neither a figure nor a sample above the last one. */
private fun take(line: String, figures: MutableMap<String, Double>, samples: TreeMap<Long, Long>): Boolean {
    val words = line.split(' ')
    // Figures up to this size are exact as floating-point numbers.
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

/** Maximum of any figure: the microseconds of eleven days, and as many requests. */
private const val LARGEST = 1e12

private val PRINTED = setOf("mean", "p50", "p75", "p90", "p99")

/**
 * The results of a run with the arguments [call].
 * @throws EngineFailed if its figures contradict each other
 */
internal fun WrkSummary.toMeasured(engine: String, call: WrkCall, generator: GeneratorFound): LoadMeasured {
    val raw = raw(call.connections)
    val sampled = raw.values.sum()
    // A script may send several requests at once, which share one sample.
    if (call.options.script == null && sampled + timeout != requests) {
        throw EngineFailed("wrk answered $requests times, but has $sampled latencies and $timeout timeouts.")
    }
    val limit = call.order.timeout.inWholeNanoseconds
    val response = nanoHistogram()
    var late = timeout
    raw.forEach { (micros, count) ->
        if (micros * NANOS_PER_MICRO > limit) late += count else response.record(micros * NANOS_PER_MICRO, count)
    }
    val unanswered = nanoHistogram().apply { if (late > 0) record(limit, late) }
    if (late > requests) throw EngineFailed("wrk answered $requests times, of which $late were too late.")
    val errors = errors(late)
    val answered = requests - listOf(ErrorCause.STATUS, ErrorCause.BODY, ErrorCause.TIMEOUT).sumOf { errors[it] ?: 0 }
    val latencies = LatencyHistograms(response, response, unanswered)
    return measured(engine, durationMicros / MICROS_PER_SECOND, answered, errors, generator, printed(call), latencies)
}

/** Results of a run with only [errors], and its [printed] figures, if any. Nothing is in flight. */
internal fun measured(
    engine: String,
    seconds: Double,
    answered: Long,
    errors: Map<ErrorCause, Long>,
    generator: GeneratorFound,
    printed: Map<String, Double> = emptyMap(),
    latencies: LatencyHistograms = LatencyHistograms(nanoHistogram(), nanoHistogram(), nanoHistogram()),
) = LoadMeasured(
    LoadFound(
        engine = engine,
        windowSeconds = seconds,
        answered = answered,
        errors = errors,
        inFlight = 0,
        due = null,
        generator = generator,
        leftBefore = 0,
        leftAfter = 0,
        drainSeconds = 0.0,
        printed = printed,
    ),
    latencies,
)

private fun WrkSummary.raw(connections: Int): Map<Long, Long> = try {
    uncorrected(samples, expectedMicros(durationMicros, requests, connections))
} catch (contradiction: IllegalArgumentException) {
    throw EngineFailed("wrk corrected its latencies in another way than expected: ${contradiction.message}")
}

/**
 * The request interval that wrk assumes for its correction: µs between two requests of a connection, by its own integer arithmetic (`main` of
 * wrk.c, 4.0 to 4.2). [connections] is the configured number, not the opened one. Null without a correction.
 */
internal fun expectedMicros(durationMicros: Long, requests: Long, connections: Int): Long? =
    (requests / connections).takeIf { it > 0 }?.let { durationMicros / it }

/**
 * Removes the samples that wrk adds after its run to correct for coordinated omission (`stats_correct` of stats.c, 4.0 to 4.2).
 *
 * For each sample at n it adds one at n − e, n − 2e and so on, down to but not including e, [expected] being e. Hence for each
 * m above e printed(m) = raw(m) + raw(m + e) + raw(m + 2e) + … = raw(m) + printed(m + e), and at e and below nothing was added.
 * @param printed how often each µs was seen, corrected, without a gap between the lowest and the highest raw sample
 * @throws IllegalArgumentException when [printed] cannot have come from such a correction
 */
internal fun uncorrected(printed: Map<Long, Long>, expected: Long?): Map<Long, Long> {
    if (expected == null) return printed
    require(expected > 0) { "a cycle of $expected µs" }
    return printed.mapValues { (value, count) ->
        val added = if (value > expected) printed[value + expected] ?: 0 else 0
        require(count >= added) { "$count samples at $value µs, but $added a cycle of $expected µs above" }
        count - added
    }.filterValues { it > 0 }
}

/**
 * Disjoint classes. A response that is both late and wrong is in two of wrk's counters; here it counts as late. The number of wrong responses
 * is reduced so that the sum does not exceed the responses.
 */
private fun WrkSummary.errors(late: Long): Map<ErrorCause, Long> {
    val wrongBody = (checked?.body ?: 0).coerceAtMost(requests - late)
    return mapOf(
        ErrorCause.STATUS to (checked?.status ?: status).coerceAtMost(requests - late - wrongBody),
        ErrorCause.BODY to wrongBody,
        ErrorCause.TIMEOUT to late,
        ErrorCause.CLIENT to connect,
        ErrorCause.CLOSED to read,
        ErrorCause.RESET to write,
    ).filterValues { it > 0 }
}

private fun WrkSummary.printed(call: WrkCall): Map<String, Double> = buildMap {
    printedMicros.forEach { (name, micros) -> put("$name ms", micros / MICROS_PER_MS) }
    put("requests/s", requests * MICROS_PER_SECOND / durationMicros)
    if (call.opened != call.connections) put("connections", call.opened.toDouble())
}

private fun Histogram.record(nanos: Long, count: Long) = recordValueWithCount(nanos.coerceIn(0, LONGEST_NANOS), count)

private const val NANOS_PER_MICRO = 1000L
private const val MICROS_PER_MS = 1e3
private const val MICROS_PER_SECOND = 1e6
