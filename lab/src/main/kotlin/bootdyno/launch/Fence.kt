package bootdyno.launch

import bootdyno.model.Bytes
import bootdyno.model.CpuBy
import bootdyno.model.Limits
import bootdyno.model.LimitsFound
import bootdyno.system.formatCpuList
import bootdyno.system.limits.Group
import bootdyno.system.parseCpuList

/** What is asked for one subject, and how it is held to that. [cpus] are those it may run on. */
internal data class Fence(
    val mechanism: String,
    val memoryByHeap: Boolean,
    val asked: Limits,
    val cpus: List<Int>,
    val placement: Placement,
    val quota: Double?,
    val notes: List<String>,
)

/** The quota to ask for: the whole limit by quota; by pinning only what whole CPUs cannot say, a fraction. */
internal fun quotaFor(limits: Limits): Double? = limits.cpus?.takeIf {
    limits.cpuBy == CpuBy.QUOTA ||
        it != wholeCpus(it).toDouble()
}

/** The CPUs the subject may run on: without a way to set a quota, whole CPUs of its own instead. */
internal fun cpusFor(limits: Limits, placement: Placement, quotas: Boolean): List<Int> {
    val cpus = limits.cpus ?: return placement.subject
    return if (limits.cpuBy == CpuBy.QUOTA && !quotas) placement.subject.takeLast(wholeCpus(cpus)) else placement.subject
}

/** What the kernel says of a subject now. */
internal data class KernelSays(val cpuList: String?, val group: Group?, val machineCpus: Int)

/** Limits in force, with a note for each one asked for that is not. */
internal fun limitsFound(fence: Fence, says: KernelSays): LimitsFound {
    val count = says.cpuList?.let { parseCpuList(it).size } ?: says.machineCpus
    val quota = says.group?.quota()?.takeIf { it < count }
    val pinned = count.toDouble().takeIf { count < says.machineCpus }
    val memory = says.group?.memory()?.let(::Bytes)
    val cpus = quota ?: pinned
    return LimitsFound(
        mechanism = fence.mechanism,
        cpus = cpus,
        cpuBy = if (quota != null) {
            CpuBy.QUOTA
        } else if (pinned != null) {
            CpuBy.PINNING
        } else {
            null
        },
        cpuList = says.cpuList,
        memory = memory,
        engineCpuList = formatCpuList(fence.placement.engine),
        notes = fence.notes + listOfNotNull(
            cpuNote(fence.asked, cpus ?: says.machineCpus.toDouble(), cpus != null),
            "The load engine shares CPU ${formatCpuList(fence.placement.engine)} with the subject.".takeIf {
                fence.placement.shared &&
                    cpus != null
            },
            "The memory limit could not be applied.".takeIf {
                fence.asked.memory != null && memory == null && !fence.memoryByHeap
            },
        ),
    )
}

private fun cpuNote(asked: Limits, found: Double, limited: Boolean): String? {
    val cpus = asked.cpus ?: return null
    val plain = { n: Double -> if (n == n.toLong().toDouble()) "${n.toLong()}" else "$n" }
    return when {
        found > cpus + 1e-5 && limited -> "${plain(cpus)} CPUs were asked for, ${plain(found)} is what the subject has."

        found > cpus + 1e-5 -> "${plain(cpus)} CPUs were asked for, but nothing holds the subject to them."

        found < cpus - 1e-5 -> "${plain(cpus)} CPUs were asked for, the machine has only ${plain(found)} to give."

        asked.cpuBy == CpuBy.PINNING && cpus != wholeCpus(cpus).toDouble() ->
            "${plain(
                cpus,
            )} CPUs are no whole CPUs to pin to: the subject is pinned to ${wholeCpus(cpus)} with a quota of ${plain(cpus)}."

        else -> null
    }
}
