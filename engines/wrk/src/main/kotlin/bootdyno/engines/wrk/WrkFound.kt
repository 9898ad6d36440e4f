package bootdyno.engines.wrk

import bootdyno.engine.EngineContext
import bootdyno.engine.EngineFailed
import bootdyno.engine.LONGEST_NANOS
import bootdyno.engine.LoadMeasured
import bootdyno.engine.LoadOrder
import bootdyno.engine.nanoHistogram
import bootdyno.model.ErrorCause
import bootdyno.model.GeneratorFound
import bootdyno.model.LatencyHistograms
import bootdyno.model.LoadFound
import org.HdrHistogram.Histogram

/**
 * What a run of wrk found, as every engine reports it; [call] and [order] say what it had to do.
 * @throws EngineFailed when its figures contradict each other
 */
internal fun WrkSummary.toMeasured(
    engine: String,
    order: LoadOrder,
    call: WrkCall,
    context: EngineContext,
    scripted: Boolean,
): LoadMeasured {
    val raw = raw(call.connections)
    // A script may send several requests at once, which have one sample together.
    if (!scripted && raw.total + timeout != requests) {
        throw EngineFailed("wrk answered $requests times, but has ${raw.total} latencies and $timeout timeouts.")
    }
    val limit = order.timeout.inWholeNanoseconds
    val response = nanoHistogram()
    var late = timeout
    raw.forEach { micros, count ->
        if (micros * NANOS_PER_MICRO > limit) late += count else response.record(micros * NANOS_PER_MICRO, count)
    }
    val unanswered = nanoHistogram().apply { if (late > 0) record(limit, late) }
    if (late > requests) throw EngineFailed("wrk answered $requests times, of which $late were too late.")
    val errors = errors(late)
    val answered = requests - listOf(ErrorCause.STATUS, ErrorCause.BODY, ErrorCause.TIMEOUT).sumOf { errors[it] ?: 0 }
    val found = found(engine, durationMicros / MICROS_PER_SECOND, answered, errors, context.generator(cpuSeconds), printed(call))
    return LoadMeasured(found, LatencyHistograms(response, response, unanswered))
}

/** Nobody listened when it started, as the one connection showed that it opens to try. */
internal fun refused(engine: String, seconds: Double, cause: ErrorCause, context: EngineContext) = LoadMeasured(
    found(engine, seconds, 0, mapOf(cause to 1), context.generator(0.0)),
    LatencyHistograms(nanoHistogram(), nanoHistogram(), nanoHistogram()),
)

private fun found(
    engine: String,
    seconds: Double,
    answered: Long,
    errors: Map<ErrorCause, Long>,
    generator: GeneratorFound,
    printed: Map<String, Double> = emptyMap(),
) = LoadFound(
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
)

private fun WrkSummary.raw(connections: Int): Samples = try {
    uncorrected(samples, expectedMicros(durationMicros, requests, connections))
} catch (contradiction: IllegalArgumentException) {
    throw EngineFailed("wrk corrected its latencies in another way than expected: ${contradiction.message}")
}

/**
 * Disjoint classes. An answer that is both late and wrong is in two of wrk's counters; it is late here, and as many fewer are
 * wrong as the sum would otherwise exceed the answers.
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
