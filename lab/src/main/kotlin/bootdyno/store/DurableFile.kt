package bootdyno.store

import java.io.IOException
import java.nio.ByteBuffer
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

/** How the name of anything unfinished begins; a name that begins so is never read. */
internal const val UNFINISHED_PREFIX = "."

/** How the name of anything unfinished ends. */
internal const val UNFINISHED_SUFFIX = ".part"

/** Writes [bytes] and has the disk confirm them. A symbolic link is refused: what it points to is not ours. */
internal fun writeDurably(path: Path, bytes: ByteArray) = explained("write", path) {
    FileChannel.open(path, WRITE, CREATE, TRUNCATE_EXISTING, NOFOLLOW_LINKS).use { file ->
        val rest = ByteBuffer.wrap(bytes)
        while (rest.hasRemaining()) file.write(rest)
        file.force(true)
    }
}

/** Writes beside [path] and renames: a reader sees the old text or the new one, whole. */
internal fun replaceDurably(path: Path, text: String) {
    val unfinished = path.resolveSibling("$UNFINISHED_PREFIX${path.fileName}$UNFINISHED_SUFFIX")
    explained("remove", unfinished) { Files.deleteIfExists(unfinished) }
    writeDurably(unfinished, text.toByteArray())
    explained("write", path) { Files.move(unfinished, path, ATOMIC_MOVE, REPLACE_EXISTING) }
    confirmFolder(path.parent)
}

/** Renames a finished folder to its place; fails when that is taken. */
internal fun moveDurably(from: Path, to: Path) {
    if (Files.exists(to)) throw RunFolderException("$to exists already: a trial is finished once.")
    explained("write", to) { Files.move(from, to, ATOMIC_MOVE) }
    confirmFolder(to.parent)
}

/** Has the disk confirm the names in a folder; some systems refuse to, and then it is up to them. */
private fun confirmFolder(folder: Path) {
    try {
        FileChannel.open(folder, READ).use { it.force(true) }
    } catch (_: IOException) {
        // Windows cannot open folders; the rename itself has happened.
    }
}

/** Runs [work] on [path] and turns the system's terse failures into sentences. */
internal fun <T> explained(verb: String, path: Path, work: () -> T): T = try {
    work()
} catch (failure: IOException) {
    throw RunFolderException("Cannot $verb $path: ${failureReason(failure)}.", failure)
}

/** Why [failure] happened. Where its message is only a path, the reason in words. */
internal fun failureReason(failure: IOException): String = when (failure) {
    is NoSuchFileException -> "it is not there"
    is FileAlreadyExistsException -> "it exists already"
    is FileSystemException -> failure.reason ?: "not permitted"
    else -> failure.message ?: failure.toString()
}
