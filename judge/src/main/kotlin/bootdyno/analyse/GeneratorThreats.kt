package bootdyno.analyse

import bootdyno.model.Arrivals
import bootdyno.model.ErrorCause
import bootdyno.model.GeneratorFound
import bootdyno.model.LoadProfile
import bootdyno.model.Measure
import bootdyno.model.Metric
import bootdyno.model.NamedGenerator
import bootdyno.model.count
import bootdyno.model.cpusText
import bootdyno.model.listed
import bootdyno.model.percent
import bootdyno.model.rounded
import bootdyno.model.timeOfMillis
import kotlin.math.abs
import kotlin.math.sqrt

private const val MOST_GENERATOR_CPU = 0.90
private const val MOST_LAG_MS = 1.0
private const val MOST_LAG_SHARE = 0.01
private const val MOST_MISSED = 0.01
private const val MOST_CPU_WAIT = 0.03
private const val MOST_SHORT = 0.001
private const val MORE_CPUS = "Give the load generator more CPUs, or the application fewer."
private const val LOWER_RATE = "Use a lower rate, or give the load generator more CPUs."

/** Limit in standard deviations of random arrivals (variance = mean); a window exceeds it by chance once in 16,000. */
internal const val MOST_DEVIATIONS = 4

/** Checks of a load generator that was late: response times count from the intended send time, and contain that. */
private val lateChecks: List<Check<MeasuredTrial>> = listOf(
    invalid(MORE_CPUS) {
        val beside = if (load.agents.isEmpty()) servicesBeside() else 0.0
        val worst = load.generators.maxBy { share(it.found, beside) }
        val who = if (beside > 0) "The load generator and the services on its CPUs" else "The load generator${worst.where}"
        val share = share(worst.found, beside)
        "$who used ${percent(share)} of ${cpusText(worst.found.cpus)} and limited the throughput."
            .takeIf { share > MOST_GENERATOR_CPU }
    },
    // Response times count from the intended send time and include the lag, so that it matters only beside a short median.
    invalid(LOWER_RATE) {
        val worst = load.generators.maxBy { it.found.lagP99Ms ?: 0.0 }
        lateBy(worst.found.lagP99Ms, Measure.P50)?.let {
            "The load generator${worst.where} sent 1 % of the requests more than ${timeOfMillis(it)} late."
        }
    },
)

/** Checks of a load generator that did not send all requests. */
internal val unsentChecks: List<Check<MeasuredTrial>> = listOf(
    // An open profile never waits, so a missing send is a fault of the generator.
    invalid(LOWER_RATE) {
        val due = scheduled() ?: return@invalid null
        load.due?.takeIf { abs(it - due) > MOST_MISSED * due + byChance(due) }?.let {
            "The load generator sent ${count(it)} of ${rounded(due)} due requests (off by ${percent(abs(1 - it / due))})."
        }
    },
    // Requests that the client could not send (no descriptor or port) do not measure the subject.
    invalid(
        "Raise the limit of open files (`ulimit -n 65536` as root) and the port range (`net.ipv4.ip_local_port_range`), " +
            "or use fewer connections.",
    ) {
        load.errors[ErrorCause.CLIENT]?.takeIf { load.sent > 0 && it > MOST_SHORT * load.sent }?.let {
            "The client ran out of file descriptors or local ports for ${count(it)} of ${count(load.sent)} requests."
        }
    },
)

/**
 * Checks that make a trial invalid because the load generator was the bottleneck. Invalid trials are kept and shown, but not counted
 * (docs/method.md). Add further checks to one of its lists.
 */
internal val generatorChecks: List<Check<MeasuredTrial>> = lateChecks + unsentChecks

/** The lag at the extreme percentiles says nothing of the others: the trial counts, and these get no verdict. */
internal val lagCheck: Check<MeasuredTrial> = Check(Threat.Kind.GENERATOR_LAG, LOWER_RATE) {
    val late = listOf(Measure.P999, Measure.MAX).filterNot { lagAllows(it) }
    val most = load.generator.lagMaxMs?.takeIf { late.isNotEmpty() } ?: return@Check null
    "The load generator sent a request up to ${timeOfMillis(most)} late: no verdict on ${listed(late.map { it.title })}."
}

/** A response that waits until the load generator gets a CPU is recorded late: measured in docs/method.md. */
internal val waitCheck: Check<MeasuredTrial> = Check(
    Threat.Kind.GENERATOR_WAITED,
    "Stop other processes, or give the load generator a CPU of its own.",
) {
    val worst = load.generators.maxBy { it.found.waitShare ?: 0.0 }
    worst.found.waitShare?.takeIf { it > MOST_CPU_WAIT }?.let {
        "The load generator${worst.where} waited for a CPU for ${percent(it)} of the window: response times include this wait."
    }
}

/** Whether [measure] shows the subject. The load generator may lag by 1 ms, or by 1 % of it, at the same percentile. */
internal fun MeasuredTrial.lagAllows(measure: Measure): Boolean = when (measure) {
    Measure.P999 -> lateBy(load.generator.lagP999Ms, measure) == null
    Measure.MAX -> lateBy(load.generator.lagMaxMs, measure) == null
    else -> true
}

/** The [lag] of open load in ms, if it is more than 1 ms and 1 % of [beside]. */
private fun MeasuredTrial.lateBy(lag: Double?, beside: Measure): Double? {
    val bearable = maxOf(MOST_LAG_MS, MOST_LAG_SHARE * (latency[beside]?.value ?: 0.0))
    return lag?.takeIf { cell.profile.load.isOpen && it > bearable }
}

/** CPU use as a share of its CPUs, with [beside] CPUs of others on them. */
private fun MeasuredTrial.share(generator: GeneratorFound, beside: Double): Double =
    if (generator.cpus > 0) (generator.cpuSeconds / load.windowSeconds + beside) / generator.cpus else 0.0

/** ` on host1`; empty for this machine. */
private val NamedGenerator.where: String get() = host?.let { " on $it" }.orEmpty()

private fun invalid(advice: String, sentence: MeasuredTrial.() -> String?) = Check(Threat.Kind.LOAD_GENERATOR, advice, sentence)

/** CPUs used by services that run only on CPUs of the generator. A database has a check of its own. */
private fun MeasuredTrial.servicesBeside(): Double {
    val engine = cpusOf(facts.record.limits?.engineCpuList)
    val shared = facts.record.services.any { (cpusOf(it.cpuList) intersect engine).isNotEmpty() }
    return if (shared) window?.summary(Metric.SERVICES_CPU) ?: 0.0 else 0.0
}

/** Scheduled sends of an open profile in its window. Null for other loads, and for chains, whose schedule has only their begin. */
private fun MeasuredTrial.scheduled(): Double? =
    (cell.profile.loadInWindow as? LoadProfile.Open)?.takeIf { cell.workload.requestsPerArrival == 1 }
        ?.let { it.perSecond * load.windowSeconds }

private fun MeasuredTrial.byChance(due: Double) = when ((cell.profile.load as? LoadProfile.Open)?.arrivals) {
    Arrivals.POISSON -> MOST_DEVIATIONS * sqrt(due)
    Arrivals.CONSTANT, null -> 1.0
}

/** CPU numbers of the kernel's list format, `0-1,3`; empty if unknown. */
internal fun cpusOf(list: String?): Set<Int> = list.orEmpty().split(',').flatMap { part ->
    val ends = part.trim().split('-').mapNotNull { it.toIntOrNull() }
    if (ends.isEmpty()) emptyList() else (ends.first()..ends.last()).toList()
}.toSet()
