package bootdyno.launch

import bootdyno.system.bootMark
import bootdyno.system.endAll
import bootdyno.system.endMarked
import bootdyno.system.familyOf
import bootdyno.system.isAlive
import bootdyno.system.marksOf
import bootdyno.system.startMark
import java.io.IOException
import java.nio.file.Files
import java.nio.file.LinkOption.NOFOLLOW_LINKS
import java.nio.file.Path
import java.nio.file.StandardCopyOption
import java.nio.file.StandardOpenOption
import kotlin.io.path.name
import kotlin.io.path.useDirectoryEntries
import kotlin.time.Duration.Companion.seconds

/**
 * Keeps on disk what this Boot Dyno has started and made, so that after a `kill -9` the next one can clean up.
 *
 * One file per Boot Dyno, `<pid>.ledger` in [folder], written to before anything can be lost. A file whose owner lives is never touched.
 * What a dead one left in a container engine is removed by [removeDocked], which says whether it is gone. May be used from several threads.
 */
class Ledger(private val folder: Path, private val removeDocked: (Docked) -> Boolean = { false }) : AutoCloseable {
    private val own = ProcessHandle.current().pid()
    private val file = folder.resolve("$own.ledger")

    /** Guarded by this ledger's own lock, as is every write. */
    private var opened = false

    /** A process we started; [what] in a few words, for the sentence of the one who cleans up. */
    fun child(pid: Long, what: String) {
        startMark(pid)?.let { write(LedgerLine.Child(pid, it, what)) }
    }

    fun group(folder: Path) = write(LedgerLine.Group(folder))

    /** A folder of ours with what a process keeps there; its name begins with [FOLDER_PREFIX], and is never used again. */
    fun folder(folder: Path) {
        require(folder.name.startsWith(FOLDER_PREFIX)) { "not a name of ours: $folder" }
        write(LedgerLine.Folder(folder))
    }

    /** A new folder of ours for temporary files below [parent], readable for nobody else. Throws [IOException]. */
    fun temporaryFolder(name: String, parent: Path = Path.of(System.getProperty("java.io.tmpdir"))): Path =
        Files.createTempDirectory(parent, "$FOLDER_PREFIX$name-").also(::folder)

    /** Removes what [temporaryFolder] made, with all that is in it. */
    fun removeTemporary(folder: Path) {
        removeFolder(folder)
        forgetFolder(folder)
    }

    /** Something that is about to be made in a container engine; its name is its owner's alone. */
    fun docked(what: Docked) = write(LedgerLine.InEngine(what))

    fun forgetDocked(what: Docked) = write(LedgerLine.EngineGone(what))

    fun forgetFolder(folder: Path) = write(LedgerLine.FolderGone(folder))

    fun forgetChild(pid: Long) = write(LedgerLine.ChildGone(pid))

    fun forgetGroup(folder: Path) = write(LedgerLine.GroupGone(folder))

    /** Removes the file, unless something is still there: that is for the next start. */
    @Synchronized
    override fun close() {
        if (opened && read(file).isSettled()) Files.deleteIfExists(file)
        opened = false
    }

    /**
     * For every ledger whose owner is dead: kills the children that are still the same processes (a pid alone proves nothing),
     * removes the groups, deletes the file. Says what it did, in sentences; none when there was nothing.
     */
    @Synchronized
    fun cleanUpAfterTheDead(): List<String> {
        if (!Files.isDirectory(folder)) return emptyList()
        return folder.useDirectoryEntries("*.ledger") { it.sorted().toList() }
            .filterNot { opened && it == file }
            .flatMap { settle(it) }
    }

    private fun settle(ledger: Path): List<String> {
        val lines = read(ledger)
        val owner = lines.filterIsInstance<LedgerLine.Owner>().firstOrNull()
        if (owner != null && owner.boot == bootMark() && isAlive(owner.pid, owner.mark)) return emptyList()
        val said = mutableListOf<String>()
        var settled = true
        // Nothing outlives a restart of the machine.
        if (owner?.boot == bootMark()) {
            for (child in lines.childrenLeft().filter { isAlive(it.pid, it.mark) }) {
                endAll(familyOf(child.pid), grace = 0.seconds)
                said += "Ended ${child.what} (pid ${child.pid}), left behind by Boot Dyno ${owner.pid}."
            }
            endMarked(marksOf(owner.pid, owner.mark))
            val groups = lines.groupsLeft().filter { Files.isDirectory(it) && it.name.startsWith(GROUP_PREFIX) }
            for ((name, folders) in groups.groupBy { it.name }) {
                val removed = removeGroups(folders)
                settled = settled && removed
                said +=
                    "${if (removed) "Removed" else "Could not remove"} the group $name, left behind by Boot Dyno ${owner.pid}."
            }
        }
        // They outlive a restart of the machine.
        val folders = lines.foldersLeft().filter { it.name.startsWith(FOLDER_PREFIX) && Files.isDirectory(it, NOFOLLOW_LINKS) }
        for (left in folders) {
            val removed = tryRemove(left)
            settled = settled && removed
            said += "${if (removed) "Removed" else "Could not remove"} the folder $left, left behind by Boot Dyno ${owner?.pid}."
        }
        for (what in lines.dockedLeft().filter { it.isOurs }) {
            val removed = removeDocked(what)
            settled = settled && removed
            said += "${if (removed) "Removed" else "Could not remove"} ${what.inWords}, left behind by Boot Dyno ${owner?.pid}."
        }
        if (settled) Files.deleteIfExists(ledger)
        return said
    }

    @Synchronized
    private fun write(line: LedgerLine) {
        if (!opened) open()
        Files.writeString(file, line.text() + "\n", StandardOpenOption.APPEND, StandardOpenOption.DSYNC)
    }

    /** A dead owner may have had our pid: settle its affairs first. The new file appears whole, so that nobody takes it for a dead one's. */
    private fun open() {
        Files.createDirectories(folder)
        val earlier = read(file).filterIsInstance<LedgerLine.Owner>().firstOrNull()
        if (earlier == me()) {
            opened = true
            return
        }
        settle(file)
        val whole = folder.resolve("$own.new")
        Files.writeString(whole, me().text() + "\n")
        Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE)
        opened = true
    }

    private fun me() = LedgerLine.Owner(own, startMark(own).orEmpty(), bootMark())

    private fun read(ledger: Path): List<LedgerLine> = try {
        Files.readAllLines(ledger).mapNotNull(::ledgerLine)
    } catch (_: IOException) {
        emptyList()
    }

    companion object {
        /** All folders of all Boot Dynos begin like this: nothing else is ever removed. */
        const val FOLDER_PREFIX = "boot-dyno-"
    }
}

private fun tryRemove(folder: Path): Boolean = try {
    removeFolder(folder)
    true
} catch (_: IOException) {
    false
}

/** Removes it with all that is in it; links are not followed. */
internal fun removeFolder(folder: Path) {
    if (!Files.exists(folder, NOFOLLOW_LINKS)) return
    Files.walk(folder).use { paths -> paths.sorted(Comparator.reverseOrder()).forEach { Files.deleteIfExists(it) } }
}
