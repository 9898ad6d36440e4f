package bootdyno.plan

import bootdyno.model.Bytes
import bootdyno.model.CpuBy
import bootdyno.model.Limits

private const val UNLIMITED = "unlimited"
private const val ALL_CPUS = Double.POSITIVE_INFINITY
private val ALL_MEMORY = Bytes(Long.MAX_VALUE)

internal object LimitsKeys : Shape<Limits>("limits", "What a subject gets of the machine.") {
    val cpus =
        key("cpus", number(CPUS).or(UNLIMITED, ALL_CPUS), "CPUs, at most what the machine has.", 1.0) { it.cpus ?: ALL_CPUS }
    val memory =
        key("memory", bytes(MEMORY).or(UNLIMITED, ALL_MEMORY), "Memory, at most what the machine has.", Bytes(Bytes.GIB)) {
            it.memory ?: ALL_MEMORY
        }
    val cpuBy = key(
        "cpu-by",
        choice(words<CpuBy>()),
        "`pinning`: whole CPUs of its own. `quota`: a share of all CPUs, throttled when it is used up.",
        CpuBy.PINNING,
    ) { it.cpuBy }
    val DEFAULT = Limits(cpus.default, memory.default, cpuBy.default)
}

/** @param machine where the plan is to run, when that is known */
internal fun readLimits(fields: Fields, machine: Machine?): Limits {
    val cpus = fields[LimitsKeys.cpus].takeIf(Double::isFinite)
    val memory = fields[LimitsKeys.memory].takeIf { it != ALL_MEMORY }
    val by = fields[LimitsKeys.cpuBy]
    if (cpus != null && by == CpuBy.PINNING && cpus % 1.0 != 0.0) {
        fields.at(
            LimitsKeys.cpus,
        )?.problem("pinning gives whole CPUs, not ${plainText(cpus)}", "a share of a CPU needs cpu-by: quota")
    }
    if (cpus != null && machine != null && cpus > machine.cpus) {
        fields.at(LimitsKeys.cpus)
            ?.problem("${plainText(cpus)} CPUs are more than this machine has", "it has ${machine.cpus}: write at most that")
    }
    val all = machine?.memory
    if (memory != null && all != null && memory > all) {
        fields.at(LimitsKeys.memory)?.problem(
            "${memory.toText()} is more memory than this machine has",
            "it has ${all.count / Bytes.MIB} MiB: write less than that",
        )
    }
    return Limits(cpus, memory, by)
}
