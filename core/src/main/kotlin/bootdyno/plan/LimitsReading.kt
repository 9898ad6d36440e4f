package bootdyno.plan

import bootdyno.model.Bytes
import bootdyno.model.CpuBy
import bootdyno.model.Limits

private const val UNLIMITED = "unlimited"
private const val ALL_CPUS = Double.POSITIVE_INFINITY
private val ALL_MEMORY = Bytes(Long.MAX_VALUE)
private const val CPU_BY = "`pinning`: whole CPUs of its own. `quota`: a share of all CPUs, throttled when it is used up."

internal object LimitsKeys : OpenShape<Limits>("limits", "What a subject gets of the machine.") {
    val cpus by key(number(CPUS).or(UNLIMITED, ALL_CPUS), "CPUs, at most what the machine has.", 1.0) { it.cpus ?: ALL_CPUS }
    val memory by key(bytes(MEMORY).or(UNLIMITED, ALL_MEMORY), "At most what the machine has.", Bytes(Bytes.GIB)) {
        it.memory
            ?: ALL_MEMORY
    }
    val cpuBy by key(choice(words<CpuBy>()), CPU_BY, CpuBy.PINNING) { it.cpuBy }
    val default get() = Limits(cpus.default, memory.default, cpuBy.default)
}

/** @param machine where the plan is to run, when that is known */
internal fun readLimits(fields: Fields, machine: Machine?): Limits {
    val limits = Limits(
        fields[LimitsKeys.cpus].takeIf(Double::isFinite),
        fields[LimitsKeys.memory].takeIf { it != ALL_MEMORY },
        fields[LimitsKeys.cpuBy],
    )
    limits.cpus?.let { cpus ->
        val asked = plainText(cpus)
        val at = fields.at(LimitsKeys.cpus)
        if (limits.cpuBy == CpuBy.PINNING && cpus % 1.0 != 0.0) {
            at?.problem("pinning gives whole CPUs, not $asked", "a share of a CPU needs cpu-by: quota")
        }
        if (machine != null && cpus > machine.cpus) {
            at?.problem("$asked CPUs are more than this machine has", "it has ${machine.cpus}: write at most that")
        }
    }
    val all = machine?.memory ?: return limits
    limits.memory?.takeIf { it > all }?.let { memory ->
        fields.at(LimitsKeys.memory)
            ?.problem(
                "${memory.toText()} is more memory than this machine has",
                "it has ${all.count / Bytes.MIB} MiB: write less than that",
            )
    }
    return limits
}
