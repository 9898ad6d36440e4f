package bootdyno.system

import java.io.IOException
import java.nio.file.Files
import java.nio.file.LinkOption.NOFOLLOW_LINKS
import java.nio.file.Path

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
