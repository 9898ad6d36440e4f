package bootdyno.system

import java.nio.file.Files
import java.nio.file.Path

/**
 * What tells a process from a later one with the same pid: the clock tick it started at (`/proc/PID/stat`, field 22), elsewhere the
 * moment the operating system gives. Null when there is no living process of that pid; one that is dead but not yet reaped is dead.
 */
fun startMark(pid: Long): String? = if (Files.isDirectory(Path.of("/proc/self"))) {
    readOrNull(Path.of("/proc/$pid/stat"))?.let(::startTicks)?.let { "ticks:$it" }
} else {
    ProcessHandle.of(pid).filter {
        it.isAlive
    }.flatMap { it.info().startInstant() }.map { "ms:${it.toEpochMilli()}" }.orElse(null)
}

/** The command's name (field 2) may hold spaces and brackets, so counting begins after its last `)`, with field 3, the state. */
fun startTicks(stat: String): Long? {
    val fields = stat.substringAfterLast(") ").split(' ')
    return if (fields[0] == "Z" || fields[0] == "X") null else fields.getOrNull(19)?.toLongOrNull()
}

fun isAlive(pid: Long, mark: String): Boolean = startMark(pid) == mark

/** Changes with every start of the machine; empty where the kernel does not say. */
fun bootMark(): String = readOrNull(Path.of("/proc/sys/kernel/random/boot_id"))?.trim().orEmpty()
