package bootdyno.system.limits

import java.io.IOException
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.StandardOpenOption

/** Writes to a file that must be there: the kernel makes its own files, and a missing one means a missing feature. */
fun writeKernel(file: Path, text: String) {
    Files.writeString(file, text, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)
}

/** [writeKernel], told by its answer whether the kernel accepted. */
fun tryWriteKernel(file: Path, text: String): Boolean = try {
    writeKernel(file, text)
    true
} catch (_: IOException) {
    false
}

/** How groups come and go: the kernel fills a new folder and empties a removed one by itself, a test's folder does not. */
interface GroupFolders {
    fun make(folder: Path)

    fun remove(folder: Path)
}

object KernelGroupFolders : GroupFolders {
    override fun make(folder: Path) {
        Files.createDirectory(folder)
    }

    override fun remove(folder: Path) {
        Files.deleteIfExists(folder)
    }
}
