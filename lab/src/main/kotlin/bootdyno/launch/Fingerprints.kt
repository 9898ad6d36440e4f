package bootdyno.launch

import bootdyno.system.sha256
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.attribute.FileTime
import java.util.concurrent.ConcurrentHashMap

/** SHA-256 of files, cached until a file changes. */
internal class Fingerprints {
    private data class Seen(val file: Path, val changed: FileTime, val size: Long)

    private val known = ConcurrentHashMap<Seen, String>()

    fun sha256(file: Path): String = known.computeIfAbsent(Seen(file, Files.getLastModifiedTime(file), Files.size(file))) {
        sha256(Files.newInputStream(file))
    }
}
