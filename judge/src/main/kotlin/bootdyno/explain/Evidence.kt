package bootdyno.explain

import bootdyno.analyse.Analysis
import bootdyno.analyse.CellAnalysis
import bootdyno.analyse.MOST_TAKEN
import bootdyno.analyse.cpusOf
import bootdyno.analyse.cpusTaken
import bootdyno.model.DiagnosedTrials
import bootdyno.model.Diagnosis
import bootdyno.model.Ending
import bootdyno.model.ErrorCause
import bootdyno.model.LoadFound
import bootdyno.model.LoadProfile
import bootdyno.model.Matters
import bootdyno.model.Measure
import bootdyno.model.ServiceFound
import bootdyno.model.Stage
import bootdyno.model.TrialFacts
import bootdyno.model.TrialRecord
import bootdyno.model.percent
import bootdyno.model.rounded
import bootdyno.model.tellsUnloadedTime
import bootdyno.model.windowReadings
import bootdyno.stats.Estimate

/** The figures of one cell that identify its bottleneck. */
internal data class Evidence(
    val setup: Setup,
    /** Of its first trial with thread dumps; an empty one says why there is none. */
    val diagnosis: Diagnosis,
    /** Successful responses per second. */
    val throughput: Double,
    val cpuUsed: Double?,
    /** Requests in the system on average; null without response times. */
    val inFlight: ClosedFloatingPointRange<Double>?,
    /** Whether every counted trial was certified, and its window steady, so that CPU time per request is final. */
    val warm: Boolean,
    /** Further figures of its CPU time. */
    val resources: Map<Measure, Estimate>,
    /** The accept queue if it overflowed. */
    val queue: AcceptQueue? = null,
    /** Timed-out requests per second. The subject may still have worked on them. */
    val timedOut: Double = 0.0,
    /** Shortest response time in the window, s; null without response times. */
    val shortestSeconds: Double? = null,
    /** Response times of single requests that a cold JVM did not slow down, s. */
    val alone: List<Double> = emptyList(),
    /** The longest response time of any single request, s; null without any. */
    val longestAlone: Double? = null,
    /** Names of the services that the plan starts, by address: `127.0.0.1:5432`. */
    val services: Map<String, String> = emptyMap(),
    /** The smallest relative change of the throughput that matters, 0.03 for 3 %. */
    val matters: Double = Matters().share,
    /** Share of the machine's CPUs that other processes and other machines of the host used, 0 to 1. */
    val takenByOthers: Double = 0.0,
    /** The service to which each request made the most calls, at least twice as many as the plan says; null without one. */
    val repeatedCalls: RepeatedCalls? = null,
    /** Requests in threads on average, where dumps alone say how many there are; null where the load is known. */
    val requestsInThreads: Double? = null,
) {
    /** Number of clients: requests in the system, and clients that think; null if the load does not fix it. */
    val connections: Int? get() = (setup.cell.profile.loadInWindow as? LoadProfile.Closed)?.connections

    /** Clients that think, on average, by Little's law. */
    val thinking: Double get() = throughput * setup.thinkSeconds
}

/** Null without data. */
internal fun evidence(analysis: Analysis, cell: CellAnalysis): Evidence? {
    val throughput = cell.throughput?.value ?: return null
    val trials = analysis.run.trials.filter { it.record.trial.cell == cell.cell.id }
    // A trial that is invalid, failed or was not run lacks or adds what the throughput is not of.
    val numbers = cell.counted.map { it.number }
    val counted = trials.filter { it.record.trial.number in numbers && it.record.ending == Ending.Measured }
    val seen = Seen(
        aloneSeconds = trials.mapNotNull { it.record.subject?.aloneSeconds }.minOrNull(),
        threadFamilies = trials.flatMap { it.record.subject?.threadFamilies.orEmpty().keys }.toSet(),
        cpuSecondsPerRequest = cell.resources[Measure.CPU_PER_REQUEST]?.value,
        cpus = cpus(analysis, trials),
        database = databaseCpu(
            counted,
            cell.resources[Measure.SERVICES_PER_REQUEST]?.value,
            cell.resources[Measure.CPU_PER_REQUEST]?.value,
        ),
    )
    val meanSeconds = cell.latency[Measure.MEAN]?.estimate?.value?.let { it / 1e3 }
    val setup = Setup(cell.cell, seen)
    val cold = trials.flatMap { it.record.subject?.aloneRequests.orEmpty() }
    val diagnoses = trials.mapNotNull { it.diagnosis }
    val warm = diagnoses.flatMap { it.aloneRequests }
    return Evidence(
        setup = setup,
        diagnosis = diagnoses.find { it.dumps.isNotEmpty() } ?: diagnoses.firstOrNull() ?: undiagnosed(analysis),
        throughput = throughput,
        cpuUsed = cell.resources[Measure.CPU]?.value,
        inFlight = inFlight(counted) ?: meanSeconds?.let { throughput * it..throughput * it },
        warm = counted.isNotEmpty() && counted.all { it.record.warmUp?.certified == true } && cell.unsteady == null,
        resources = cell.resources,
        queue = acceptQueue(setup, cell, analysis.run.environment.somaxconn),
        timedOut = timedOut(counted.mapNotNull { it.record.load }),
        shortestSeconds = cell.latency[Measure.MIN]?.estimate?.value?.let { it / 1e3 },
        alone = warm.ifEmpty { cold.takeIf(::tellsUnloadedTime).orEmpty() },
        longestAlone = (warm + cold).maxOrNull(),
        services = trials.flatMap { it.record.services }.flatMap { service ->
            service.addresses.values.map { it.substringAfter("://") to service.name }
        }.toMap(),
        matters = analysis.run.plan.experiment.matters[Measure.THROUGHPUT],
        takenByOthers = takenByOthers(analysis, counted),
        repeatedCalls = repeatedCalls(counted.flatMap { it.record.services }, cell.cell.workload.calls),
    )
}

private fun undiagnosed(analysis: Analysis) = Diagnosis(
    from = 0.0,
    to = 0.0,
    missing = listOf("Threads were not observed: no trial of this cell has a diagnosis.")
        .filter { analysis.run.plan.experiment.repetition.diagnose != DiagnosedTrials.OFF },
)

/** [perRequest] calls of each request to [service], of which the plan knows [planned]. */
internal class RepeatedCalls(val service: String, val perRequest: Double, val planned: Int)

private fun repeatedCalls(services: List<ServiceFound>, planned: Int): RepeatedCalls? = services.mapNotNull { service ->
    val calls = service.window ?: return@mapNotNull null
    val requests = calls.sent?.takeIf { it > 0 } ?: return@mapNotNull null
    RepeatedCalls(service.name, (calls.after.received - calls.before.received) / requests.toDouble(), planned)
}.filter { it.perRequest >= 2 * maxOf(planned, 1) }.maxByOrNull { it.perRequest }

private fun takenByOthers(analysis: Analysis, trials: List<TrialFacts>): Double {
    val taken = trials.mapNotNull { trial -> trial.windowReadings()?.cpusTaken() }.ifEmpty { return 0.0 }.average()
    return (taken / analysis.run.environment.cpus).coerceIn(0.0, MOST_TAKEN)
}

private fun timedOut(loads: List<LoadFound>): Double {
    val seconds = loads.sumOf { it.windowSeconds }
    return if (seconds > 0) loads.sumOf { it.errors[ErrorCause.TIMEOUT] ?: 0L } / seconds else 0.0
}

/** CPUs that the subject may use: its limit as read back, or all CPUs of the machine without a limit. */
private fun cpus(analysis: Analysis, trials: List<TrialFacts>): Double? =
    trials.firstNotNullOfOrNull { it.record.limits }?.let { it.cpus ?: analysis.run.environment.cpus.toDouble() }

/** Where the application or the load generator shares CPUs with the database, theirs and their CPU time count as well. */
private fun databaseCpu(trials: List<TrialFacts>, perRequest: Double?, ofSubject: Double?): DatabaseCpu? {
    val records = trials.map { it.record }.filter { it.database?.cpuList != null }
    val record = records.firstOrNull() ?: return null
    val loads = records.mapNotNull { it.load }
    val answered = loads.sumOf { it.answered }.takeIf { it > 0 } ?: return null
    val databaseCpus = cpusOf(record.database?.cpuList)
    val sharing = listOf(
        CpuUser("the load generator", cpusOf(record.limits?.engineCpuList), loads.sumOf { it.generator.cpuSeconds } / answered),
        CpuUser(APPLICATION, cpusOf(record.limits?.cpuList), ofSubject),
    ).filter { (databaseCpus intersect it.cpus).isNotEmpty() }
    val seconds = (listOf(perRequest) + sharing.map { it.secondsPerRequest }).map { it ?: return null }
    val cpus = sharing.fold(databaseCpus) { all, user -> all + user.cpus }.size.toDouble()
    return DatabaseCpu(cpus, seconds.sum(), sharing.map { it.name })
}

internal const val APPLICATION = "the application"

/** [name] uses [cpus] for [secondsPerRequest], null if unknown. */
private class CpuUser(val name: String, val cpus: Set<Int>, val secondsPerRequest: Double?)

/**
 * Little's law over a window: the total time of all requests in the system, answered or not, divided by the elapsed time. The mean of
 * answered requests alone would be far too low if a window ends before most are answered (7.7/s behind 400 connections). Where the ages at the
 * start of the window are unknown, requests may have started while the load settled: the result lies between two bounds. Null without latencies.
 */
private fun inFlight(trials: List<TrialFacts>): ClosedFloatingPointRange<Double>? {
    val read = trials.filter { it.latencies != null && it.record.load != null }
    val seconds = read.sumOf { it.record.load?.windowSeconds ?: 0.0 }
    if (seconds <= 0) return null
    val requests = read.mapNotNull { it.latencies }
        .sumOf { (it.response.sum + it.unanswered.sum - (it.entered?.sum ?: 0.0)) / 1e9 }
    val before = read.filter { it.latencies?.entered == null }.sumOf { settling(it.record) }
    return requests / (seconds + before)..requests / seconds
}

/** Seconds from the end of the previous stage to the window: load without measurement. */
private fun settling(record: TrialRecord): Double {
    val window = record.phases.find { it.stage == Stage.WINDOW } ?: return 0.0
    val before = record.phases.filter { it.to <= window.from }.maxOfOrNull { it.to } ?: return 0.0
    return window.from - before
}

/** Quotas that throttle a smaller share of the periods are not mentioned. */
private const val OFTEN = 0.05

/** Sentences about CPU time: JIT compiler and collector, runnable threads, and throttling by the quota. */
internal fun cpuSpent(evidence: Evidence): List<String> {
    fun read(measure: Measure) = evidence.resources[measure]?.value
    val used = evidence.cpuUsed?.takeIf { it > 0 }
    // Collectors stop all threads, so their time is a share of the clock: at most one CPU.
    val collecting = read(Measure.GC)?.let { if (used == null) it else (it / used).coerceAtMost(1.0) }
    return listOfNotNull(
        read(Measure.COMPILER)?.let { compiling ->
            val own = (1 - compiling - (collecting ?: 0.0)).coerceAtLeast(0.0)
            "CPU time: ${percent(own)} application, ${percent(compiling)} JIT compiler" +
                collecting?.let { ", ${percent(it)} garbage collector" }.orEmpty() + "."
        },
        read(Measure.RUNNABLE)?.let { threads ->
            "${rounded(threads)} runnable ${if (rounded(threads) == "1") "thread" else "threads"} per CPU" +
                read(Measure.SWITCHES_PER_REQUEST)?.let { ", ${rounded(it)} context switches per request" }.orEmpty() +
                read(Measure.INVOLUNTARY_PER_REQUEST)?.let { " (${rounded(it)} involuntary)" }.orEmpty() + "."
        },
        read(Measure.THROTTLED)?.takeIf { it > OFTEN }?.let { periods ->
            "The CPU quota stopped it in ${percent(periods)} of the periods" +
                read(Measure.THROTTLED_TIME)?.let { ", ${rounded(it)} s of thread time per second" }.orEmpty() + "."
        },
    )
}
