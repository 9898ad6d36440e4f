package bootdyno.system

import java.nio.file.Path
import kotlin.io.path.isDirectory
import kotlin.io.path.name

/** Whether a process can be given CPUs of its own here. */
fun canPin(): Boolean = PROC.resolve("self").isDirectory() && findOnPath("taskset") != null

/**
 * [command] on [cpus] only; unchanged where that is no restriction, where [cpus] is empty, or without `taskset`. `taskset` becomes the
 * command: the pid stays.
 */
fun pinned(command: List<String>, cpus: List<Int>): List<String> = if (cpus.isEmpty() || cpus == availableCpus() || !canPin()) {
    command
} else {
    listOf("taskset", "-c", formatCpuList(cpus)) + command
}

/** Moves every thread of [pids] to [cpus]; true when the kernel says that all are there. */
fun moveToCpus(pids: List<Long>, cpus: List<Int>): Boolean {
    // A thread born while its siblings are moved inherits the old CPUs: look again.
    repeat(3) {
        pids.forEach { runShortly(listOf("taskset", "-a", "-p", "-c", formatCpuList(cpus), "$it")) }
        if (areOnCpus(pids, cpus)) return pids.isNotEmpty()
    }
    return false
}

/** Moves single [threads], given by their folders, to [cpus]; true when there are some and the kernel says that all are there. */
fun moveThreadsToCpus(threads: List<Path>, cpus: List<Int>): Boolean {
    threads.forEach { runShortly(listOf("taskset", "-p", "-c", formatCpuList(cpus), it.name)) }
    return threads.isNotEmpty() && allOn(threads, cpus)
}

/** Whether every thread of [pids] may run on [cpus] and no others, as the kernel says now. */
fun areOnCpus(pids: List<Long>, cpus: List<Int>): Boolean = allOn(pids.flatMap { threadFolders(it) }, cpus)

private fun allOn(threads: List<Path>, cpus: List<Int>): Boolean =
    threads.mapNotNull { allowedCpus(it.resolve("status")) }.all { it == formatCpuList(cpus) }
