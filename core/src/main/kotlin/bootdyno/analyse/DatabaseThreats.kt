package bootdyno.analyse

import bootdyno.model.Metric
import bootdyno.model.cpusText
import bootdyno.model.percent

/** From this share of its CPUs on, a database is the limit, or about to be. */
private const val BUSY = 0.90

/**
 * Unlike a busy load generator, a busy database is a finding: what it allows is what such a stack can do. But it hides what a stack
 * could do more; and where the generator shares its CPUs, as on a machine with two, each could have done more without the other.
 */
internal fun busyDatabase(trial: MeasuredTrial): Threat? {
    val cpus = cpusOf(trial.facts.record.database?.cpuList).ifEmpty { return null }
    val used = trial.window?.summary(Metric.SERVICES_CPU) ?: return null
    val generator = trial.load.generator
    val shared = (cpus intersect cpusOf(trial.facts.record.limits?.engineCpuList)).isNotEmpty()
    val share = (used + if (shared) generator.cpuSeconds / trial.load.windowSeconds else 0.0) / cpus.size
    if (share <= BUSY) return null
    val who = if (shared) "The database and the load generator on its CPUs" else "The database"
    return Threat(
        Threat.Kind.DATABASE_BUSY,
        "$who used ${percent(share)} of ${cpusText(cpus.size.toDouble())} and limited the throughput.",
        "Give the database more CPUs, or the application fewer. Compare CPU time per request.",
    )
}
