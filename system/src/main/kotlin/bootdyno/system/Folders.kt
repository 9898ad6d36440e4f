package bootdyno.system

import java.io.IOException
import java.io.UncheckedIOException
import java.nio.file.FileSystemException
import java.nio.file.Files
import java.nio.file.LinkOption.NOFOLLOW_LINKS
import java.nio.file.Path
import java.nio.file.StandardCopyOption
import kotlin.io.path.name

/** Deletes [folder] with its contents, if it exists. Does not follow links. Throws [IOException]. */
fun deleteTree(folder: Path) {
    if (!Files.exists(folder, NOFOLLOW_LINKS)) return
    try {
        Files.walk(folder).use { paths -> paths.sorted(Comparator.reverseOrder()).forEach { Files.deleteIfExists(it) } }
    } catch (unreadable: UncheckedIOException) {
        throw unreadable.cause ?: unreadable
    }
}

/** [deleteTree]; false if something could not be deleted. */
fun tryDeleteTree(folder: Path): Boolean = succeeds { deleteTree(folder) }

/**
 * The folder [target], created by [make] if it does not exist. It is created under another name and then renamed, so that it is always
 * complete.
 */
fun madeOnce(target: Path, make: (Path) -> Unit): Path {
    if (Files.isDirectory(target)) return target
    Files.createDirectories(target.parent)
    val fresh = Files.createTempDirectory(target.parent, ".${target.name}-")
    try {
        make(fresh)
        takeName(fresh, target)
    } finally {
        deleteTree(fresh)
    }
    return target
}

private fun takeName(fresh: Path, target: Path) {
    try {
        Files.move(fresh, target, StandardCopyOption.ATOMIC_MOVE)
    } catch (failure: FileSystemException) {
        // Another process has created it meanwhile.
        if (!Files.isDirectory(target)) throw failure
    }
}
