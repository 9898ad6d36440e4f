package bootdyno.probe

import java.nio.file.Path

/**
 * What to read: the subject, its control group, the load engines, and the services.
 *
 * [pid] is null for a server that already ran and whose process is not known: then only the machine and the engines are read.
 */
data class Watched(
    val pid: Long?,
    val cgroup: CgroupFiles? = null,
    val enginePids: () -> List<Long> = { emptyList() },
    /** The processes of the services of this moment; null where there are no services. */
    val servicePids: (() -> List<Long>)? = null,
)

/**
 * The files of the subject's control group, wherever they are mounted; null where there is none.
 *
 * Version 1: [cpuStat] is `cpu.stat` of the cpu hierarchy, [cpuUsage] is `cpuacct.usage`, [memory] is `memory.usage_in_bytes`.
 * Version 2: [cpuStat] is `cpu.stat` (it holds the usage too, so [cpuUsage] is null), [memory] is `memory.current`.
 */
data class CgroupFiles(val cpuStat: Path?, val cpuUsage: Path?, val memory: Path?)
