package bootdyno.launch

import bootdyno.system.readOrNull
import java.io.IOException
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.StandardOpenOption

/** The value behind `key ` in a file of `key value` lines, as `memory.events` and `cpu.stat` are. */
internal fun readKeyed(file: Path, key: String): Long? = readOrNull(file)
    ?.lineSequence()
    ?.find { it.startsWith("$key ") }
    ?.substringAfter(' ')
    ?.trim()
    ?.toLongOrNull()

internal fun readLong(file: Path): Long? = readOrNull(file)?.trim()?.toLongOrNull()

/** Writes to a file that must be there: the kernel makes its own files, and a missing one means a missing feature. */
internal fun writeKernel(file: Path, text: String) {
    Files.writeString(file, text, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)
}

/** [writeKernel], told by its answer whether the kernel accepted. */
internal fun tryWriteKernel(file: Path, text: String): Boolean = try {
    writeKernel(file, text)
    true
} catch (_: IOException) {
    false
}

/** How groups come and go: the kernel fills a new folder and empties a removed one by itself, a test's folder does not. */
internal interface GroupFolders {
    fun make(folder: Path)

    fun remove(folder: Path)
}

internal object KernelGroupFolders : GroupFolders {
    override fun make(folder: Path) {
        Files.createDirectory(folder)
    }

    override fun remove(folder: Path) {
        Files.deleteIfExists(folder)
    }
}
