package bootdyno.probe

import bootdyno.system.limits.CgroupPaths

/**
 * What to read: the subject, its control group, the load engines, and the services.
 *
 * [pid] is null for a server that already ran and whose process is not known: then only the machine and the engines are read.
 */
data class Watched(
    val pid: Long?,
    val cgroup: CgroupPaths? = null,
    val enginePids: () -> List<Long> = { emptyList() },
    /** The processes of the services of this moment; null where there are no services. */
    val servicePids: (() -> List<Long>)? = null,
)
