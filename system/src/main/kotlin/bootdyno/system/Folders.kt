package bootdyno.system

import java.io.IOException
import java.nio.file.FileSystemException
import java.nio.file.Files
import java.nio.file.LinkOption.NOFOLLOW_LINKS
import java.nio.file.Path
import java.nio.file.StandardCopyOption
import kotlin.io.path.name

/** Deletes [folder] with all that is in it, if it is there. Links are not followed. Throws [IOException]. */
fun deleteTree(folder: Path) {
    if (!Files.exists(folder, NOFOLLOW_LINKS)) return
    Files.walk(folder).use { paths -> paths.sorted(Comparator.reverseOrder()).forEach { Files.deleteIfExists(it) } }
}

/** [deleteTree]; false where something could not be deleted. */
fun tryDeleteTree(folder: Path): Boolean = try {
    deleteTree(folder)
    true
} catch (_: IOException) {
    false
}

/**
 * The folder [target], made by [make] if it does not exist: in a folder beside it that takes its name when it is complete, so that never
 * half of it is found there.
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
        // Another process was faster, and its work is as good.
        if (!Files.isDirectory(target)) throw failure
    }
}
