package bootdyno.analyse

import bootdyno.model.Limits
import bootdyno.model.LimitsFound
import bootdyno.model.TrialRecord
import bootdyno.model.exact
import bootdyno.model.size
import kotlin.math.abs

private const val MOST_OFF = 0.01

internal fun limitsNotApplied(trial: MeasuredTrial): Threat? {
    val gaps = gaps(trial.cell.limits, trial.facts.record.limits).ifEmpty { return null }
    return Threat(
        Threat.Kind.LIMITS_NOT_APPLIED,
        gaps.joinToString(" ") { if (it.endsWith('.')) it else "$it." },
        "Run `./dyno doctor`. Compare only with figures under the same limits.",
    )
}

private fun gaps(asked: Limits, found: LimitsFound?): List<String> {
    if (asked.cpus == null && asked.memory == null) return emptyList()
    if (found == null) return listOf("The limits of the application are unknown.")
    return found.notes.ifEmpty { listOfNotNull(cpuGap(asked, found), memoryGap(asked, found)) }
}

private fun cpuGap(asked: Limits, found: LimitsFound): String? {
    val cpus = asked.cpus ?: return null
    val really = found.cpus ?: return "The CPU limit of ${exact(cpus)} was not applied."
    if (abs(really / cpus - 1) <= MOST_OFF) return null
    return "The CPU limit was ${exact(really)} instead of ${exact(cpus)}."
}

private fun memoryGap(asked: Limits, found: LimitsFound): String? {
    val memory = asked.memory ?: return null
    val really = found.memory ?: return "The memory limit of ${size(memory)} was not applied."
    if (abs(really.count.toDouble() / memory.count - 1) <= MOST_OFF) return null
    return "The memory limit was ${size(really)} instead of ${size(memory)}."
}

internal fun sharedCpu(trial: MeasuredTrial): Threat? {
    val limits = trial.facts.record.limits ?: return null
    val services = trial.facts.record.serviceCpuLists
    val others = cpusOf(limits.engineCpuList) + services.flatMap(::cpusOf)
    val shared = (cpusOf(limits.cpuList) intersect others).ifEmpty { return null }
    val who = if (services.isEmpty()) "load generator" else "load generator or services"
    return Threat(
        Threat.Kind.SHARED_CPU,
        "The application and the $who shared ${if (shared.size == 1) "CPU" else "CPUs"} ${shared.sorted().joinToString()}.",
        "Use a machine with more CPUs, or a smaller CPU limit for the application.",
    )
}

/** Of what the subject calls, its database too. */
internal val TrialRecord.serviceCpuLists: List<String?> get() = services.map { it.cpuList } + listOfNotNull(database?.cpuList)

/** `0-1,3` as the kernel writes it; empty where it is unknown. */
internal fun cpusOf(list: String?): Set<Int> = list.orEmpty().split(',').flatMap { part ->
    val ends = part.trim().split('-').mapNotNull { it.toIntOrNull() }
    if (ends.isEmpty()) emptyList() else (ends.first()..ends.last()).toList()
}.toSet()
