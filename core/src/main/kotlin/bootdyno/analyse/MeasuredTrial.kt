package bootdyno.analyse

import bootdyno.model.Cell
import bootdyno.model.ErrorCause
import bootdyno.model.LoadFound
import bootdyno.model.Measure
import bootdyno.model.TrialFacts
import bootdyno.stats.CensoredValue
import bootdyno.stats.Estimate

/** A trial that came to its end, with what its readings say. Only [valid] ones are counted. */
internal class MeasuredTrial(val facts: TrialFacts, val cell: Cell, val load: LoadFound, val window: WindowReadings?) {
    val number get() = facts.record.trial.number
    val round get() = facts.record.trial.round
    val again get() = facts.record.trial.again

    /** Answered well a second, over the window as measured. */
    val throughput: Double = load.answered / load.windowSeconds
    val errors: Long = load.errors.values.sum()

    /** Every request is in exactly one of the three. */
    val sent: Long = load.answered + errors + load.inFlight

    val latency: Map<LatencyPoint, CensoredValue> by lazy {
        val times = facts.latencies?.let { responseTimes(listOf(it)) }
        if (times == null) emptyMap() else LatencyPoint.entries.associateWith { times.at(it) }
    }
    val connect: Map<LatencyPoint, CensoredValue> by lazy {
        val times = facts.latencies?.let { connectTimes(listOf(it)) }
        if (times == null) emptyMap() else LatencyPoint.entries.associateWith { times.at(it) }
    }

    /** Where there are several kinds of request. */
    val operations: List<MeasuredOperation> = load.operations.map { MeasuredOperation(it, load.windowSeconds, facts.latencies) }
    val resources: Map<Resource, Double> by lazy { resourcesOf(this) }
    val valid: Boolean by lazy { generatorChecks.all { it(this) == null } }
    val threats: List<Threat> by lazy { (generatorChecks + trialChecks).mapNotNull { it(this) }.distinctBy { it.kind } }

    /** Of [operation] only, where it is not null. Null where it was not measured. */
    fun sample(measure: Measure, operation: String?): CensoredValue? =
        if (operation == null) sample(measure) else operations.find { it.name == operation }?.sample(measure)

    private fun sample(measure: Measure): CensoredValue? = when (measure) {
        Measure.THROUGHPUT -> exact(throughput)
        Measure.MEAN -> latency[LatencyPoint.MEAN]
        Measure.MIN -> latency[LatencyPoint.MIN]
        Measure.P50 -> latency[LatencyPoint.P50]
        Measure.P90 -> latency[LatencyPoint.P90]
        Measure.P99 -> latency[LatencyPoint.P99]
        Measure.P999 -> latency[LatencyPoint.P999]
        Measure.MAX -> latency[LatencyPoint.MAX]
        Measure.REQUESTS -> exact((load.answered + errors).toDouble())
        Measure.ERRORS -> if (sent > 0) exact(errors.toDouble() / sent) else null
        Measure.RSS -> exact(resources[Resource.RSS])
        Measure.STARTUP -> exact(resources[Resource.STARTUP])
        Measure.THREADS -> exact(resources[Resource.THREADS])
        Measure.CPU_PER_REQUEST -> exact(resources[Resource.CPU_PER_REQUEST])
        Measure.ANSWERED -> exact(load.answered.toDouble())
        Measure.HEAP -> exact(resources[Resource.HEAP])
        Measure.LIVE_THREADS -> exact(resources[Resource.LIVE_THREADS])
        Measure.REFUSED -> if (errors > 0) exact((load.errors[ErrorCause.REFUSED] ?: 0L).toDouble() / errors) else null
        Measure.BUILD_TIME -> exact(facts.record.prepared?.seconds)
        Measure.SIZE -> exact(facts.record.prepared?.shipped?.count?.toDouble())
    }

    fun figures() = TrialFigures(
        number = number,
        round = round,
        again = again,
        throughput = throughput,
        latency = latency.mapValues { (_, it) -> ofTrial(it) },
        resources = resources,
        threats = threats,
        valid = valid,
        operations = operations.map { it.figures() },
    )

    private fun exact(value: Double?) = value?.let { CensoredValue(it, false) }
}

internal fun ofTrial(value: CensoredValue) = LatencyEstimate(Estimate(value.value, null, 1), value.censored)
