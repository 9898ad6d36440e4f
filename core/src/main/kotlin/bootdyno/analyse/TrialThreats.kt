package bootdyno.analyse

import bootdyno.model.LoadProfile
import bootdyno.model.Measure
import bootdyno.model.Metric
import bootdyno.model.count
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

private const val WARM_LONGER = "Lengthen the warm-up, or read this as a lower bound."
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
        "The JIT compiler used ${percent(share)} of the subject's CPU time in the window" +
            if (cold) ": measured cold, as asked." else "; it was still warming up.",
        if (cold) "Read this as a cold start, and compare it with cold starts only." else WARM_LONGER,
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
        "Throughput rose by ${percent(last / first - 1)} from the window's beginning to its end, to ${rounded(last)}/s.",
        WARM_LONGER,
    )
}

private fun warmUpNotCertified(trial: MeasuredTrial): Threat? {
    val warmUp = trial.facts.record.warmUp?.takeIf { it.certified == false } ?: return null
    return Threat(
        Threat.Kind.COMPILER_STARVED,
        "No steady state after ${timeOfSeconds(warmUp.seconds)} of warm-up: the compiler was still busy, or starved of CPU " +
            "by the request threads.",
        "Allow a longer warm-up, or run with the permission to raise the compiler's priority.",
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
        "Others on this machine used ${rounded(foreign)} CPU while it was measured.",
        "Stop what else is running, and measure again.",
    )
}

private fun steal(trial: MeasuredTrial): Threat? {
    val steal = trial.window?.summary(Metric.STEAL)?.takeIf { it > MOST_STEAL } ?: return null
    return Threat(
        Threat.Kind.STEAL,
        "The hypervisor took ${rounded(steal)} CPU away while it was measured.",
        "Measure on a machine with CPUs of its own, or at a quieter hour; ratios suffer less than absolute figures.",
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
            "no percentile contains them.",
        "Find the cause in the subject's log; an application that refuses work looks fast.",
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
        "So many requests were still unanswered (${count(trial.load.inFlight)} at the window's end) that " +
            "${censored.joinToString { it.word }} lie beyond what was seen, and are shown as ≥.",
        "Lengthen the window (and the timeout) to several times the expected latency, or offer less load.",
    )
}

private fun notDrained(trial: MeasuredTrial): Threat? = when {
    trial.load.leftBefore > 0 -> Threat(
        Threat.Kind.NOT_DRAINED,
        "${count(trial.load.leftBefore)} requests of the warm-up were still in the subject when the window opened.",
        "Allow a longer drain: they held threads that the measured requests needed.",
    )

    trial.load.leftAfter > 0 && shouldHaveDrained(trial) -> Threat(
        Threat.Kind.NOT_DRAINED,
        "${count(trial.load.leftAfter)} requests had no answer ${timeOfSeconds(trial.load.drainSeconds)} after the window.",
        "Look for requests that hang; they are in no percentile but as bounds.",
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
        "The CPU quota stopped the subject in ${percent(share)} of its periods" +
            (stopped?.let { ", ${rounded(it)} s of thread time a second." } ?: "."),
        "High percentiles show the quota's pauses; pin the subject to CPUs of its own (cpu-by: pinning) to see the code's.",
    )
}

private fun collecting(trial: MeasuredTrial): Threat? {
    val share = trial.resources[Measure.GC]?.takeIf { it > MOST_COLLECTING } ?: return null
    return Threat(
        Threat.Kind.COLLECTING,
        "The garbage collector ran for ${percent(share)} of the window: the memory limit was measured as much as the code.",
        "Give it more memory, or another collector, and compare.",
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
        "The heap grew by ${percent(growth)} in the window: the collector had not come to rest, and throughput may still rise.",
        WARM_LONGER,
    )
}
