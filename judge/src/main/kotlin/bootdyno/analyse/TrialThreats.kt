package bootdyno.analyse

import bootdyno.analyse.Threat.Kind
import bootdyno.model.COLLECTING_NOTICEABLY
import bootdyno.model.ErrorCause
import bootdyno.model.LoadFound
import bootdyno.model.LoadProfile
import bootdyno.model.Measure
import bootdyno.model.Metric
import bootdyno.model.ServiceFound
import bootdyno.model.count
import bootdyno.model.cpusText
import bootdyno.model.exact
import bootdyno.model.hasCpuToSpare
import bootdyno.model.listed
import bootdyno.model.perSecond
import bootdyno.model.percent
import bootdyno.model.plural
import bootdyno.model.rounded
import bootdyno.model.size
import bootdyno.model.timeOfSeconds
import bootdyno.stats.median
import kotlin.math.abs
import kotlin.math.roundToLong

private const val WARM_LONGER = "Use a longer warm-up, or read the throughput as a lower bound."
private const val MOST_FOREIGN_CPU = 0.1
private const val MOST_STEAL = 0.02

/**
 * So much more of both is allowed where the subject has CPU to spare, and a response takes long. A thread may wait for its CPU for a time slice, 3 ms by
 * default on Linux: at most 3 % of such a response.
 */
private const val WHERE_REQUESTS_WAIT = 5
private const val LONG_RESPONSE_MILLIS = 100.0

private const val MOST_ERRORS = 0.001
private const val MOST_CALLS_APART = 0.01
private const val MOST_THROTTLED = 0.05
private const val MOST_COLLECTING = 0.10
private const val MOST_HEAP_GROWTH = 0.05
private const val MOST_LIMIT_OFF = 0.01

/** Readings are about a second apart, two where the JVM answers late. */
private const val MOST_GAP_SECONDS = 5.0

/** An NTP service corrects less within a trial. */
private const val MOST_APART_SECONDS = 1.0

/** From this CPU use on, the database is or soon becomes the bottleneck. */
private const val DATABASE_BUSY = 0.90

/** Checks of counted trials. Of each kind, the first match is reported. Add further checks here. */
internal val trialChecks: List<Check<MeasuredTrial>> = listOf(
    Check(Kind.SEARCH_CUT_OFF, "Read the capacity as a lower bound, and look for the reason in the logs.") {
        facts.record.searchCutOff?.let { "A capacity search was cut off at ${perSecond(it.perSecond)}. ${it.reason}" }
    },
    Check(Kind.STILL_WARMING, "Compare this with cold starts only.") {
        compilerShareThatMatters()?.takeIf { facts.record.warmUp?.isNone == true }
            ?.let { "The JIT compiler used ${percent(it)} of the CPU time in the window, as expected without warm-up." }
    },
    Check(Kind.STILL_WARMING, WARM_LONGER) { notSteady?.takeIf { it.kind == Kind.STILL_WARMING }?.sentence },
    Check(
        Kind.COMPILER_STARVED,
        "Use a longer warm-up, or run with permission to raise the priority of the compiler threads.",
    ) { notSteady?.takeIf { it.kind == Kind.COMPILER_STARVED }?.sentence },
    Check(Kind.NOT_STEADY, "Look for what grows under load, such as the heap, or for what else uses this machine.") {
        notSteady?.takeIf { it.kind == Kind.NOT_STEADY }?.sentence
    },
    // With CPU to spare, the throughput is right; the cost of a request is not.
    Check(Kind.COMPILING, "Read the CPU time per request as an upper bound.") {
        compilerShare()?.takeIf { compilerShareThatMatters() == null }
            ?.let { "${percent(it)} of the CPU time in the window, and of the CPU time per request, was the JIT compiler's." }
    },
    Check(Kind.CLOCK, "Let the machine neither sleep nor stop while measuring.") {
        val gap = window?.of(Metric.MACHINE_CPU).orEmpty().zipWithNext { a, b -> b.at - a.at }.maxOrNull() ?: 0.0
        val moved = facts.record.clocksApartSeconds ?: 0.0
        when {
            gap > MOST_GAP_SECONDS ->
                "The machine or Boot Dyno stood still during the measurement: no reading for ${timeOfSeconds(gap)}."

            moved > MOST_APART_SECONDS ->
                "The clocks of the machine moved apart by ${timeOfSeconds(moved)}: it slept, or one was set."

            else -> null
        }
    },
    Check(Kind.FOREIGN_CPU, "Stop other processes and measure again.") {
        window?.foreignCpu()?.takeIf { it > MOST_FOREIGN_CPU * allowance() }
            ?.let { "Other processes used ${rounded(it)} CPUs during the measurement." }
    },
    Check(
        Kind.STEAL,
        "Use a machine with dedicated CPUs, or measure at another time. Ratios are more reliable than absolute figures.",
    ) {
        window?.summary(Metric.STEAL)?.takeIf { it > MOST_STEAL * allowance() }
            ?.let { "Steal time: ${percent(it)} of a CPU. The hypervisor gave it to other machines." }
    },
    Check(Kind.ERRORS, "Read the log of the application. An application that rejects requests looks fast.") {
        (load.failed.toDouble() / load.sent).takeIf { it > MOST_ERRORS }?.let { failed(it) }
    },
    Check(Kind.ENGINE_REPORT, "Read its log in the run folder: the script did not do all that it should.") {
        val reports = load.complaints.entries.joinToString { "${count(it.value)} ${it.key}" }
        "${cell.profile.engine.name} reports of its own run: $reports.".takeIf { load.complaints.isNotEmpty() }
    },
    Check(Kind.STALLED, "Look for what stops the application: a pause of the collector, a lock, or a partner.") {
        stalledSeconds()?.let { "The application stood still once: for ${timeOfSeconds(it)} no connection got a response." }
            ?: stalledInSearch()?.let {
                "The application stood still in the capacity search: for ${timeOfSeconds(it)} no request got a response. " +
                    "The capacity may be higher."
            }
    },
    // The oldest request of a window is often unanswered. Censored p99.9 and maximum are only marked by ≥.
    Check(Kind.CENSORED, "Use a longer window and timeout (several times the expected latency), or less load.") {
        val censored = listOf(Measure.P50, Measure.P90, Measure.P99).filter { latency[it]?.censored == true }
        val which = listed(censored.map { it.word })
        val open = if (load.inFlight == 1L) "1 request was" else "${count(load.inFlight)} requests were"
        val bounds = if (censored.size == 1) "is a lower bound" else "are lower bounds"
        "$open unanswered when the window ended, so $which $bounds (≥).".takeIf { censored.isNotEmpty() }
    },
    Check(Kind.NOT_DRAINED, "Look for requests that never end. They may hold threads that the measured requests need.") {
        "${plural(load.leftBefore.toInt(), "request")} of the warm-up had no answer when the window opened."
            .takeIf { load.leftBefore > 0 }
    },
    // At the window's throughput, all requests in flight would have been answered during the drain.
    Check(Kind.NOT_DRAINED, "Look for requests that never end.") {
        "${plural(load.leftAfter.toInt(), "request")} had no response ${timeOfSeconds(load.drainSeconds)} after the window."
            .takeIf { load.leftAfter > 0 && load.inFlight <= throughput * load.drainSeconds }
    },
    Check(
        Kind.COUNTS_DISAGREE,
        "Set `calls:` if a request makes another number of calls. Otherwise look for retries or a cache.",
    ) { facts.record.services.firstNotNullOfOrNull { disagreement(it) } },
    // A finding rather than a fault: the database limits this stack. It hides what the application itself could do.
    Check(Kind.DATABASE_BUSY, "Give the database more CPUs, or the application fewer. Compare CPU time per request.") {
        val cpus = cpusOf(facts.record.database?.cpuList)
        val shared = (cpus intersect cpusOf(facts.record.limits?.engineCpuList)).isNotEmpty()
        val generator = if (shared) load.generator.cpuSeconds / load.windowSeconds else 0.0
        val who = if (shared) "The database and the load generator on its CPUs" else "The database"
        window?.summary(Metric.SERVICES_CPU)?.let { (it + generator) / cpus.size }
            ?.takeIf { cpus.isNotEmpty() && it > DATABASE_BUSY }
            ?.let { "$who used ${percent(it)} of ${cpusText(cpus.size.toDouble())} and limited the throughput." }
    },
    Check(Kind.ACCEPT_QUEUE, "Raise `server.tomcat.accept-count` (default 100) and `net.core.somaxconn`.") {
        resources[Measure.LISTEN_OVERFLOWS]?.takeIf { it >= 1 }?.let {
            "An accept queue overflowed ${count(it.roundToLong())} times (counted for the whole machine). Linux dropped these " +
                "connection attempts; the client repeated them after 1 s, 3 s, 7 s, which is part of the response times."
        }
    },
    // A burst should end by itself.
    Check(Kind.CUT_OFF, "Use a longer window or a smaller burst.") {
        val seconds = timeOfSeconds(load.windowSeconds)
        "The window ended after $seconds, before ${count(load.unsent)} requests of the burst were sent."
            .takeIf { load.unsent > 0 }
    },
    Check(Kind.THROTTLED, "High percentiles include the pauses of the quota. Use `cpu-by: pinning` to exclude them.") {
        val stopped = window?.summary(Metric.THROTTLED)?.let { ", ${rounded(it)} s of thread time per second." } ?: "."
        resources[Measure.THROTTLED]?.takeIf { it > MOST_THROTTLED }
            ?.let { "The CPU quota stopped the application in ${percent(it)} of the periods$stopped" }
    },
    Check(Kind.COLLECTING, "Compare with more memory or another collector.") {
        resources[Measure.GC]?.takeIf { it > MOST_COLLECTING }
            ?.let { "The garbage collector ran for ${percent(it)} of the window." }
    },
    // The young generation gets its final size late; until then the collector uses more CPU. Ignored if it uses little.
    Check(Kind.HEAP_GROWING, WARM_LONGER) {
        val sizes = window?.of(Metric.HEAP_COMMITTED).orEmpty().map { it.value }.filter { it > 0 }
        val isJudged = !cell.workload.lawLike && facts.record.warmUp?.isNone != true
        val matters = isJudged && (resources[Measure.GC] ?: 0.0) > COLLECTING_NOTICEABLY && sizes.size > 1
        (if (matters) sizes.last() / sizes.first() - 1 else 0.0).takeIf { it > MOST_HEAP_GROWTH }
            ?.let { "The heap grew by ${percent(it)} in the window: the throughput may still rise." }
    },
    Check(Kind.LIMITS_NOT_APPLIED, "Run `dyno doctor`. Compare only with figures under the same limits.") {
        limitGaps().ifEmpty { null }?.joinToString(" ") { if (it.endsWith('.')) it else "$it." }
    },
    Check(Kind.SHARED_CPU, "Use a machine with more CPUs, or a smaller CPU limit for the application.") {
        val services = facts.record.services.map { it.cpuList } + facts.record.dependencies.map { it.cpuList } +
            listOfNotNull(facts.record.database?.cpuList)
        val others = (services + facts.record.limits?.engineCpuList).flatMap(::cpusOf)
        val shared = cpusOf(facts.record.limits?.cpuList) intersect others.toSet()
        val who = if (services.isEmpty()) "load generator" else "load generator or services"
        "The application and the $who shared ${if (shared.size == 1) "CPU" else "CPUs"} ${shared.sorted().joinToString()}."
            .takeIf { shared.isNotEmpty() }
    },
)

/** The [share] of failed requests, by what, and what it means for the figures. */
private fun MeasuredTrial.failed(share: Double): String = listOfNotNull(
    "${percent(share)} of ${count(load.sent)} requests failed (${failedBy(load.errors, load.failures)});",
    "percentiles exclude them, and an objective counts them as infinitely slow.",
    refusing(load.answered, load.errors, load.failures, throughput),
    closing(load),
).joinToString(" ")

/**
 * How long a fast application under closed load answered nothing at all, in seconds; null if it did not stand still for a second. Then nearly each
 * connection has a request that took as long, and the rate of two readings, a second apart, halves.
 */
private fun MeasuredTrial.stalledSeconds(): Double? {
    val connections = (cell.profile.loadInWindow as? LoadProfile.Closed)?.connections ?: return null
    val median = latency[Measure.P50]?.value ?: return null
    val stood = facts.latencies?.response?.map { nanos, count -> if (nanos < STALL_NANOS) 0 else count }.orEmpty().sum()
    if (median * 1e6 > STALL_NANOS / 2) return null
    val rates = window?.of(Metric.ANSWERED).orEmpty().zipWithNext { a, b -> (b.value - a.value) / (b.at - a.at) }
    val halved = rates.zipWithNext { a, b -> a + b }.minOrNull()?.let { it <= MOST_WHILE_STALLED * median(rates) } ?: false
    return latency[Measure.MAX]?.value?.div(1e3)?.takeIf { halved && stood >= NEARLY_ALL * connections }
}

/**
 * The longest time of the rates of a capacity search in which nothing was answered, after something was, in seconds; null below [LEAST_STALL].
 */
private fun MeasuredTrial.stalledInSearch(): Double? = facts.record.openPoints
    .zip(facts.record.openPhases).filter { (point) -> point.searched }
    .mapNotNull { (point, phase) ->
        val end = phase.to - point.load.drainSeconds
        val readings = facts.series.of(Metric.ANSWERED).filter { it.at in phase.from..end }
        readings.groupBy { it.value }.values.drop(1).maxOfOrNull { it.last().at - it.first().at }
            ?.takeIf { it >= LEAST_STALL && it * point.perSecond >= LEAST_UNANSWERED }
    }.maxOrNull()

/** Both the readings and the counts of the load generator are a second apart, and more on a busy machine. */
private const val LEAST_STALL = 2.5
private const val LEAST_UNANSWERED = 50

/** A second, less what the other end of a pause takes. */
private const val STALL_NANOS = 900_000_000L

/** Of twice the usual rate: 1 without any response in one of two seconds, 2 without a pause. */
private const val MOST_WHILE_STALLED = 1.25

/** A server that closes kept connections without notice after a fixed number of responses; null without such a pattern. */
private fun closing(load: LoadFound): String? {
    val closed = (load.errors[ErrorCause.CLOSED] ?: 0) + (load.errors[ErrorCause.RESET] ?: 0)
    if (closed < LEAST_CLOSED || closed < load.failed * NEARLY_ALL) return null
    val each = load.answered.toDouble() / closed
    if (each < 1 || abs(each - each.roundToLong()) > each * MOST_UNEVEN) return null
    return "The application closes each connection, without notice, after ${plural(each.roundToLong().toInt(), "response")}."
}

private const val LEAST_CLOSED = 20
private const val MOST_UNEVEN = 0.02

private fun MeasuredTrial.allowance(): Int {
    val millis = latency[Measure.P50]?.value ?: 0.0
    return if (hasCpuToSpare(applicationShare()) && millis >= LONG_RESPONSE_MILLIS) WHERE_REQUESTS_WAIT else 1
}

/**
 * Compares the engine's counts with those of [service]. Each answered request must have reached the service; unsent requests must not.
 * Failed requests, requests in flight and late requests of the warm-up may or may not be counted.
 */
private fun MeasuredTrial.disagreement(service: ServiceFound): String? {
    val calls = service.window ?: return null
    val answered = calls.answered ?: return null
    val sent = calls.sent ?: return null
    val least = cell.workload.calls * answered * (1 - MOST_CALLS_APART)
    val most = cell.workload.calls * (sent + load.leftBefore) * (1 + MOST_CALLS_APART)
    val received = calls.after.received - calls.before.received
    if (received.toDouble() in least..most) return null
    val requests = "${count(sent)} requests, ${count(answered)} of them answered"
    return "The service ${service.name} received ${count(received)} calls for $requests: " +
        if (received < least) "some answers came without a call." else "some requests made several calls."
}

private fun MeasuredTrial.limitGaps(): List<String> {
    val declared = cell.limits
    val applied = facts.record.limits
    return when {
        applied != null -> applied.notes.ifEmpty {
            listOfNotNull(
                gap("CPU", declared.cpus, applied.cpus, { it }, ::exact),
                gap("memory", declared.memory, applied.memory, { it.count.toDouble() }, ::size),
            )
        }

        declared.cpus == null && declared.memory == null -> emptyList()

        else -> listOf("The limits of the application are unknown.")
    }
}

private fun <T : Any> gap(what: String, declared: T?, applied: T?, number: (T) -> Double, text: (T) -> String): String? = when {
    declared == null -> null
    applied == null -> "The $what limit of ${text(declared)} was not applied."
    abs(number(applied) / number(declared) - 1) <= MOST_LIMIT_OFF -> null
    else -> "The $what limit was ${text(applied)} instead of ${text(declared)}."
}
