package bootdyno.analyse

import bootdyno.model.Ending
import bootdyno.model.LatencyFacts
import bootdyno.model.Measure
import bootdyno.model.Objective
import bootdyno.model.OpenPointFound
import bootdyno.model.Plan
import bootdyno.model.ResponseTime
import bootdyno.model.Series
import bootdyno.model.Trial
import bootdyno.model.TrialFacts
import bootdyno.model.TrialRecord
import bootdyno.model.WindowReadings
import bootdyno.stats.CensoredValue
import kotlin.math.max
import kotlin.math.min
import kotlin.math.sqrt

/** A rate of a capacity search, over the [trials] that tried it; [met]: in how many of them the objective was met. */
data class CapacityStep(
    /** Offered requests per second. */
    val offered: Double,
    val met: Int,
    val trials: Int,
    /** Trials in which the load generator could not offer the rate: they say nothing about the subject. */
    val notOffered: Int,
    /** Response time from the intended send time, ms. */
    val latency: Map<Measure, LatencyEstimate>,
)

/**
 * Whether the open load of [point] in [trial] met the objective of [plan]. The load generator could not offer the rate: null. The same rule
 * chooses the rates of a search and judges it in reports.
 */
fun meetsObjective(plan: Plan, trial: Trial, point: OpenPointFound, latencies: LatencyFacts): Boolean? {
    val objective = plan.experiment.capacity ?: return null
    val record = TrialRecord(trial = trial, ending = Ending.Measured, startedAt = "", load = point.load)
    val facts = TrialFacts(record, null, Series(emptyList()))
    val measured = MeasuredTrial(facts, plan.cell(trial.cell), point.load, window = null, matters = 0.0)
    return SearchedLoad(measured.openLoad(point, latencies), point.perSecond, objective).met
}

/** Open load of a capacity search. */
internal class SearchedLoad(val load: MeasuredTrial, val perSecond: Double, private val objective: Objective) {
    /** A rate whose requests were sent late, and answered in time, was met. One without any answer says nothing of the rate. */
    val met: Boolean? by lazy {
        when {
            load.load.answered == 0L || unsentChecks.any { it.of(load) != null } -> null
            saturation.of(listOf(load)) == null && objective.limits.all { load.isBelow(it.measure, it.below) } -> true
            else -> false.takeIf { load.valid }
        }
    }
}

/** A failed request is infinitely slow. A lower bound proves nothing. */
private fun MeasuredTrial.isBelow(measure: Measure, limit: Double): Boolean {
    val time = measure.source as? ResponseTime
    val figure = if (time == null) sample(measure) else facts.latencies?.let { responseTimes(it, load) }?.at(time)
    return figure != null && !figure.censored && figure.value < limit
}

/**
 * The capacity of a trial: the geometric mean of the highest rate that met the objective and the next one, which did not. At most what was answered
 * at either: for some seconds, open load can exceed what a subject serves before response times show it. A lower bound if every rate met it, or the
 * load generator could not offer the next rate twice. Null if none met it.
 */
internal fun capacityOf(loads: List<SearchedLoad>): CensoredValue? {
    val missed = lowestMissed(loads)
    val met = lastAttempts(loads).filter { it.met == true && (missed == null || it.perSecond < missed.perSecond) }
        .maxByOrNull { it.perSecond } ?: return null
    if (missed == null || missed.met == null) return CensoredValue(met.perSecond, censored = true)
    val between = sqrt(met.perSecond * missed.perSecond)
    return CensoredValue(min(between, max(met.load.throughput, missed.load.throughput)), censored = false)
}

/** The rate that bounds the capacity: the lowest one that did not meet the objective. Null if all did. */
internal fun lowestMissed(loads: List<SearchedLoad>): SearchedLoad? =
    lastAttempts(loads).filter { it.met != true }.minByOrNull { it.perSecond }

private fun lastAttempts(loads: List<SearchedLoad>) = loads.groupBy { it.perSecond }.values.map { it.last() }

/** The rates that the searches of [trials] tried, ascending. */
internal fun capacityStepsOf(trials: List<MeasuredTrial>): List<CapacityStep> =
    trials.flatMap { it.searched }.groupBy { it.perSecond }.toSortedMap().map { (perSecond, loads) ->
        CapacityStep(
            offered = perSecond,
            met = loads.count { it.met == true },
            trials = loads.size,
            notOffered = loads.count { it.met == null && it.load.load.answered > 0 },
            latency = latencyEstimates(loads.map { it.load }) { it.latency },
        )
    }

/** The searched loads of [trial]; empty without an [objective]. */
internal fun searchedLoadsOf(trial: MeasuredTrial, objective: Objective?): List<SearchedLoad> {
    if (objective == null) return emptyList()
    val facts = trial.facts
    return facts.record.openPoints.indices.zip(facts.openLatencies).mapNotNull { (index, latencies) ->
        val point = facts.record.openPoints[index].takeIf { it.searched } ?: return@mapNotNull null
        val window = facts.record.openPhases.getOrNull(index)
            ?.let { WindowReadings(facts.series, it.from, it.to - point.load.drainSeconds) }
        SearchedLoad(trial.openLoad(point, latencies, window), point.perSecond, objective)
    }
}
