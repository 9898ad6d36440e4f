package bootdyno.analyse

import bootdyno.model.LatencyFacts
import bootdyno.model.Measure
import bootdyno.model.OperationFound
import bootdyno.model.Requests
import bootdyno.model.Resource
import bootdyno.model.ResponseTime
import bootdyno.stats.CensoredValue
import bootdyno.stats.survivalOf

/** One kind of request of one trial. */
internal class MeasuredOperation(val found: OperationFound, private val windowSeconds: Double, latencies: LatencyFacts?) {
    val name: String get() = found.name
    val throughput: Double = found.answered / windowSeconds
    val latency: Map<Measure, CensoredValue> by lazy {
        val answered = latencies?.operations?.get(name)?.let(::counted).orEmpty()
        val unanswered = latencies?.unansweredOperations?.get(name)?.let(::counted).orEmpty()
        latenciesOf(survivalOf(answered, unanswered))
    }

    /** Null where it was not measured, or is nothing that could be said of one operation. */
    fun sample(measure: Measure): CensoredValue? = when (val source = measure.source) {
        is Requests -> source.value(found, windowSeconds)?.let(::uncensored)
        is ResponseTime -> latency[measure]
        is Resource -> null
    }

    fun figures() = OperationFigures(name, throughput, latency.mapValues { (_, it) -> ofTrial(it) })
}

internal fun operationsOf(counted: List<MeasuredTrial>): List<OperationAnalysis> =
    counted.flatMap { it.operations }.groupBy { it.name }.map { (name, trials) ->
        OperationAnalysis(
            name = name,
            throughput = Measure.THROUGHPUT.mean(trials.map { it.throughput }),
            latency = latencyEstimates(trials.map { it.latency }),
            answered = trials.sumOf { it.found.answered },
            inFlight = trials.sumOf { it.found.inFlight },
            errors = errorsOf(trials.map { it.found }),
        )
    }
