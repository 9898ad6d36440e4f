package bootdyno.launch

import java.io.IOException
import java.nio.file.Files
import java.nio.file.Path
import java.time.Instant
import kotlin.jvm.optionals.getOrNull

private const val LISTENING = "0A"

/** Who listens on which TCP port of this machine, as the kernel says (proc_net(5)): the inodes of the sockets by their port. */
private fun listeners(): Map<Int, Set<String>> = listOf("tcp", "tcp6").flatMap { table ->
    try {
        Files.readAllLines(Path.of("/proc/net", table)).drop(1)
    } catch (_: IOException) {
        emptyList()
    }
}.map { it.trim().split(Regex(" +")) }.filter { it.size > INODE && it[STATE] == LISTENING }
    .groupBy({ it[LOCAL].substringAfterLast(':').toInt(16) }, { it[INODE] }).mapValues { it.value.toSet() }

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
internal class OwnPorts(private val port: Int, private val since: Instant?, private val members: () -> List<Long>) {
    /** What it listens on where that is not [port]. */
    fun others(): List<Int> {
        val own = members().flatMap { socketsOf(it).orEmpty() }.toSet()
        return listeners().filterValues { inodes -> inodes.any { it in own } }.keys.minus(port).sorted()
    }

    /** The process that listens on [port] and was there before the subject; null where it is the subject's, or nobody can tell. */
    fun intruder(): Long? {
        val inodes = listeners()[port] ?: return null
        val own = members()
        if (own.any { pid -> socketsOf(pid)?.let { open -> inodes.any { it in open } } ?: true }) return null
        val started = since ?: return null
        return ProcessHandle.allProcesses().filter { it.pid() !in own && it.startedBefore(started) }.map { it.pid() }.toList()
            .find { pid -> socketsOf(pid).orEmpty().any { it in inodes } }
    }
}

private fun ProcessHandle.startedBefore(moment: Instant): Boolean = info().startInstant().getOrNull()?.isBefore(moment) ?: false

private const val LOCAL = 1
private const val STATE = 3
private const val INODE = 9
private val SOCKET = Regex("""socket:\[(\d+)]""")
