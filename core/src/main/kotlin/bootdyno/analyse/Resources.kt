package bootdyno.analyse

import bootdyno.model.Metrics

/** What the subject used in the window, what was read and nothing else. Per request: the rate by the throughput. */
internal fun resourcesOf(trial: MeasuredTrial): Map<Resource, Double> =
    Resource.entries.mapNotNull { resource -> trial.use(resource)?.let { resource to it } }.toMap()

/** Shares and counts that are 0 for many subjects are averaged as they are, the others on the logarithm. */
internal val Resource.mayBeZero: Boolean
    get() = when (this) {
        Resource.THROTTLED, Resource.THROTTLED_TIME, Resource.GC, Resource.COMPILER, Resource.RUNNABLE,
        Resource.SWITCHES_PER_REQUEST, Resource.INVOLUNTARY_PER_REQUEST, Resource.CONNECTIONS, Resource.LISTEN_OVERFLOWS,
        Resource.LISTEN_DROPS, Resource.SERVICES_PER_REQUEST,
        -> true

        Resource.CPU_PER_REQUEST, Resource.CPU, Resource.RSS, Resource.HEAP, Resource.THREADS, Resource.STARTUP,
        Resource.STARTUP_CPU, Resource.COMPILER_CPU, Resource.HEAP_COMMITTED, Resource.LIVE_THREADS,
        Resource.FRAMEWORK_STARTUP, Resource.PEAK_RSS, Resource.PEAK_GROUP_MEMORY,
        -> false
    }

private fun MeasuredTrial.use(resource: Resource): Double? = when (resource) {
    Resource.CPU_PER_REQUEST -> perRequest(window?.summary(Metrics.CPU))
    Resource.CPU -> window?.summary(Metrics.CPU)
    Resource.RSS -> window?.summary(Metrics.RSS)
    Resource.HEAP -> window?.summary(Metrics.HEAP_USED)
    Resource.THREADS -> window?.summary(Metrics.THREADS)
    Resource.STARTUP -> facts.record.subject?.startupSeconds
    Resource.STARTUP_CPU -> facts.record.subject?.startupCpuSeconds
    Resource.THROTTLED -> window?.share(Metrics.THROTTLED_PERIODS, Metrics.PERIODS)
    Resource.THROTTLED_TIME -> window?.summary(Metrics.THROTTLED)
    Resource.COMPILER -> window?.share(Metrics.COMPILER_CPU, Metrics.CPU)
    Resource.COMPILER_CPU -> window?.of(Metrics.COMPILER_CPU)?.lastOrNull()?.value
    Resource.RUNNABLE -> perCpu(window?.summary(Metrics.RUNNABLE))
    Resource.GC -> window?.summary(Metrics.GC_TIME)
    Resource.SWITCHES_PER_REQUEST -> perRequest(switches())
    Resource.INVOLUNTARY_PER_REQUEST -> perRequest(window?.summary(Metrics.INVOLUNTARY_SWITCHES))
    Resource.HEAP_COMMITTED -> window?.summary(Metrics.HEAP_COMMITTED)
    Resource.LIVE_THREADS -> window?.most(Metrics.LIVE_THREADS)
    Resource.CONNECTIONS -> window?.mostAboveBefore(Metrics.OPEN_FILES)
    Resource.LISTEN_OVERFLOWS -> window?.grown(Metrics.LISTEN_OVERFLOWS)
    Resource.LISTEN_DROPS -> window?.grown(Metrics.LISTEN_DROPS)
    Resource.FRAMEWORK_STARTUP -> facts.record.subject?.frameworkStartupSeconds
    Resource.PEAK_RSS -> facts.record.subject?.peakRss?.count?.toDouble()
    Resource.PEAK_GROUP_MEMORY -> facts.record.subject?.peakGroupMemory?.count?.toDouble()
    Resource.SERVICES_PER_REQUEST -> perRequest(window?.summary(Metrics.SERVICES_CPU))
}

private fun MeasuredTrial.switches(): Double? {
    val voluntary = window?.summary(Metrics.VOLUNTARY_SWITCHES) ?: return null
    val involuntary = window.summary(Metrics.INVOLUNTARY_SWITCHES) ?: return null
    return voluntary + involuntary
}

private fun MeasuredTrial.perRequest(rate: Double?): Double? = if (rate == null || throughput == 0.0) null else rate / throughput

private fun MeasuredTrial.perCpu(threads: Double?): Double? {
    val cpus = facts.record.limits?.cpus ?: return null
    return threads?.let { it / cpus }
}
