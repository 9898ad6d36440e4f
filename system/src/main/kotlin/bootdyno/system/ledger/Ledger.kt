package bootdyno.system.ledger

import bootdyno.system.bootMark
import bootdyno.system.endAll
import bootdyno.system.endMarked
import bootdyno.system.familyOf
import bootdyno.system.ioOrNull
import bootdyno.system.isAlive
import bootdyno.system.limits.GroupFolders
import bootdyno.system.limits.KernelGroupFolders
import bootdyno.system.limits.removeGroups
import bootdyno.system.marksOf
import bootdyno.system.network.namespaceExists
import bootdyno.system.network.removeNamespace
import bootdyno.system.onFailure
import bootdyno.system.startMark
import bootdyno.system.tryDeleteTree
import java.io.IOException
import java.nio.file.FileAlreadyExistsException
import java.nio.file.Files
import java.nio.file.LinkOption.NOFOLLOW_LINKS
import java.nio.file.Path
import java.nio.file.StandardCopyOption
import java.nio.file.StandardOpenOption
import java.nio.file.attribute.PosixFilePermissions
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlin.time.Duration.Companion.seconds

/**
 * A list on disk of all resources of this process, so that the next start can clean up after a `kill -9`.
 *
 * One file per process, `<pid>.ledger` in [folder], written before a resource is created. Files of running owners are not touched.
 * [removeDocker] removes a resource of a dead owner from a container engine, and returns whether it is gone. Thread-safe.
 */
class Ledger(private val folder: Path, private val removeDocker: (DockerResource) -> Boolean = { false }) :
    GroupFolders,
    AutoCloseable {
    private val ownPid = ProcessHandle.current().pid()
    private val file = folder.resolve("$ownPid.ledger")

    /** Guarded by this ledger's lock, like every write. */
    private var opened = false

    /** Adds a child process; [what] describes it in cleanup messages. Ends it and throws [IOException] if it cannot be added. */
    fun child(pid: Long, what: String) {
        val mark = startMark(pid) ?: return
        onFailure({ endAll(familyOf(pid), grace = 0.seconds) }) { add(OwnedChild(pid, mark, what)) }
    }

    /** Adds [what] before its creation; its name is unique. Throws [IOException], for example on a full disk. */
    fun add(what: Owned) = write(what.text)

    /** Where this cannot be written, as on a full disk, the next start looks for [what] again. */
    fun forget(what: Owned) {
        ioOrNull { write(goneLine(what.key)) }
    }

    fun forgetChild(pid: Long) = forget(OwnedChild(pid, "", ""))

    /** Creates the cgroup [folder] after adding it. Throws [IOException] if it exists, because it belongs to another process. */
    override fun make(folder: Path) {
        if (Files.exists(folder)) throw FileAlreadyExistsException("$folder")
        add(OwnedGroup(folder))
        onFailure({ forget(OwnedGroup(folder)) }) { KernelGroupFolders.make(folder) }
    }

    override fun remove(folder: Path) {
        KernelGroupFolders.remove(folder)
        forget(OwnedGroup(folder))
    }

    /** A new temporary folder below [parent], readable only for us. Throws [IOException]. */
    fun temporaryFolder(name: String, parent: Path = Path.of(System.getProperty("java.io.tmpdir"))): Path =
        parent.resolve("$FOLDER_PREFIX$name-$ownPid-${System.nanoTime().toString(36)}").also {
            add(OwnedFolder(it))
            Files.createDirectory(it, OURS_ALONE)
        }

    /** Removes a folder of [temporaryFolder] with its contents; if that is not possible, it is left to the next start. */
    fun removeTemporary(folder: Path) {
        if (tryDeleteTree(folder)) forget(OwnedFolder(folder))
    }

    /** Removes the file, unless resources remain for the next start to remove. */
    @Synchronized
    override fun close() {
        if (opened && ownedAtEnd(read(file)).none { it !is OwnedChild || isAlive(it.pid, it.mark) }) Files.deleteIfExists(file)
        opened = false
    }

    /**
     * For every ledger with a dead owner: kills its children if they are still the same processes, removes its other resources, and deletes the
     * file. Returns messages.
     */
    @Synchronized
    fun cleanUpAfterTheDead(): List<String> {
        if (!Files.isDirectory(folder)) return emptyList()
        return folder.listDirectoryEntries("*.ledger").sorted().filterNot { opened && it == file }.flatMap(::settle)
    }

    private fun settle(ledger: Path): List<String> {
        val lines = read(ledger)
        val owner = lines.firstNotNullOfOrNull(::ownerIn)
        if (owner != null && owner.boot == bootMark() && isAlive(owner.pid, owner.mark)) return emptyList()
        val left = ownedAtEnd(lines).filter { it.isOurs }
        val notes = mutableListOf<String>()
        var settled = true
        fun removed(what: String, gone: Boolean) {
            settled = settled && gone
            notes += "${if (gone) "Removed" else "Could not remove"} $what, left behind by Boot Dyno ${owner?.pid}."
        }
        // Processes, cgroups and network namespaces do not survive a restart of the machine.
        if (owner?.boot == bootMark()) {
            left.filterIsInstance<OwnedChild>().filter { isAlive(it.pid, it.mark) }.forEach {
                endAll(familyOf(it.pid), grace = 0.seconds)
                notes += "Ended ${it.what} (pid ${it.pid}), left behind by Boot Dyno ${owner.pid}."
            }
            endMarked(marksOf(owner.pid, owner.mark))
            left.filterIsInstance<OwnedGroup>().map { it.folder }.filter { Files.isDirectory(it) }.groupBy { it.name }
                .forEach { (name, folders) -> removed("the group $name", removeGroups(folders)) }
            left.filterIsInstance<OwnedNamespace>().map { it.name }.filter(::namespaceExists)
                .forEach { removed("the network namespace $it", removeNamespace(it)) }
        }
        left.filterIsInstance<OwnedFolder>().map { it.folder }.filter { Files.isDirectory(it, NOFOLLOW_LINKS) }
            .forEach { removed("the folder $it", tryDeleteTree(it)) }
        // Containers before their images.
        left.filterIsInstance<DockerResource>().sortedBy { it.kind }
            .forEach { removed("the ${it.kind.word} ${it.name}", removeDocker(it)) }
        if (settled) Files.deleteIfExists(ledger)
        return notes
    }

    @Synchronized
    private fun write(line: String) {
        try {
            if (!opened) open()
            Files.writeString(file, "$line\n", StandardOpenOption.APPEND, StandardOpenOption.DSYNC)
        } catch (full: IOException) {
            throw IOException("$file cannot be written (${full.message})", full)
        }
    }

    /** Cleans up first if a dead owner had our pid. The new file appears complete, so that it is not mistaken for one of a dead owner. */
    private fun open() {
        Files.createDirectories(folder)
        val me = Owner(ownPid, startMark(ownPid).orEmpty(), bootMark())
        if (read(file).firstNotNullOfOrNull(::ownerIn) != me) {
            settle(file)
            val whole = folder.resolve("$ownPid.new")
            Files.writeString(whole, "owner ${me.pid} ${me.mark} ${me.boot}\n")
            Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE)
        }
        opened = true
    }

    private fun read(ledger: Path): List<String> = ioOrNull { Files.readAllLines(ledger) }.orEmpty()
}

private val OURS_ALONE = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))

/** The owner of a ledger: [mark] distinguishes it from a later process with the same pid, [boot] changes with every start of the machine. */
private data class Owner(val pid: Long, val mark: String, val boot: String)

private fun ownerIn(line: String): Owner? {
    val fields = line.split(' ', limit = 4)
    if (fields.size < 4 || fields[0] != "owner") return null
    return fields[1].toLongOrNull()?.let { Owner(it, fields[2], fields[3]) }
}
