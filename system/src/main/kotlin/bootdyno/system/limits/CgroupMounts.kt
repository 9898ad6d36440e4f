package bootdyno.system.limits

import bootdyno.system.readOrNull
import java.nio.file.Files
import java.nio.file.Path

/** The cgroups of this process. */
data class CgroupMounts(
    /** Version 1: folder of our own cgroup by controller (`memory`). */
    val v1: Map<String, Path>,
    /** Version 2: folder of our own cgroup, and the visible root. */
    val v2: Path?,
    val v2Top: Path?,
)

fun cgroupMountsHere(): CgroupMounts = mountsOf("self")

private fun mountsOf(process: String) = cgroupMounts(
    mountInfo = readOrNull(Path.of("/proc/self/mountinfo")).orEmpty(),
    ownGroups = readOrNull(Path.of("/proc/$process/cgroup")).orEmpty(),
    exists = Files::isDirectory,
)

/** The cgroup of [pid] that another program made, with [name] in its path; null if not visible from here. */
fun groupOf(pid: Long, name: String): Group? = groupIn(mountsOf("$pid"), name)

internal fun groupIn(mounts: CgroupMounts, name: String): Group? {
    fun named(folder: Path?) = folder?.takeIf { name in "$it" }
    return groupOfVersion1 { named(mounts.v1[it]) } ?: named(mounts.v2)?.let { Group(2, it) }
}

internal val CONTROLLERS_OF_VERSION_1 = listOf("cpu", "cpuacct", "memory")

/** The group with the [folder] of each controller; null if one is missing. */
internal fun groupOfVersion1(folder: (String) -> Path?): Group? {
    val (cpu, accounting, memory) = CONTROLLERS_OF_VERSION_1.map { folder(it) ?: return null }
    return Group(1, cpu, accounting, memory)
}

/**
 * Combines `/proc/self/mountinfo` (mount points, and mounted parts of the trees) and `/proc/self/cgroup` (our cgroups). In a container, the
 * second often has a host path that is not mounted; the mount point is our own cgroup then.
 */
fun cgroupMounts(mountInfo: String, ownGroups: String, exists: (Path) -> Boolean): CgroupMounts {
    val groups = ownGroups.lines().filter { it.count { c -> c == ':' } >= 2 }.map { it.split(':', limit = 3) }
    val mounts = mountInfo.lines().mapNotNull(::cgroupMount)
    val v1 = mounts.filter { it.version == 1 }.flatMap { mount ->
        mount.controllers.mapNotNull { controller ->
            groups.find { controller in it[1].split(',') }?.let { controller to mount.folder(it[2], exists) }
        }
    }.toMap()
    val v2 = mounts.find { it.version == 2 }
    return CgroupMounts(v1, v2?.folder(groups.find { it[0] == "0" }?.get(2) ?: "/", exists), v2?.point)
}

private data class CgroupMount(val version: Int, val root: String, val point: Path, val controllers: List<String>) {
    fun folder(group: String, exists: (Path) -> Boolean): Path {
        val below = when {
            root == "/" -> group
            group == root || group.startsWith("$root/") -> group.removePrefix(root)
            else -> "/"
        }
        val folder = point.resolve(below.trimStart('/'))
        return if (".." !in below && exists(folder)) folder else point
    }
}

/** Fields of a line: id, parent, device, root, mount point, options, optional fields, `-`, type, source, options of the file system. */
private fun cgroupMount(line: String): CgroupMount? {
    val fields = line.substringBefore(" - ").split(' ')
    val kind = line.substringAfter(" - ", "").split(' ')
    if (fields.size < 5 || kind.size < 3) return null
    val version = when (kind[0]) {
        "cgroup" -> 1
        "cgroup2" -> 2
        else -> return null
    }
    return CgroupMount(version, fields[3], Path.of(fields[4]), kind[2].split(','))
}
