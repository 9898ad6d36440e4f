package bootdyno.launch.docker

import bootdyno.launch.AppliedLimits
import bootdyno.system.formatCpuList
import java.util.Locale

/** The flags of `docker create` for what [applied] asks. Swap beyond the memory limit is none. */
internal fun limitFlags(applied: AppliedLimits): List<String> = listOfNotNull(
    applied.share.quota?.let { "--cpus=${cpusText(it)}" },
    // Always: the engine's own processes may run on more CPUs than we may.
    "--cpuset-cpus=${formatCpuList(applied.cpus)}",
    applied.share.memory?.let { "--memory=${it}b" },
    applied.share.memory?.let { "--memory-swap=${it}b" },
    "--cpu-shares=10240".takeIf { applied.share.favoured },
)

internal fun cpusText(cpus: Double): String = String.format(Locale.ROOT, "%.3f", cpus)
