package bootdyno.analyse

import bootdyno.model.LatencyFacts
import bootdyno.model.Measure
import bootdyno.model.OperationFound
import bootdyno.stats.CensoredValue
import bootdyno.stats.meanOf
import bootdyno.stats.survivalOf

private val POINTS = mapOf(
    Measure.MEAN to LatencyPoint.MEAN,
    Measure.P50 to LatencyPoint.P50,
    Measure.P90 to LatencyPoint.P90,
    Measure.P99 to LatencyPoint.P99,
    Measure.P999 to LatencyPoint.P999,
)

/** One kind of request of one trial. */
internal class MeasuredOperation(val found: OperationFound, windowSeconds: Double, latencies: LatencyFacts?) {
    val name: String get() = found.name
    val throughput: Double = found.answered / windowSeconds
    private val errors = found.errors.values.sum()
    private val sent = found.answered + errors + found.inFlight

    val latency: Map<LatencyPoint, CensoredValue> by lazy {
        val answered = latencies?.operations?.get(name)?.let(::counted).orEmpty()
        val unanswered = latencies?.unansweredOperations?.get(name)?.let(::counted).orEmpty()
        val times = survivalOf(answered, unanswered)
        if (times == null) emptyMap() else LatencyPoint.entries.associateWith { times.at(it) }
    }

    /** Null where it was not measured, or is nothing that could be said of one operation. */
    fun sample(measure: Measure): CensoredValue? = when (measure) {
        Measure.THROUGHPUT -> CensoredValue(throughput, false)
        Measure.ERRORS -> if (sent > 0) CensoredValue(errors.toDouble() / sent, false) else null
        else -> POINTS[measure]?.let { latency[it] }
    }

    fun figures() = OperationFigures(name, throughput, latency.mapValues { (_, it) -> ofTrial(it) })
}

internal fun operationsOf(counted: List<MeasuredTrial>): List<OperationAnalysis> =
    counted.flatMap { it.operations }.groupBy { it.name }.map { (name, trials) ->
        OperationAnalysis(
            name = name,
            throughput = meanOf(trials.map { it.throughput }),
            latency = LatencyPoint.entries.mapNotNull { point ->
                latencyEstimate(trials.mapNotNull { it.latency[point] })?.let { point to it }
            }.toMap(),
            answered = trials.sumOf { it.found.answered },
            inFlight = trials.sumOf { it.found.inFlight },
            errors = trials.flatMap {
                it.found.errors.entries
            }.groupBy({ it.key }, { it.value }).mapValues { (_, counts) -> counts.sum() },
        )
    }
