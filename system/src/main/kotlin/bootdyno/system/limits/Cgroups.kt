package bootdyno.system.limits

import bootdyno.system.ioOrNull
import bootdyno.system.killAll
import bootdyno.system.onFailure
import bootdyno.system.readOrNull
import bootdyno.system.runShortly
import bootdyno.system.waitUntil
import java.io.IOException
import java.nio.file.Files
import java.nio.file.Path
import kotlin.time.Duration.Companion.seconds

/** Creates and removes cgroups. The kernel manages the files in their folders. */
interface GroupFolders {
    fun make(folder: Path)

    /** No effect if it does not exist. */
    fun remove(folder: Path)
}

object KernelGroupFolders : GroupFolders {
    override fun make(folder: Path) {
        Files.createDirectory(folder)
    }

    override fun remove(folder: Path) {
        Files.deleteIfExists(folder)
    }
}

/** Creates cgroups below the first writable one of [parents]; [whyNone] is the reason if there are none. */
class Cgroups internal constructor(
    version: Int,
    private val kernel: GroupFolders,
    private val whyNone: String,
    private val parents: () -> List<Group>,
) : Confinement {
    override val mechanism = "cgroup v$version"

    /** Tries it, because writes may fail despite permissions (a delegated tree without controllers, a read-only mount). */
    override fun whyNot(): String? {
        if (parents().isEmpty()) return whyNone
        val enclosure = try {
            enclose("dyno-try-${ProcessHandle.current().pid()}-${System.nanoTime()}", Share(1.0, TRIED_MEMORY, favoured = false))
        } catch (refused: IOException) {
            return "A group could not be made: ${refused.message}."
        }
        try {
            val inside = runShortly(enclosure.wrap(listOf("cat", "/proc/self/cgroup")))
                ?: return "No process could be started in a group."
            if (!inside.succeeded) return "A process could not enter a group: ${inside.output.lines().first()}"
            return enclosure.folders.find { folder -> inside.output.lines().none { it.endsWith("/${folder.fileName}") } }
                ?.let { "A process put into $it is not there." }
        } finally {
            enclosure.remove()
        }
    }

    override fun enclose(name: String, share: Share): Enclosure {
        var refusal = IOException(whyNone.removeSuffix("."))
        for (parent in parents()) {
            try {
                return made(parent.child(name), share)
            } catch (refused: IOException) {
                refusal = refused
            }
        }
        throw refusal
    }

    private fun made(group: Group, share: Share): Enclosure {
        val made = mutableListOf<Path>()
        return onFailure({ removeGroups(made, kernel) }) {
            group.folders.forEach {
                kernel.make(it)
                made.add(it)
            }
            GroupEnclosure(group, group.apply(share), kernel)
        }
    }
}

/** [mounts]: folder of our own cgroup by controller. */
fun cgroupV1(mounts: Map<String, Path>, kernel: GroupFolders = KernelGroupFolders): Cgroups {
    val missing = CONTROLLERS_OF_VERSION_1 - mounts.keys
    return Cgroups(1, kernel, "Version 1 of the ${missing.joinToString(", ")} cgroup is not mounted.") {
        listOfNotNull(groupOfVersion1(mounts::get))
    }
}

/**
 * A cgroup with processes, like our own, cannot give controllers to children. So the parent is the nearest ancestor of [own], up to [top], that
 * accepts a child with the cpu and memory controllers; under systemd that is the delegated slice of the user.
 */
fun cgroupV2(own: Path?, top: Path?, kernel: GroupFolders = KernelGroupFolders): Cgroups {
    if (own == null || top == null) return Cgroups(2, kernel, "Version 2 of cgroups is not mounted.") { emptyList() }
    return Cgroups(2, kernel, "No cgroup above ours hands out both the cpu and the memory controller.") {
        generateSequence(own) { folder -> folder.parent?.takeIf { folder != top && it.startsWith(top) } }
            .filter { hasControllers(it.resolve("cgroup.controllers")) }
            .filter { handsOut(it) || Files.isWritable(it.resolve(HANDED_OUT)) }
            .map { Group(2, it) }.toList()
    }
}

internal fun hasControllers(file: Path) = readOrNull(file).orEmpty().split(' ', '\n').containsAll(listOf("cpu", "memory"))

internal fun handsOut(group: Path) = hasControllers(group.resolve(HANDED_OUT))

internal const val HANDED_OUT = "cgroup.subtree_control"

/** A cgroup made by us; the shell of [wrap] enters it. */
private class GroupEnclosure(private val group: Group, override val notes: List<String>, private val kernel: GroupFolders) :
    Enclosure {
    override val folders get() = group.folders

    /** The process and its children are inside from the first instruction. */
    override fun wrap(command: List<String>): List<String> {
        val script = """
            while [ "${'$'}1" != -- ]; do
              echo ${'$'}${'$'} > "${'$'}1/cgroup.procs" || { echo "dyno: cannot enter the group ${'$'}1" >&2; exit 126; }
              shift
            done
            shift
            exec "${'$'}@"
        """.trimIndent()
        return listOf("sh", "-c", script, "sh") + folders.map { "$it" } + "--" + command
    }

    override fun group(pid: Long) = group

    override fun remove() = removeGroups(folders, kernel)
}

/** Kills the processes inside and removes the folders. True if all are gone. */
fun removeGroups(folders: List<Path>, kernel: GroupFolders = KernelGroupFolders): Boolean = folders.map { folder ->
    waitUntil(5.seconds) {
        killAll(membersOf(folder))
        // The kernel reports "busy" until the last killed process is reaped.
        ioOrNull { kernel.remove(folder) }
        !Files.exists(folder)
    }
}.all { it }
