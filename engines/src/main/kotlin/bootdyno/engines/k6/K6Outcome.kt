package bootdyno.engines.k6

import bootdyno.engine.LoadMeasured
import bootdyno.engine.LoadOrder
import bootdyno.engine.SampleProgress
import bootdyno.model.ErrorCause
import bootdyno.model.GeneratorFound
import bootdyno.model.jsonOf
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.longOrNull
import java.nio.file.Files
import java.nio.file.Path

/** The figures of a finished run of k6 by the samples in [results]. */
internal class K6Outcome(private val order: LoadOrder, private val own: Boolean, private val results: Path) {
    /** [progress] has the span of all requests of the load. That began at [startedAt], ms since 1970, or with the first of them. */
    fun counted(progress: SampleProgress, startedAt: Long?): K6Count {
        val began = (startedAt ?: progress.first) * MICROS_PER_MILLI
        val from = if (own) began + order.settle.inWholeMicroseconds else began
        val to = if (own) from + order.window.inWholeMicroseconds else (progress.last + 1) * MICROS_PER_MILLI
        val count = K6Count(from, to, order, own)
        Files.newInputStream(results).use { K6Results(order.base, count::add, count::add).readOn(it) }
        return count
    }

    /** [complaints]: what k6 reports beside its samples, see [bootdyno.model.LoadFound.complaints]. */
    fun measured(count: K6Count, engine: String, generator: GeneratorFound, complaints: Map<String, Long>): LoadMeasured {
        val measured = count.toMeasured(
            engine = engine,
            windowSeconds = (count.to - count.from) / 1e6,
            generator = generator,
            due = count.due.takeIf { own && order.load.isOpen },
            leftAfter = count.left,
            drainSeconds = count.drained / 1e6,
            printed = count.printed(),
            complaints = count.complaints() + complaints,
        )
        if (count.wrongBodies == 0L) return measured
        val found = measured.found
        val wrong = minOf(count.wrongBodies, found.answered)
        return measured.copy(
            found = found.copy(answered = found.answered - wrong, errors = found.errors + (ErrorCause.BODY to wrong)),
        )
    }
}

/** Adds [request], whose times are µs, if it is of the load. */
internal fun SampleProgress.add(request: K6Request) {
    if (request.isOfLoad) add(request.start / MICROS_PER_MILLI, request.end / MICROS_PER_MILLI, request.failure == null)
}

internal const val MICROS_PER_MILLI = 1_000L

/** The metric by which our own script says when its load began. */
internal const val STARTED = "dyno_started"

/** The requests of the whole run by k6's exported [summary]; null without one. */
internal fun requestsIn(summary: Path): Long? {
    val text = if (Files.exists(summary)) Files.readString(summary) else return null
    val metrics = (jsonOf(text) as? JsonObject)?.get("metrics") as? JsonObject
    return ((metrics?.get("http_reqs") as? JsonObject)?.get("count") as? JsonPrimitive)?.longOrNull
}
