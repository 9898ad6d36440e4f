package bootdyno.system.limits

import bootdyno.system.readOrNull
import java.nio.file.Files
import java.nio.file.Path

/** The group that somebody else made for [pid], known by [name] being part of its path; null where it cannot be seen from here. */
fun groupOf(pid: Long, name: String): Group? = groupIn(
    cgroupMounts(
        mountInfo = readOrNull(Path.of("/proc/self/mountinfo")).orEmpty(),
        ownGroups = readOrNull(Path.of("/proc/$pid/cgroup")).orEmpty(),
        exists = Files::isDirectory,
    ),
    name,
)

fun groupIn(mounts: CgroupMounts, name: String): Group? {
    fun named(folder: Path?) = folder?.takeIf { name in "$it" }
    val cpu = named(mounts.v1["cpu"])
    val accounting = named(mounts.v1["cpuacct"])
    val memory = named(mounts.v1["memory"])
    if (cpu != null && accounting != null && memory != null) return V1Group(cpu, accounting, memory)
    return named(mounts.v2)?.let(::V2Group)
}
