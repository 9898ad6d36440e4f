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

private const val MOST_GENERATOR_CPU = 0.90
private const val MOST_LAG_MS = 1.0
private const val MOST_LAG_SHARE = 0.01
private const val MOST_MISSED = 0.01
private const val MOST_SHORT = 0.001
private const val MORE_CPUS = "Give the load generator more CPUs, or the application fewer."
private const val LOWER_RATE = "Use a lower rate, or give the load generator more CPUs."

/** Of the number of random arrivals, whose variance is the number itself; one window in 16,000 is farther off by chance. */
private const val MOST_DEVIATIONS = 4

/**
 * What makes a trial invalid: it measured the load generator. Such a trial is kept and shown, but counts for nothing (METHOD §3).
 * The next check is one declaration here.
 */
internal val generatorChecks: List<Check<MeasuredTrial>> = listOf(
    invalid(MORE_CPUS) {
        val beside = servicesBeside()
        val who = if (beside > 0) "The load generator and the services on its CPUs" else "The load generator"
        val cpus = load.generator.cpus
        val share = if (cpus > 0) (load.generator.cpuSeconds / load.windowSeconds + beside) / cpus else 0.0
        "$who used ${percent(share)} of ${cpusText(cpus)} and limited the throughput.".takeIf { share > MOST_GENERATOR_CPU }
    },
    // Response times count from the moment a send was due, so that its lag is in them: next to a long median it is nothing.
    invalid(LOWER_RATE) {
        val bearable = maxOf(MOST_LAG_MS, MOST_LAG_SHARE * (latency[Measure.P50]?.value ?: 0.0))
        load.generator.lagP99Ms?.takeIf { cell.profile.load is LoadProfile.Open && it > bearable }
            ?.let { "The load generator sent 1 % of the requests more than ${timeOfMillis(it)} late." }
    },
    // An open profile waits for nothing, so a send that was due and never happened is the generator's own doing.
    invalid(LOWER_RATE) {
        val due = scheduled() ?: return@invalid null
        load.due?.takeIf { abs(it - due) > MOST_MISSED * due + byChance(due) }?.let {
            "The load generator sent ${count(it)} of ${rounded(due)} due requests (off by ${percent(abs(1 - it / due))})."
        }
    },
    // Requests that never left, for want of a descriptor or a port of the client's, say nothing of the subject.
    invalid(
        "Raise the limit of open files (`ulimit -n 65536` as root) and the port range (`net.ipv4.ip_local_port_range`), " +
            "or use fewer connections.",
    ) {
        load.errors[ErrorCause.CLIENT]?.takeIf { load.sent > 0 && it > MOST_SHORT * load.sent }?.let {
            "The client ran out of file descriptors or local ports for ${count(it)} of ${count(load.sent)} requests."
        }
    },
)

private fun invalid(advice: String, sentence: MeasuredTrial.() -> String?) = Check(Threat.Kind.LOAD_GENERATOR, advice, sentence)

/** CPUs used by services that have no CPU apart from the generator's. A database there is a limit of its own. */
private fun MeasuredTrial.servicesBeside(): Double {
    val engine = cpusOf(facts.record.limits?.engineCpuList)
    val shared = facts.record.services.any { (cpusOf(it.cpuList) intersect engine).isNotEmpty() }
    return if (shared) window?.summary(Metric.SERVICES_CPU) ?: 0.0 else 0.0
}

/** Sends that an open profile has in its window. Null for other loads, and for a chain: the schedule only says when it begins. */
private fun MeasuredTrial.scheduled(): Double? =
    (cell.profile.loadInWindow as? LoadProfile.Open)?.takeIf { cell.workload.steps.size == 1 }
        ?.let { it.perSecond * load.windowSeconds }

private fun MeasuredTrial.byChance(due: Double) = when ((cell.profile.load as? LoadProfile.Open)?.arrivals) {
    Arrivals.POISSON -> MOST_DEVIATIONS * sqrt(due)
    Arrivals.CONSTANT, null -> 1.0
}

/** `0-1,3` as the kernel writes it; empty where it is unknown. */
internal fun cpusOf(list: String?): Set<Int> = list.orEmpty().split(',').flatMap { part ->
    val ends = part.trim().split('-').mapNotNull { it.toIntOrNull() }
    if (ends.isEmpty()) emptyList() else (ends.first()..ends.last()).toList()
}.toSet()
