package bootdyno.system.limits

import bootdyno.system.killAll
import bootdyno.system.readOrNull
import bootdyno.system.runShortly
import bootdyno.system.waitUntil
import java.io.IOException
import java.nio.file.Files
import java.nio.file.Path
import kotlin.time.Duration.Companion.seconds

/**
 * The command that enters [folders] and then becomes [command]: it is inside from its first instruction, so are its children, and
 * the pid stays.
 */
fun enterAndExec(folders: List<Path>, command: List<String>): List<String> {
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

fun membersOf(folder: Path): List<Long> =
    readOrNull(folder.resolve("cgroup.procs")).orEmpty().lines().mapNotNull { it.trim().toLongOrNull() }

/** Kills what is inside and removes the folders. True when all are gone. */
fun removeGroups(folders: List<Path>, kernel: GroupFolders = KernelGroupFolders): Boolean =
    folders.map { removeGroup(it, kernel) }.all { it }

private fun removeGroup(folder: Path, kernel: GroupFolders): Boolean = waitUntil(5.seconds) {
    killAll(membersOf(folder))
    // The kernel answers "busy" until the last killed member is reaped.
    try {
        kernel.remove(folder)
    } catch (_: IOException) {
    }
    !Files.exists(folder)
}

/** Makes [folders]; when one cannot be made those made before it are removed again. */
fun makeGroups(folders: List<Path>, kernel: GroupFolders) {
    val made = mutableListOf<Path>()
    try {
        folders.forEach {
            kernel.make(it)
            made.add(it)
        }
    } catch (refused: IOException) {
        removeGroups(made, kernel)
        throw refused
    }
}

/**
 * A group is made, a process put into it and seen there, and all removed again. Null when that went well, else why not.
 * Files that look writable may refuse (a delegated tree without its controllers, a read-only mount), so only trying tells.
 */
fun tryGroups(confinement: Confinement, share: Share): String? {
    val enclosure = try {
        confinement.enclose("dyno-try-${ProcessHandle.current().pid()}-${System.nanoTime()}", share)
    } catch (refused: IOException) {
        return "A group could not be made: ${refused.message}."
    }
    try {
        val inside = runShortly(enclosure.wrap(listOf("cat", "/proc/self/cgroup")))
            ?: return "No process could be started in a group."
        if (!inside.succeeded) return "A process could not enter a group: ${inside.output.lines().first()}"
        val missing = enclosure.folders.filterNot { folder -> inside.output.lines().any { it.endsWith("/${folder.fileName}") } }
        if (missing.isNotEmpty()) return "A process put into ${missing.first()} is not there."
        return null
    } finally {
        enclosure.remove()
    }
}
