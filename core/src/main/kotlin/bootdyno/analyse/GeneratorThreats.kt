package bootdyno.analyse

import bootdyno.model.Arrivals
import bootdyno.model.ErrorCause
import bootdyno.model.LoadProfile
import bootdyno.model.Measure
import bootdyno.model.Metric
import bootdyno.model.count
import bootdyno.model.cpusText
import bootdyno.model.percent
import bootdyno.model.rounded
import bootdyno.model.timeOfMillis
import kotlin.math.abs
import kotlin.math.sqrt

/**
 * What makes a trial invalid: it measured the load generator. Such a trial is kept and shown, but counts for nothing (METHOD §3).
 * The next check is one function and one line here.
 */
internal val generatorChecks: List<
    (
        MeasuredTrial,
    ) -> Threat?,
    > = listOf(::busyGenerator, ::lateGenerator, ::offeredRateMissed, ::shortOfResources)

private const val MOST_GENERATOR_CPU = 0.90
private const val MOST_LAG_MS = 1.0
private const val MOST_LAG_SHARE = 0.01
private const val MOST_MISSED = 0.01

/** Of the number of random arrivals, whose variance is the number itself; one window in 16,000 is farther off by chance. */
private const val MOST_DEVIATIONS = 4
private const val MOST_SHORT = 0.001

private fun busyGenerator(trial: MeasuredTrial): Threat? {
    val generator = trial.load.generator
    if (generator.cpus <= 0) return null
    val beside = servicesBeside(trial)
    val share = (generator.cpuSeconds / trial.load.windowSeconds + beside) / generator.cpus
    if (share <= MOST_GENERATOR_CPU) return null
    val who = if (beside > 0) "The load generator and the services on its CPUs" else "The load generator"
    return invalid(
        "$who used ${percent(share)} of ${cpusText(generator.cpus)} and limited the throughput.",
        "Give the load generator more CPUs, or the application fewer.",
    )
}

/** CPUs used by services that have no CPU apart from the generator's. A database there is a limit of its own: see [busyDatabase]. */
private fun servicesBeside(trial: MeasuredTrial): Double {
    val engine = cpusOf(trial.facts.record.limits?.engineCpuList)
    val shared = trial.facts.record.services.any { (cpusOf(it.cpuList) intersect engine).isNotEmpty() }
    return if (shared) trial.window?.summary(Metric.SERVICES_CPU) ?: 0.0 else 0.0
}

/** Response times count from the moment a send was due, so that its lag is in them: next to a long median it is nothing. */
private fun lateGenerator(trial: MeasuredTrial): Threat? {
    val lag = trial.load.generator.lagP99Ms
    val bearable = maxOf(MOST_LAG_MS, MOST_LAG_SHARE * (trial.latency[Measure.P50]?.value ?: 0.0))
    if (trial.cell.profile.load !is LoadProfile.Open || lag == null || lag <= bearable) return null
    return invalid(
        "The load generator sent 1 % of the requests more than ${timeOfMillis(lag)} late.",
        "Use a lower rate, or give the load generator more CPUs.",
    )
}

/**
 * An open profile waits for nothing, so a send that was due and never happened is the generator's own doing. Of a chain the schedule
 * says only when it begins.
 */
private fun offeredRateMissed(trial: MeasuredTrial): Threat? {
    val load = trial.cell.profile.loadInWindow as? LoadProfile.Open
    val sent = trial.load.due
    if (load == null || sent == null || trial.cell.workload.steps.size > 1) return null
    val due = load.perSecond * trial.load.windowSeconds
    val chance = when (load.arrivals) {
        Arrivals.CONSTANT -> 1.0
        Arrivals.POISSON -> MOST_DEVIATIONS * sqrt(due)
    }
    if (abs(sent - due) <= MOST_MISSED * due + chance) return null
    return invalid(
        "The load generator sent ${count(sent)} of ${rounded(due)} due requests (off by ${percent(abs(1 - sent / due))}).",
        "Use a lower rate, or give the load generator more CPUs.",
    )
}

/** Requests that never left, for want of a descriptor or a port of the client's, say nothing of the subject. */
private fun shortOfResources(trial: MeasuredTrial): Threat? {
    val short = trial.load.errors[ErrorCause.CLIENT] ?: 0L
    if (trial.load.sent == 0L || short <= MOST_SHORT * trial.load.sent) return null
    return invalid(
        "The client ran out of file descriptors or local ports for ${count(short)} of ${count(trial.load.sent)} requests.",
        "Raise the limit of open files (`ulimit -n 65536` as root) and the port range (`net.ipv4.ip_local_port_range`), " +
            "or use fewer connections.",
    )
}

private fun invalid(sentence: String, advice: String) = Threat(Threat.Kind.LOAD_GENERATOR, sentence, advice)
