package bootdyno.system

import java.lang.foreign.FunctionDescriptor
import java.lang.foreign.Linker
import java.lang.foreign.ValueLayout.JAVA_INT
import java.nio.file.Path
import kotlin.io.path.isDirectory
import kotlin.io.path.name

/** Whether processes can be pinned to CPUs here. */
fun canPin(): Boolean = PROC.resolve("self").isDirectory() && findOnPath("taskset") != null

/**
 * [command] pinned to [cpus]; unchanged if these are empty or all CPUs, or without `taskset`. `taskset` replaces itself by the command, so the
 * pid stays.
 */
fun pinned(command: List<String>, cpus: List<Int>): List<String> = if (cpus.isEmpty() || cpus == availableCpus() || !canPin()) {
    command
} else {
    listOf("taskset", "-c", formatCpuList(cpus)) + command
}

/** Moves every thread of [pids] to [cpus]; true if the kernel confirms it. */
fun moveToCpus(pids: List<Long>, cpus: List<Int>): Boolean {
    // A thread created meanwhile has the old CPUs, so check again.
    repeat(3) {
        pids.forEach { runShortly(listOf("taskset", "-a", "-p", "-c", formatCpuList(cpus), "$it")) }
        if (areOnCpus(pids, cpus)) return pids.isNotEmpty()
    }
    return false
}

/** Moves [threads], given by their folders, to [cpus]; true if there are some and the kernel confirms it. */
fun moveThreadsToCpus(threads: List<Path>, cpus: List<Int>): Boolean {
    threads.forEach { runShortly(listOf("taskset", "-p", "-c", formatCpuList(cpus), it.name)) }
    return threads.isNotEmpty() && allOn(threads, cpus)
}

/** Whether every thread of [pids] is pinned to exactly [cpus], as read from the kernel. */
fun areOnCpus(pids: List<Long>, cpus: List<Int>): Boolean = allOn(pids.flatMap { threadFolders(it) }, cpus)

private fun allOn(threads: List<Path>, cpus: List<Int>): Boolean =
    threads.mapNotNull { allowedCpus(it.resolve("status")) }.all { it == formatCpuList(cpus) }

/** CPUs in the kernel's list format, `0-2,5`, ascending; empty for an empty text. Throws [NumberFormatException] for other texts. */
fun parseCpuList(text: String): List<Int> = text.trim()
    .split(',')
    .filter { it.isNotBlank() }
    .flatMap { part ->
        val first = part.substringBefore('-').trim().toInt()
        val last = part.substringAfter('-', part).trim().toInt()
        first..last
    }
    .distinct().sorted()

/** [cpus] in the kernel's list format: `0-2,5`. */
fun formatCpuList(cpus: List<Int>): String {
    val ranges = cpus.distinct().sorted().fold(emptyList<IntRange>()) { found, cpu ->
        val open = found.lastOrNull()
        if (open != null && cpu == open.last + 1) found.dropLast(1).plusElement(open.first..cpu) else found.plusElement(cpu..cpu)
    }
    return ranges.joinToString(",") { if (it.first == it.last) "${it.first}" else "${it.first}-${it.last}" }
}

/** The CPUs of a process in the kernel's list format (`0-1`); null without such a process, or without `/proc`. */
fun cpuListOf(pid: Long): String? = allowedCpus(Path.of("/proc/$pid/status"))

/**
 * The CPUs of this process: on Linux those of `Cpus_allowed_list` that are online, because outside a cpuset the list has all that the machine
 * might ever have; elsewhere the JVM's number of CPUs, from 0.
 */
fun availableCpus(proc: Path = Path.of("/proc"), sys: Path = Path.of("/sys")): List<Int> {
    val allowed = allowedCpus(proc.resolve("self/status"))?.let(::parseCpuList)
        ?: return (0 until Runtime.getRuntime().availableProcessors()).toList()
    val online = readOrNull(sys.resolve("devices/system/cpu/online"))?.let(::parseCpuList) ?: return allowed
    return allowed.filter { it in online }.ifEmpty { allowed }
}

fun allowedCpus(status: Path): String? =
    readOrNull(status)?.lineSequence()?.find { it.startsWith("Cpus_allowed_list:") }?.substringAfter(':')?.trim()

/** Nice values: lower values have priority. Lowering needs root or CAP_SYS_NICE. */
const val FIRST_NICE = -20
const val USUAL_NICE = 0

/** Ids of the threads of a process; empty if it has ended. */
fun threadIds(pid: Long, proc: Path = PROC): List<Long> =
    proc.resolve("$pid/task").toFile().list().orEmpty().mapNotNull { it.toLongOrNull() }

/** `/proc/PID/task/TID` for every thread; empty if the process has ended. */
fun threadFolders(pid: Long, proc: Path = PROC): List<Path> = threadIds(pid, proc).sorted().map { proc.resolve("$pid/task/$it") }

/** The name of a thread by its [folder], cut to 15 characters by the kernel; empty if it has ended. */
fun threadName(folder: Path): String = readOrNull(folder.resolve("comm")).orEmpty().trim()

/** Sets the [nice] value of a thread by setpriority(2). False without permission, or if it has ended. */
fun setNice(thread: Long, nice: Int): Boolean {
    val linker = Linker.nativeLinker()
    val address = linker.defaultLookup().find("setpriority").orElse(null) ?: return false
    val setPriority = linker.downcallHandle(address, FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT))
    return setPriority.invokeWithArguments(PRIO_PROCESS, thread.toInt(), nice) == 0
}

private const val PRIO_PROCESS = 0
