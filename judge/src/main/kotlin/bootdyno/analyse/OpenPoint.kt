package bootdyno.analyse

import bootdyno.model.Arrivals
import bootdyno.model.LatencyFacts
import bootdyno.model.LoadProfile
import bootdyno.model.Measure
import bootdyno.model.OpenPointFound
import bootdyno.model.OpenRate
import bootdyno.model.TrialFacts
import bootdyno.model.WindowReadings
import bootdyno.model.perSecond
import bootdyno.stats.Estimate
import kotlin.math.sqrt

/** Latency under open load after the windows. */
data class OpenPoint(
    /** Of the lowest capacity of the cells that do the same work; null for a rate of the experiment. */
    val share: Double?,
    /** Offered requests per second. */
    val offered: Estimate?,
    /** Successful responses per second. */
    val answered: Estimate?,
    /** Response time from the intended send time, ms. */
    val latency: Map<Measure, LatencyEstimate>,
    val threats: List<Threat>,
)

/** The rate of a comparison under open load: [perSecond] requests, [share] of the lowest capacity, null for a rate of the experiment. */
data class ComparedRate(val share: Double?, val perSecond: Double)

internal fun openPointsOf(trials: List<MeasuredTrial>): List<OpenPoint> =
    trials.flatMap { it.openLoads.entries }.groupBy({ it.key }, { it.value }).map { (rate, atRate) ->
        val counted = atRate.filter { it.valid }
        OpenPoint(
            share = (rate as? OpenRate.Share)?.share,
            offered = counted.mean { it.offered },
            answered = counted.mean { it.throughput },
            latency = latencyEstimates(counted) { it.latency },
            threats = listOfNotNull(saturation.of(counted)) + threatsOfTrials(atRate),
        )
    }.sortedWith(compareBy({ it.share == null }, { it.share }, { it.offered?.value }))

private const val MOST_UNSERVED = 0.01

/**
 * The subject cannot serve the rate of these trials: fewer answers than requests, by more than 1 % and by more than chance. By chance the
 * numbers in flight at both ends of a window differ with a variance of twice their mean.
 */
internal val saturation: Check<List<MeasuredTrial>> = Check(Threat.Kind.SATURATED, "Use a lower rate.") {
    val due = sumOf { it.load.due ?: 0 }
    val answered = sumOf { it.load.answered }
    val seconds = sumOf { it.load.windowSeconds }
    val bearable = MOST_UNSERVED * due + MOST_DEVIATIONS * sqrt(2.0 * sumOf { it.load.inFlight })
    val sentence = "The application answered ${perSecond(answered / seconds)} of ${perSecond(due / seconds)}. " +
        "It cannot serve this rate: its response times grow for as long as the load lasts, and get no verdict."
    sentence.takeIf { due - answered > bearable }
}

/** Each configured open load after the window as a trial of its own, so that the same checks apply. */
internal fun openLoadsOf(trial: MeasuredTrial): Map<OpenRate, MeasuredTrial> =
    trial.facts.record.openPoints.zip(trial.facts.openLatencies).filterNot { (point, _) -> point.searched }
        .associate { (point, latencies) -> point.rate to trial.openLoad(point, latencies) }

/** The open load of [point] as a trial of its own. */
internal fun MeasuredTrial.openLoad(
    point: OpenPointFound,
    latencies: LatencyFacts,
    window: WindowReadings? = null,
): MeasuredTrial {
    val profile = cell.profile.copy(load = LoadProfile.Open(point.perSecond, Arrivals.POISSON))
    val own = TrialFacts(facts.record.copy(load = point.load), latencies, facts.series)
    return MeasuredTrial(own, cell.copy(profile = profile), point.load, window, matters, machine = machine, looks = looks)
}

/** In runs of older versions a share is of each trial's own capacity. */
private val OpenPointFound.rate: OpenRate get() = share?.let(OpenRate::Share) ?: OpenRate.PerSecond(perSecond)
