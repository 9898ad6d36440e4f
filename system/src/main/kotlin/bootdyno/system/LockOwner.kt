package bootdyno.system

import java.nio.file.Files
import java.nio.file.Path

/** The process that holds a lock on [file], from `/proc/locks` (proc_locks(5)); null if unknown. */
fun lockOwner(file: Path): Long? {
    val inode = runCatching { Files.getAttribute(file, "unix:ino") }.getOrNull() ?: return null
    return readOrNull(Path.of("/proc/locks"))?.lineSequence()
        ?.map { it.trim().split(Regex("\\s+")) }
        ?.find { it.size > INODE && it[INODE].endsWith(":$inode") && "->" !in it }
        ?.get(PID)?.toLongOrNull()
}

/** `1: POSIX ADVISORY WRITE 4711 08:01:131078 0 EOF` */
private const val PID = 4
private const val INODE = 5
