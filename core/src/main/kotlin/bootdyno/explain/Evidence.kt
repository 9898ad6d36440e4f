package bootdyno.explain

import bootdyno.analyse.Analysis
import bootdyno.analyse.CellAnalysis
import bootdyno.analyse.LatencyPoint
import bootdyno.analyse.Resource
import bootdyno.model.LoadProfile
import bootdyno.model.TrialFacts
import org.HdrHistogram.Histogram

/** What the trials of one cell show, as far as naming a bottleneck needs it. */
internal data class Evidence(
    val setup: Setup,
    /** Answered well a second. */
    val throughput: Double,
    /** CPUs used on average. */
    val cpuUsed: Double?,
    /** Requests in the system on average. */
    val inFlight: Double?,
)

/** Null when nothing was measured. */
internal fun evidence(analysis: Analysis, cell: CellAnalysis): Evidence? {
    val throughput = cell.throughput?.value ?: return null
    val trials = analysis.run.trials.filter { it.record.trial.cell == cell.cell.id }
    val seen = Seen(
        aloneSeconds = cell.latency[LatencyPoint.MIN]?.estimate?.value?.let { it / 1e3 },
        cpuSecondsPerRequest = cell.resources[Resource.CPU_PER_REQUEST]?.value,
        cpus = cpus(analysis, trials),
    )
    val meanSeconds = cell.latency[LatencyPoint.MEAN]?.estimate?.value?.let { it / 1e3 }
    return Evidence(
        setup = Setup(cell.cell, seen),
        throughput = throughput,
        cpuUsed = cell.resources[Resource.CPU]?.value,
        inFlight = inFlight(trials) ?: meanSeconds?.let { throughput * it },
    )
}

/** CPUs the subject might use: its limit as read back, all of the machine's where none was applied. */
private fun cpus(analysis: Analysis, trials: List<TrialFacts>): Double? =
    trials.firstNotNullOfOrNull { it.record.limits }?.let { it.cpus ?: analysis.run.environment.cpus.toDouble() }

/**
 * Little's law over a window that began and was counted from empty: the time all requests spent in the system, answered and unanswered,
 * divided by the window. This is X·R with no answer left out; the mean of the answered alone is far too low where a window ends before
 * most are answered (7.7/s behind 400 connections). Null when no trial has its latencies.
 */
private fun inFlight(trials: List<TrialFacts>): Double? {
    val windows = trials.mapNotNull { facts ->
        val latencies = facts.latencies
        val window = facts.record.load?.windowSeconds
        if (latencies == null || window == null) null else Spent(total(latencies.response) + total(latencies.unanswered), window)
    }
    val seconds = windows.sumOf { it.window }
    return if (seconds > 0) windows.sumOf { it.requests } / seconds else null
}

private data class Spent(val requests: Double, val window: Double)

/** The sum of a histogram of nanoseconds, in seconds. */
private fun total(histogram: Histogram): Double = histogram.recordedValues().sumOf {
    it.valueIteratedTo / 1e9 *
        it.countAtValueIteratedTo
}

/** The number of requests the load keeps in the system; null where the load does not fix it. */
internal val Evidence.connections: Double?
    get() = when (val load = setup.cell.profile.load) {
        is LoadProfile.Closed -> load.connections.toDouble()
        is LoadProfile.Open, is LoadProfile.Burst -> null
    }
