package bootdyno.analyse

import bootdyno.model.Cell
import bootdyno.model.LatencyFacts
import bootdyno.model.LoadFound
import bootdyno.model.LoadProfile
import bootdyno.model.Measure
import bootdyno.model.Objective
import bootdyno.model.OpenRate
import bootdyno.model.OperationFound
import bootdyno.model.Requests
import bootdyno.model.ResourceUse
import bootdyno.model.ResponseTime
import bootdyno.model.SearchedRate
import bootdyno.model.TimeUntilAnswered
import bootdyno.model.TrialFacts
import bootdyno.model.TrialReadings
import bootdyno.model.WindowReadings
import bootdyno.model.associateWithNotNull
import bootdyno.stats.CensoredValue
import bootdyno.stats.Looks
import bootdyno.stats.ONE_LOOK

/** The machine that measured a trial: its [index] among those of the run, and its CPU model, null if unknown. */
internal data class MachineOfTrial(val index: Int = 0, val cpu: String? = null)

/**
 * A completed trial with its values. Only [valid] trials are counted. [matters]: the change of throughput that matters, 0.03 for 3 %. [looks]: after
 * how many rounds its run may end.
 */
internal class MeasuredTrial(
    val facts: TrialFacts,
    val cell: Cell,
    val load: LoadFound,
    val window: WindowReadings?,
    val matters: Double,
    objective: Objective? = null,
    val machine: MachineOfTrial = MachineOfTrial(),
    val looks: Looks = ONE_LOOK,
) {
    val number get() = facts.record.trial.number
    val round get() = facts.record.trial.round
    val again get() = facts.record.trial.again
    val throughput: Double = load.perSecond

    val latency: Map<Measure, CensoredValue> by lazy { latenciesOf(facts.latencies?.let { responseTimes(listOf(it)) }) }
    val connect: Map<Measure, CensoredValue> by lazy { latenciesOf(facts.latencies?.let { connectTimes(listOf(it)) }) }

    val burst: Map<Measure, CensoredValue> by lazy { burstTimes(cell, facts, window) }

    /** Values that were read; others are absent. */
    val resources: Map<Measure, Double> by lazy { Measure.resources.associateWithNotNull { sample(it)?.value } }

    /** Its open loads after the window. */
    val openLoads: Map<OpenRate, MeasuredTrial> by lazy { openLoadsOf(this) }

    /** The open loads of its capacity search; empty without one. */
    val searched: List<SearchedLoad> by lazy { searchedLoadsOf(this, objective) }

    /** Offered requests per second of open load; null for other loads. */
    val offered: Double? get() = (cell.profile.loadInWindow as? LoadProfile.Open)?.perSecond

    /** Empty for a single kind of request. */
    val operations: List<MeasuredOperation> = load.operations.map { MeasuredOperation(it, load.windowSeconds, facts.latencies) }
    val valid: Boolean by lazy { generatorChecks.all { it.of(this) == null } }
    val threats: List<Threat> by lazy {
        val ofSearch = lowestMissed(searched)?.load?.disturbances.orEmpty()
        ((generatorChecks + lagCheck + waitCheck + trialChecks).mapNotNull { it.of(this) } + ofSearch).distinctBy { it.kind }
    }

    /** The value of [measure], of all requests or of one [operation]. Null if not measured. */
    fun sample(measure: Measure, operation: String? = null): CensoredValue? {
        if (operation != null) return operations.find { it.name == operation }?.sample(measure)
        return when (val source = measure.source) {
            is Requests -> source.value(load, load.windowSeconds)?.let(::uncensored)
            is ResponseTime -> latency[measure]
            is TimeUntilAnswered -> burst[measure]
            is SearchedRate -> capacityOf(searched) ?: NO_RATE.takeIf { noRateMet }
            is ResourceUse -> source.value(TrialReadings(facts.record, window))?.let(::uncensored)
        }
    }

    private val noRateMet get() = facts.record.searchCutOff == null && searched.any { it.met == false }

    fun figures() = TrialFigures(
        number = number,
        round = round,
        again = again,
        throughput = throughput,
        latency = latency,
        burst = burst,
        resources = resources,
        threats = threats,
        valid = valid,
        operations = operations.map { it.figures() },
    )
}

/** The capacity of a trial in which no rate met the objective. */
private val NO_RATE = uncensored(0.0)

internal fun uncensored(value: Double) = CensoredValue(value, false)

/** One kind of request of one trial. */
internal class MeasuredOperation(val found: OperationFound, private val windowSeconds: Double, latencies: LatencyFacts?) {
    val name: String get() = found.name
    val throughput: Double = found.answered / windowSeconds
    val latency: Map<Measure, CensoredValue> by lazy { latenciesOf(latencies?.let { responseTimes(it, name) }) }

    /** Null if not measured, or if the measure is not available for one operation. */
    fun sample(measure: Measure): CensoredValue? = when (val source = measure.source) {
        is Requests -> source.value(found, windowSeconds)?.let(::uncensored)
        is ResponseTime -> latency[measure]
        is TimeUntilAnswered, is SearchedRate, is ResourceUse -> null
    }

    fun figures() = OperationFigures(name, throughput, latency)
}

internal fun operationsOf(counted: List<MeasuredTrial>): List<OperationAnalysis> =
    counted.flatMap { it.operations }.groupBy { it.name }.map { (name, all) ->
        fun of(trial: MeasuredTrial) = trial.operations.find { it.name == name }
        OperationAnalysis(
            name = name,
            throughput = counted.mean { of(it)?.throughput },
            latency = latencyEstimates(counted) { of(it)?.latency.orEmpty() },
            answered = all.sumOf { it.found.answered },
            inFlight = all.sumOf { it.found.inFlight },
            errors = errorsOf(all.map { it.found }),
        )
    }
