package bootdyno.system

import java.nio.file.Files
import java.nio.file.Path

/** Does not follow links: what they point to is somebody else's. */
fun deleteTree(folder: Path) {
    if (!Files.exists(folder)) return
    Files.walk(folder).use { paths -> paths.sorted(Comparator.reverseOrder()).forEach { Files.deleteIfExists(it) } }
}
