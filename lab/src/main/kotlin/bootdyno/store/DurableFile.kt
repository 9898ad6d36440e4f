package bootdyno.store

import bootdyno.system.ioOrNull
import bootdyno.system.withoutInterrupts
import java.io.IOException
import java.nio.ByteBuffer
import java.nio.channels.ClosedByInterruptException
import java.nio.channels.FileChannel
import java.nio.file.FileAlreadyExistsException
import java.nio.file.FileSystemException
import java.nio.file.Files
import java.nio.file.LinkOption.NOFOLLOW_LINKS
import java.nio.file.NoSuchFileException
import java.nio.file.Path
import java.nio.file.StandardCopyOption.ATOMIC_MOVE
import java.nio.file.StandardCopyOption.REPLACE_EXISTING
import java.nio.file.StandardOpenOption.CREATE
import java.nio.file.StandardOpenOption.READ
import java.nio.file.StandardOpenOption.TRUNCATE_EXISTING
import java.nio.file.StandardOpenOption.WRITE

/** Prefix of unfinished files and folders, which are never read. */
internal const val UNFINISHED_PREFIX = "."

/** Suffix of unfinished files and folders. */
internal const val UNFINISHED_SUFFIX = ".part"

/** Writes [bytes] and syncs them to disk, also while interrupts arrive. Symbolic links are refused. */
fun writeDurably(path: Path, bytes: ByteArray) = explained("write", path) { withoutInterrupts { write(path, bytes) } }

/** An interrupt closes the channel: throws [InterruptedException] then. */
private fun write(path: Path, bytes: ByteArray) = try {
    FileChannel.open(path, WRITE, CREATE, TRUNCATE_EXISTING, NOFOLLOW_LINKS).use { file ->
        val rest = ByteBuffer.wrap(bytes)
        while (rest.hasRemaining()) file.write(rest)
        file.force(true)
    }
} catch (_: ClosedByInterruptException) {
    Thread.interrupted()
    throw InterruptedException()
}

/** Writes a temporary file and renames it to [path]: readers see the old or the new text. */
fun replaceDurably(path: Path, text: String) {
    val unfinished = path.resolveSibling("$UNFINISHED_PREFIX${path.fileName}$UNFINISHED_SUFFIX")
    explained("remove", unfinished) { Files.deleteIfExists(unfinished) }
    writeDurably(unfinished, text.toByteArray())
    explained("write", path) { Files.move(unfinished, path, ATOMIC_MOVE, REPLACE_EXISTING) }
    confirmFolder(path.parent)
}

/** Renames a finished folder; fails if the name is taken. */
fun moveDurably(from: Path, to: Path) {
    if (Files.exists(to)) throw RunFolderException("$to exists already: a trial is finished once.")
    explained("write", to) { Files.move(from, to, ATOMIC_MOVE) }
    confirmFolder(to.parent)
}

/** Syncs the names of a folder to disk; some systems do not support this. */
private fun confirmFolder(folder: Path) {
    // Windows cannot open folders; the rename is done.
    ioOrNull { FileChannel.open(folder, READ).use { it.force(true) } }
}

/** Runs [work] on [path]; failures become sentences. */
internal fun <T> explained(verb: String, path: Path, work: () -> T): T = try {
    work()
} catch (failure: IOException) {
    throw RunFolderException("Cannot $verb $path: ${failureReason(failure)}.", failure)
}

/** The reason of [failure], in words if its message is only a path. */
internal fun failureReason(failure: IOException): String = when (failure) {
    is NoSuchFileException -> "it is not there"
    is FileAlreadyExistsException -> "it exists already"
    is FileSystemException -> failure.reason ?: "not permitted"
    else -> failure.message ?: failure.toString()
}
