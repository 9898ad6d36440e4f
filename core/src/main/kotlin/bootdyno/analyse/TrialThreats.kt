package bootdyno.analyse

import bootdyno.model.LoadProfile
import bootdyno.model.Measure
import bootdyno.model.Metric
import bootdyno.model.count
import bootdyno.model.listed
import bootdyno.model.perSecond
import bootdyno.model.percent
import bootdyno.model.rounded
import bootdyno.model.timeOfSeconds
import bootdyno.stats.Point
import bootdyno.stats.lineThrough

/** Reasons to distrust one trial that nevertheless counts. The next one is one function and one line here. */
internal val trialChecks: List<(MeasuredTrial) -> Threat?> = listOf(
    ::stillWarming,
    ::stillRising,
    ::warmUpNotCertified,
    ::foreignCpu,
    ::steal,
    ::errorShare,
    ::censoredPercentiles,
    ::notDrained,
    ::countsDisagree,
    ::busyDatabase,
    ::acceptQueueFull,
    ::burstCutOff,
    ::throttled,
    ::collecting,
    ::heapGrowing,
    ::limitsNotApplied,
    ::sharedCpu,
)

private const val WARM_LONGER = "Use a longer warm-up, or read the throughput as a lower bound."
private const val MOST_COMPILER_SHARE = 0.02
private const val LAW_LIKE_BUSY = 0.80
private const val MOST_RISE = 0.10
private const val SURE = 0.001
private const val MOST_FOREIGN_CPU = 0.1
private const val MOST_STEAL = 0.02
private const val MOST_ERRORS = 0.001
private const val MOST_THROTTLED = 0.05
private const val MOST_COLLECTING = 0.10
private const val COLLECTING_NOTICEABLY = 0.03
private const val MOST_HEAP_GROWTH = 0.05

/** What a pool and a delay decide does not care who compiles, as long as the CPU is not what runs out. */
private fun stillWarming(trial: MeasuredTrial): Threat? {
    val share = trial.window?.share(Metric.COMPILER_CPU, Metric.CPU) ?: return null
    if (share <= MOST_COMPILER_SHARE || (trial.cell.lawLike && !trial.cpuIsShort)) return null
    val cold = trial.facts.record.warmUp?.method == "none"
    return Threat(
        Threat.Kind.STILL_WARMING,
        "The JIT compiler used ${percent(share)} of the CPU time in the window" +
            if (cold) ", as expected without warm-up." else ": the warm-up was too short.",
        if (cold) "Compare this with cold starts only." else WARM_LONGER,
    )
}

private val MeasuredTrial.cpuIsShort: Boolean
    get() {
        val used = resources[Measure.CPU]
        val limit = facts.record.limits?.cpus
        return used != null && limit != null && used > LAW_LIKE_BUSY * limit
    }

private fun stillRising(trial: MeasuredTrial): Threat? {
    if (trial.cell.profile.loadInWindow !is LoadProfile.Closed || trial.cell.lawLike) return null
    val answered = trial.window?.of(Metric.ANSWERED).orEmpty()
    val perSecond = answered.zipWithNext { a, b -> Point((a.at + b.at) / 2, (b.value - a.value) / (b.at - a.at)) }
    val line = lineThrough(perSecond)?.takeIf { it.p < SURE } ?: return null
    val first = line.at(perSecond.first().x)
    val last = line.at(perSecond.last().x)
    if (first <= 0 || last / first - 1 <= MOST_RISE) return null
    return Threat(
        Threat.Kind.STILL_WARMING,
        "The throughput rose by ${percent(last / first - 1)} during the window, to ${perSecond(last)}.",
        WARM_LONGER,
    )
}

private fun warmUpNotCertified(trial: MeasuredTrial): Threat? {
    val warmUp = trial.facts.record.warmUp?.takeIf { it.certified == false } ?: return null
    return Threat(
        Threat.Kind.COMPILER_STARVED,
        "No steady state after ${timeOfSeconds(warmUp.seconds)} of warm-up: the JIT compiler was busy or got too little CPU.",
        "Use a longer warm-up, or run with permission to raise the priority of the compiler threads.",
    )
}

private fun foreignCpu(trial: MeasuredTrial): Threat? {
    val machine = trial.window?.summary(Metric.MACHINE_CPU) ?: return null
    val subject = trial.window.summary(Metric.CPU) ?: return null
    val engine = trial.window.summary(Metric.ENGINE_CPU) ?: return null
    val services = trial.window.summary(Metric.SERVICES_CPU) ?: 0.0
    val foreign = machine - subject - engine - services
    if (foreign <= MOST_FOREIGN_CPU) return null
    return Threat(
        Threat.Kind.FOREIGN_CPU,
        "Other processes used ${rounded(foreign)} CPUs during the measurement.",
        "Stop other processes and measure again.",
    )
}

private fun steal(trial: MeasuredTrial): Threat? {
    val steal = trial.window?.summary(Metric.STEAL)?.takeIf { it > MOST_STEAL } ?: return null
    return Threat(
        Threat.Kind.STEAL,
        "The hypervisor took ${rounded(steal)} CPUs away during the measurement (steal time).",
        "Use a machine with dedicated CPUs, or measure at another time. Ratios are more reliable than absolute figures.",
    )
}

private fun errorShare(trial: MeasuredTrial): Threat? {
    val share = if (trial.load.sent > 0) trial.load.failed.toDouble() / trial.load.sent else return null
    if (share <= MOST_ERRORS) return null
    val causes = trial.load.errors.filterValues { it > 0 }.entries.sortedByDescending { it.value }
    return Threat(
        Threat.Kind.ERRORS,
        "${percent(share)} of ${count(trial.load.sent)} requests failed (${causes.joinToString {
            "${count(it.value)} ${it.key.words}"
        }}); " +
            "percentiles exclude them.",
        "Read the log of the application. An application that rejects requests looks fast.",
    )
}

/**
 * The oldest request of a window is often an unanswered one, so p99.9 and the maximum alone are marked by their sign, not by a
 * threat.
 */
private fun censoredPercentiles(trial: MeasuredTrial): Threat? {
    val points = listOf(Measure.P50, Measure.P90, Measure.P99)
    val censored = points.filter { trial.latency[it]?.censored == true }.ifEmpty { return null }
    return Threat(
        Threat.Kind.CENSORED,
        "${count(trial.load.inFlight)} requests were unanswered when the window ended, so ${listed(censored.map { it.word })} " +
            "are lower bounds (≥).",
        "Use a longer window and timeout (several times the expected latency), or less load.",
    )
}

private fun notDrained(trial: MeasuredTrial): Threat? = when {
    trial.load.leftBefore > 0 -> Threat(
        Threat.Kind.NOT_DRAINED,
        "${count(trial.load.leftBefore)} requests of the warm-up were still in flight when the window opened.",
        "Use a longer drain. These requests occupied threads that the measured requests needed.",
    )

    trial.load.leftAfter > 0 && shouldHaveDrained(trial) -> Threat(
        Threat.Kind.NOT_DRAINED,
        "${count(trial.load.leftAfter)} requests had no response ${timeOfSeconds(trial.load.drainSeconds)} after the window.",
        "Look for requests that never end.",
    )

    else -> null
}

/** At the throughput of the window all in flight would have been answered in the time the drain gave them. */
private fun shouldHaveDrained(trial: MeasuredTrial) = trial.load.inFlight <= trial.throughput * trial.load.drainSeconds

private fun throttled(trial: MeasuredTrial): Threat? {
    val share = trial.resources[Measure.THROTTLED]?.takeIf { it > MOST_THROTTLED } ?: return null
    val stopped = trial.window?.summary(Metric.THROTTLED)
    return Threat(
        Threat.Kind.THROTTLED,
        "The CPU quota stopped the application in ${percent(share)} of the periods" +
            (stopped?.let { ", ${rounded(it)} s of thread time per second." } ?: "."),
        "High percentiles include the pauses of the quota. Use `cpu-by: pinning` to exclude them.",
    )
}

private fun collecting(trial: MeasuredTrial): Threat? {
    val share = trial.resources[Measure.GC]?.takeIf { it > MOST_COLLECTING } ?: return null
    return Threat(
        Threat.Kind.COLLECTING,
        "The garbage collector ran for ${percent(share)} of the window.",
        "Compare with more memory or another collector.",
    )
}

/** The young generation gets its final size late; until then the collector works harder. Of no matter where it hardly works. */
private fun heapGrowing(trial: MeasuredTrial): Threat? {
    if (trial.cell.workload.lawLike || (trial.resources[Measure.GC] ?: 0.0) <= COLLECTING_NOTICEABLY) return null
    val sizes = trial.window?.of(Metric.HEAP_COMMITTED).orEmpty().map { it.value }
    if (sizes.size < 2 || sizes.first() <= 0) return null
    val growth = sizes.last() / sizes.first() - 1
    if (growth <= MOST_HEAP_GROWTH) return null
    return Threat(
        Threat.Kind.HEAP_GROWING,
        "The heap grew by ${percent(growth)} in the window: the throughput may still rise.",
        WARM_LONGER,
    )
}
