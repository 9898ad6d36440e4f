package bootdyno.launch

import bootdyno.model.Bytes
import bootdyno.model.CpuBy
import bootdyno.model.Limits
import bootdyno.model.LimitsFound
import bootdyno.system.formatCpuList
import bootdyno.system.limits.Group
import bootdyno.system.limits.Share
import bootdyno.system.parseCpuList

/** The configured limits of a subject, and how they are applied. */
internal data class AppliedLimits(
    val mechanism: String,
    val memoryByHeap: Boolean,
    val asked: Limits,
    val placement: Placement,
    val notes: List<String>,
) {
    val quota: Double? get() = quotaFor(asked)

    val cpus: List<Int> get() = cpusFor(asked, placement, quotas = !memoryByHeap)
    val share: Share get() = Share(quota, asked.memory?.count, favoured = !placement.shared)
}

/** The CPU quota: the complete limit with `quota`; with `pinning` only for a fraction of a CPU. */
internal fun quotaFor(limits: Limits): Double? =
    limits.cpus?.takeIf { limits.cpuBy == CpuBy.QUOTA || it != wholeCpus(it).toDouble() }

/**
 * The CPUs that the subject may use. Under a quota these are all of [placement], otherwise, or if quotas are unsupported, as many whole
 * CPUs as its limit.
 */
internal fun cpusFor(limits: Limits, placement: Placement, quotas: Boolean): List<Int> {
    val cpus = limits.cpus ?: return placement.subject
    return if (limits.cpuBy == CpuBy.QUOTA && quotas) placement.subject else placement.subject.takeLast(wholeCpus(cpus))
}

/** The limits as read back from [cpuList] and [group], with a note for each one that was not applied. */
internal fun limitsFound(applied: AppliedLimits, cpuList: String?, group: Group?, machineCpus: Int): LimitsFound {
    val count = cpuList?.let { parseCpuList(it).size } ?: machineCpus
    val quota = group?.quota()?.takeIf { it < count }
    val pinned = count.toDouble().takeIf { count < machineCpus }
    val memory = group?.memory()?.let(::Bytes)
    val cpus = quota ?: pinned
    val engine = formatCpuList(applied.placement.engine)
    return LimitsFound(
        mechanism = applied.mechanism,
        cpus = cpus,
        cpuBy = quota?.let { CpuBy.QUOTA } ?: pinned?.let { CpuBy.PINNING },
        cpuList = cpuList,
        memory = memory,
        engineCpuList = engine,
        notes = applied.notes + listOfNotNull(
            cpuNote(applied.asked, cpus ?: machineCpus.toDouble(), cpus != null),
            "The load engine shares CPU $engine with the subject.".takeIf { applied.placement.shared && cpus != null },
            "The load engine, on CPU $engine, shares a core with the subject: there is no other.".takeIf {
                applied.placement.sharedCore
            },
            "The memory limit could not be applied."
                .takeIf { applied.asked.memory != null && memory == null && !applied.memoryByHeap },
        ),
    )
}

private fun cpuNote(asked: Limits, found: Double, limited: Boolean): String? {
    val cpus = asked.cpus ?: return null
    val plain = { n: Double -> if (n == n.toLong().toDouble()) "${n.toLong()}" else "$n" }
    val wanted = plain(cpus)
    return when {
        found > cpus + 1e-5 && limited -> "$wanted CPUs were asked for. The subject has ${plain(found)}."

        found > cpus + 1e-5 -> "$wanted CPUs were asked for. No CPU limit could be applied."

        found < cpus - 1e-5 -> "$wanted CPUs were asked for. The machine has only ${plain(found)}."

        asked.cpuBy == CpuBy.PINNING && cpus != wholeCpus(cpus).toDouble() ->
            "$wanted is not a whole number of CPUs: the subject is pinned to ${wholeCpus(cpus)} with a quota of $wanted."

        else -> null
    }
}
