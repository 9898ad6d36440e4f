package bootdyno.explain

import bootdyno.analyse.Analysis
import bootdyno.analyse.CellAnalysis
import bootdyno.analyse.cpusOf
import bootdyno.model.ErrorCause
import bootdyno.model.LoadFound
import bootdyno.model.LoadProfile
import bootdyno.model.Measure
import bootdyno.model.Stage
import bootdyno.model.TrialFacts
import bootdyno.model.TrialRecord
import bootdyno.stats.Estimate

/** What the trials of one cell show, as far as naming a bottleneck needs it. */
internal data class Evidence(
    val setup: Setup,
    /** Answered well a second. */
    val throughput: Double,
    /** CPUs used on average. */
    val cpuUsed: Double?,
    /** Requests in the system on average; null when no response time was read. */
    val inFlight: ClosedFloatingPointRange<Double>?,
    /** Whether every trial was certified warm, so that what a request cost is what it costs. */
    val warm: Boolean,
    /** What else was read of its CPU time. */
    val resources: Map<Measure, Estimate>,
    /** The queue of connections not taken yet, where it overflowed. */
    val queue: AcceptQueue? = null,
    /** Requests a second whose clients gave up; the subject may have worked on them all the same. */
    val timedOut: Double = 0.0,
)

/** Null when nothing was measured. */
internal fun evidence(analysis: Analysis, cell: CellAnalysis): Evidence? {
    val throughput = cell.throughput?.value ?: return null
    val trials = analysis.run.trials.filter { it.record.trial.cell == cell.cell.id }
    val seen = Seen(
        aloneSeconds = trials.mapNotNull { it.record.subject?.aloneSeconds }.minOrNull()
            ?: cell.latency[Measure.MIN]?.estimate?.value?.let { it / 1e3 },
        threadFamilies = trials.mapNotNull { it.record.subject?.threadFamilies }.flatMap { it.entries }
            .groupBy({ it.key }, { it.value }).mapValues { (_, counts) -> counts.max() }.ifEmpty { null },
        cpuSecondsPerRequest = cell.resources[Measure.CPU_PER_REQUEST]?.value,
        cpus = cpus(analysis, trials),
        database = databaseCpu(trials, cell.resources[Measure.SERVICES_PER_REQUEST]?.value),
    )
    val meanSeconds = cell.latency[Measure.MEAN]?.estimate?.value?.let { it / 1e3 }
    val setup = Setup(cell.cell, seen)
    return Evidence(
        setup = setup,
        throughput = throughput,
        cpuUsed = cell.resources[Measure.CPU]?.value,
        inFlight = inFlight(trials) ?: meanSeconds?.let { throughput * it..throughput * it },
        warm = trials.isNotEmpty() && trials.all { it.record.warmUp?.certified == true },
        resources = cell.resources,
        queue = acceptQueue(setup, cell, analysis.run.environment.somaxconn),
        timedOut = timedOut(trials.mapNotNull { it.record.load }),
    )
}

private fun timedOut(loads: List<LoadFound>): Double {
    val seconds = loads.sumOf { it.windowSeconds }
    return if (seconds > 0) loads.sumOf { it.errors[ErrorCause.TIMEOUT] ?: 0L } / seconds else 0.0
}

/** CPUs the subject might use: its limit as read back, all of the machine's where none was applied. */
private fun cpus(analysis: Analysis, trials: List<TrialFacts>): Double? =
    trials.firstNotNullOfOrNull { it.record.limits }?.let { it.cpus ?: analysis.run.environment.cpus.toDouble() }

private fun databaseCpu(trials: List<TrialFacts>, perRequest: Double?): DatabaseCpu? {
    val records = trials.map { it.record }.filter { it.database?.cpuList != null }
    val record = records.firstOrNull()?.takeIf { perRequest != null } ?: return null
    val cpus = cpusOf(record.database?.cpuList)
    if ((cpus intersect cpusOf(record.limits?.cpuList)).isNotEmpty()) return null
    val shared = (cpus intersect cpusOf(record.limits?.engineCpuList)).isNotEmpty()
    val generator = if (shared) generatorPerRequest(records.mapNotNull { it.load }) else 0.0
    return DatabaseCpu(cpus.size.toDouble(), (perRequest ?: 0.0) + generator, shared)
}

private fun generatorPerRequest(loads: List<LoadFound>): Double {
    val answered = loads.sumOf { it.answered }
    return if (answered == 0L) 0.0 else loads.sumOf { it.generator.cpuSeconds } / answered
}

/**
 * Little's law over a window: the time all requests spent in the system, answered and unanswered, divided by the time they had. This is
 * X·R with no answer left out; the mean of the answered alone is far too low where a window ends before most are answered (7.7/s
 * behind 400 connections). Requests may have begun while the load settled before the window, so the time they had lies between the
 * window and both together, and the answer between two bounds. Null when no trial has its latencies.
 */
private fun inFlight(trials: List<TrialFacts>): ClosedFloatingPointRange<Double>? {
    val windows = trials.mapNotNull { facts ->
        val latencies = facts.latencies
        val window = facts.record.load?.windowSeconds
        if (latencies == null || window == null) return@mapNotNull null
        Spent((latencies.response.sum + latencies.unanswered.sum) / 1e9, window, settling(facts.record))
    }
    val seconds = windows.sumOf { it.window }
    if (seconds <= 0) return null
    val requests = windows.sumOf { it.requests }
    return requests / (seconds + windows.sumOf { it.settling })..requests / seconds
}

private data class Spent(val requests: Double, val window: Double, val settling: Double)

/** Seconds from the end of the stage before to the window's opening: load ran, nothing counted. */
private fun settling(record: TrialRecord): Double {
    val window = record.phases.find { it.stage == Stage.WINDOW } ?: return 0.0
    val before = record.phases.filter { it.to <= window.from }.maxOfOrNull { it.to } ?: return 0.0
    return window.from - before
}

/** The number of requests the load keeps in the system; null where the load does not fix it. */
internal val Evidence.connections: Double?
    get() = when (val load = setup.cell.profile.loadInWindow) {
        is LoadProfile.Closed -> load.connections.toDouble()
        is LoadProfile.Open, is LoadProfile.Burst, null -> null
    }
