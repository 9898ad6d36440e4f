package bootdyno.launch

import bootdyno.system.allowedCpus
import bootdyno.system.formatCpuList
import bootdyno.system.runShortly
import java.io.IOException
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.name

/** Moves every thread of [pids] to [cpus]; true when the kernel says that all are there. */
internal fun moveToCpus(pids: List<Long>, cpus: List<Int>): Boolean {
    val wanted = formatCpuList(cpus)
    // A thread born while its siblings are moved inherits the old CPUs: look again.
    repeat(3) {
        pids.forEach { runShortly(listOf("taskset", "-a", "-p", "-c", wanted, "$it")) }
        if (areOnCpus(pids, cpus)) return pids.isNotEmpty()
    }
    return false
}

/** Moves single [threads], given by their folders, to [cpus]; true when there are some and the kernel says that all are there. */
internal fun moveThreadsToCpus(threads: List<Path>, cpus: List<Int>): Boolean {
    val wanted = formatCpuList(cpus)
    threads.forEach { runShortly(listOf("taskset", "-p", "-c", wanted, it.name)) }
    return threads.isNotEmpty() && threads.mapNotNull { allowedCpus(it.resolve("status")) }.all { it == wanted }
}

/** Whether every thread of [pids] may run on [cpus] and no others, as the kernel says now. */
internal fun areOnCpus(pids: List<Long>, cpus: List<Int>): Boolean {
    val wanted = formatCpuList(cpus)
    return pids.flatMap(::threadFolders).mapNotNull { allowedCpus(it.resolve("status")) }.all { it == wanted }
}

/** `/proc/PID/task/TID` for every thread; empty when the process is gone. */
internal fun threadFolders(pid: Long): List<Path> = try {
    Files.newDirectoryStream(Path.of("/proc/$pid/task")).use { it.toList() }.sortedBy { it.name }
} catch (_: IOException) {
    emptyList()
}
