package bootdyno.analyse

import bootdyno.model.Arrivals
import bootdyno.model.LoadProfile
import bootdyno.model.Measure
import bootdyno.model.TrialFacts
import bootdyno.stats.Estimate
import bootdyno.stats.meanOf
import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable

/** Latency under open load at a share of the capacity. */
@Serializable
data class OpenPoint(
    val share: Rounded,
    /** Offered requests per second. */
    val offered: PerSecond?,
    /** Successful responses per second. */
    @SerialName("throughput") val answered: PerSecond?,
    /** Response time from the intended send time, ms. */
    val latency: Map<Measure, LatencyEstimate>,
    val threats: List<Threat>,
)

internal fun openPointsOf(trials: List<MeasuredTrial>): List<OpenPoint> =
    trials.flatMap { openTrials(it) }.groupBy({ it.share }, { it.trial }).toSortedMap().map { (share, atShare) ->
        val counted = atShare.filter { it.valid }
        OpenPoint(
            share = share,
            offered = meanOf(counted.mapNotNull { (it.cell.profile.load as? LoadProfile.Open)?.perSecond }),
            answered = meanOf(counted.map { it.throughput }),
            latency = latencyEstimates(counted.map { it.latency }),
            threats = threatsOfTrials(atShare),
        )
    }

private class OpenTrial(val share: Double, val trial: MeasuredTrial)

/** Each point as a separate trial, so that the same checks apply. */
private fun openTrials(trial: MeasuredTrial): List<OpenTrial> =
    trial.facts.record.openPoints.zip(trial.facts.openLatencies).map { (point, latencies) ->
        val profile = trial.cell.profile.copy(load = LoadProfile.Open(point.perSecond, Arrivals.POISSON))
        val facts = TrialFacts(trial.facts.record.copy(load = point.load), latencies, trial.facts.series)
        OpenTrial(point.share, MeasuredTrial(facts, trial.cell.copy(profile = profile), point.load, window = null, trial.matters))
    }
