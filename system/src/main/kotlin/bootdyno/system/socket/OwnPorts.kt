package bootdyno.system.socket

import java.io.IOException
import java.nio.file.Files
import java.nio.file.Path
import java.time.Instant
import kotlin.jvm.optionals.getOrNull

/** The inodes of the sockets that the process [pid] has open; null where that may not be read. */
private fun socketsOf(pid: Long): Set<String>? = try {
    Files.newDirectoryStream(Path.of("/proc/$pid/fd")).use { open -> open.mapNotNull(::socketAt).toSet() }
} catch (_: IOException) {
    null
}

private fun socketAt(descriptor: Path): String? = try {
    SOCKET.matchEntire(Files.readSymbolicLink(descriptor).toString())?.groupValues?.get(1)
} catch (_: IOException) {
    // It was closed since.
    null
}

/** The ports of a subject that was told to listen on [port]; [members] are its processes of this moment, [since] is when it was started. */
class OwnPorts(private val port: Int, private val since: Instant?, private val members: () -> List<Long>) {
    /** What it listens on where that is not [port]. */
    fun others(): List<Int> {
        val own = members().flatMap { socketsOf(it).orEmpty() }.toSet()
        return listeningSockets().filter { it.inode in own }.map { it.port }.distinct().minus(port).sorted()
    }

    /** The process that listens on [port] and was there before the subject; null where it is the subject's, or nobody can tell. */
    fun intruder(): Long? {
        val inodes = listeningSockets().filter { it.port == port }.map { it.inode }.ifEmpty { return null }
        val own = members()
        if (own.any { pid -> socketsOf(pid)?.let { open -> inodes.any { it in open } } ?: true }) return null
        val started = since ?: return null
        return ProcessHandle.allProcesses().filter { it.pid() !in own && it.startedBefore(started) }.map { it.pid() }.toList()
            .find { pid -> socketsOf(pid).orEmpty().any { it in inodes } }
    }
}

private fun ProcessHandle.startedBefore(moment: Instant): Boolean = info().startInstant().getOrNull()?.isBefore(moment) ?: false

private val SOCKET = Regex("""socket:\[(\d+)]""")
