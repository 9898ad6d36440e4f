package bootdyno.launch.docker

import bootdyno.launch.Fence
import bootdyno.system.formatCpuList
import bootdyno.system.limits.Share
import java.util.Locale

/** The flags of `docker create` for what [fence] asks. Swap beyond the memory limit is none. */
internal fun limitFlags(fence: Fence, share: Share): List<String> = listOfNotNull(
    share.quota?.let { "--cpus=${cpusText(it)}" },
    // Always: the engine's own processes may run on more CPUs than we may.
    "--cpuset-cpus=${formatCpuList(fence.cpus)}",
    share.memory?.let { "--memory=${it}b" },
    share.memory?.let { "--memory-swap=${it}b" },
    "--cpu-shares=10240".takeIf { share.favoured },
)

internal fun cpusText(cpus: Double): String = String.format(Locale.ROOT, "%.3f", cpus)
