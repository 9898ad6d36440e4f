package bootdyno.faults

import java.io.IOException
import java.io.UncheckedIOException
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.exists
import kotlin.io.path.isDirectory
import kotlin.io.path.isRegularFile
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlin.io.path.readLines
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/** What a dyno that has ended may not leave behind, each in a few words. */
internal class Leftovers(private val world: World) {
    /** While processes run, nothing else is looked for: they may still remove it. */
    fun find(): List<String> = processes().map { "process ${it.pid} ${it.words.take(LONGEST)}" }
        .ifEmpty { cgroups() + mounts() + ports() + ledgers() + temporaryFiles() }

    /** Asserts that there are none, which may take [within]: the kernel reaps in its own time, and others may have taken the CPUs. */
    fun assertNone(within: Duration = 30.seconds) {
        val deadline = System.nanoTime() + within.inWholeNanoseconds
        var left = find()
        while (left.isNotEmpty()) {
            if (System.nanoTime() > deadline) {
                processes().forEach { ProcessHandle.of(it.pid).ifPresent(ProcessHandle::destroyForcibly) }
                throw AssertionError("left behind after $within:\n${left.joinToString("\n")}")
            }
            Thread.sleep(LOOK_MILLIS)
            left = find()
        }
    }

    /** Whatever a dyno of this world was seen to start, is in its session, or has a path of this world among its words. */
    fun processes(): List<Seen> {
        val children = world.childrenAlive
        return runningProcesses().filter { it.pid in children || it.session in world.pids || "${world.root}/" in it.words }
    }

    private fun cgroups(): List<String> = try {
        val ofWorld = Regex("dyno-(try-)?(${world.pids.joinToString("|")})-.*")
        Files.walk(GROUPS, DEEPEST_GROUP).use { all ->
            all.filter { ofWorld.matches(it.name) && it.isDirectory() }.map { "cgroup $it" }.toList()
        }
    } catch (gone: UncheckedIOException) {
        // One was removed while it was looked at: the next look tells.
        listOf("cgroup ${gone.message}")
    }

    private fun mounts(): List<String> = Path.of("/proc/self/mounts").readLines()
        .filter { line -> "${world.temporary}" in line || "dyno" in line.substringBefore(' ') }.map { "mount $it" }

    /** Subjects write down where they listen, as an argument of their command. */
    private fun ports(): List<String> {
        val listening = listOf("tcp", "tcp6").map { Path.of("/proc/net", it) }.filter { it.exists() }
            .flatMap { it.readLines().drop(1) }.map { it.trim().split(Regex("\\s+")) }
            .filter { it.getOrNull(3) == LISTENS }.map { it[1].substringAfter(':').toInt(16) }.toSet()
        return world.portsUsed().filter { it in listening }.map { "port $it" }
    }

    /** Values of imported requests stay: runs are resumed with them. */
    private fun ledgers(): List<String> = Files.walk(world.state).use { all ->
        all.filter { it.isRegularFile() && it.parent.name != "imports" }.map { "ledger $it" }.toList()
    }

    /** A lock is there for the next one. */
    private fun temporaryFiles(): List<String> =
        world.temporary.listDirectoryEntries().filterNot { "lock" in it.name || it.name.startsWith("hsperfdata") }
            .filterNot { it.isDirectory() && it.listDirectoryEntries().all { file -> "lock" in file.name } }
            .map { "temporary file $it" }

    private companion object {
        val GROUPS: Path = Path.of("/sys/fs/cgroup")
        const val DEEPEST_GROUP = 6
        const val LISTENS = "0A"
        const val LONGEST = 200

        /** Each look reads all of /proc and all cgroups. */
        const val LOOK_MILLIS = 200L
    }
}

/** A process that runs, as `/proc` shows it. */
internal class Seen(val pid: Long, val session: Long, val words: String)

internal fun runningProcesses(): List<Seen> = Path.of("/proc").listDirectoryEntries("[0-9]*").mapNotNull { folder ->
    try {
        // The name, in brackets, may hold anything.
        val stat = Files.readString(folder.resolve("stat")).substringAfterLast(") ").split(' ')
        val words = String(Files.readAllBytes(folder.resolve("cmdline"))).replace('\u0000', ' ')
        Seen(folder.name.toLong(), session = stat[3].toLong(), words = words).takeUnless { stat[0] in setOf("Z", "X") }
    } catch (_: IOException) {
        null
    }
}
