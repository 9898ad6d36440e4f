package bootdyno.plan

import bootdyno.model.Bytes
import bootdyno.model.CpuBy
import bootdyno.model.Limits

internal val LIMIT_KEYS = listOf("cpus", "memory", "cpu-by")
internal val CPU_BY = mapOf("quota" to CpuBy.QUOTA, "pinning" to CpuBy.PINNING)
internal const val UNLIMITED = "unlimited"

private val DEFAULT = Limits(cpus = 1.0, memory = Bytes(Bytes.GIB), cpuBy = CpuBy.PINNING)

/** One CPU of its own and 1 GiB, where the file does not say otherwise. */
internal fun readLimits(cursor: Cursor?, machine: Machine?): Limits {
    val fields = cursor?.fields(LIMIT_KEYS) ?: return DEFAULT
    val by = fields["cpu-by"]?.oneOf(CPU_BY) ?: DEFAULT.cpuBy
    val cpus = fields["cpus"]
    val count = if (cpus == null) DEFAULT.cpus else cpus.unlessUnlimited { number(CPUS) }
    if (cpus != null && count != null && by == CpuBy.PINNING && count % 1.0 != 0.0) {
        cpus.problem("pinning gives whole CPUs, not ${plainText(count)}", "a share of a CPU needs cpu-by: quota")
    }
    val memory = fields["memory"]
    val size = if (memory == null) DEFAULT.memory else memory.unlessUnlimited { bytes(MEMORY) }
    if (machine != null) checkMachine(machine, cpus, count, memory, size)
    return Limits(count, size, by)
}

private fun checkMachine(machine: Machine, cpus: Cursor?, count: Double?, memory: Cursor?, size: Bytes?) {
    if (count != null && count > machine.cpus) {
        cpus?.problem("${plainText(count)} CPUs are more than this machine has", "it has ${machine.cpus}: write at most that")
    }
    val all = machine.memory ?: return
    if (size != null && size > all) {
        memory?.problem(
            "${size.toText()} is more memory than this machine has",
            "it has ${all.count / Bytes.MIB} MiB: write less than that",
        )
    }
}

private fun <T> Cursor.unlessUnlimited(read: Cursor.() -> T?): T? = if ((node as? TextNode)?.text == UNLIMITED) null else read()
