package bootdyno.system

import java.lang.foreign.FunctionDescriptor
import java.lang.foreign.Linker
import java.lang.foreign.ValueLayout.JAVA_INT
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

/** CPUs as the kernel lists them, `0-2,5`, in ascending order; an empty text is no CPU. Throws [NumberFormatException] on anything else. */
fun parseCpuList(text: String): List<Int> = text.trim()
    .split(',')
    .filter { it.isNotBlank() }
    .flatMap { part ->
        val first = part.substringBefore('-').trim().toInt()
        val last = part.substringAfter('-', part).trim().toInt()
        first..last
    }
    .distinct()
    .sorted()

/** [cpus] as the kernel would list them: `0-2,5`. */
fun formatCpuList(cpus: List<Int>): String {
    val ranges = cpus.distinct().sorted().fold(emptyList<IntRange>()) { ranges, cpu ->
        val open = ranges.lastOrNull()
        if (open != null && cpu == open.last + 1) {
            ranges.dropLast(1).plusElement(open.first..cpu)
        } else {
            ranges.plusElement(cpu..cpu)
        }
    }
    return ranges.joinToString(",") { if (it.first == it.last) "${it.first}" else "${it.first}-${it.last}" }
}

/** The CPUs a process may run on, as the kernel says now (`0-1`); null where there is no such process or no `/proc`. */
fun cpuListOf(pid: Long): String? = allowedCpus(Path.of("/proc/$pid/status"))

/** The CPUs this process may use: `Cpus_allowed_list` on Linux; elsewhere as many as the JVM counts, from 0. */
fun availableCpus(): List<Int> = allowedCpus(Path.of("/proc/self/status"))?.let(::parseCpuList)
    ?: (0 until Runtime.getRuntime().availableProcessors()).toList()

fun allowedCpus(status: Path): String? =
    readOrNull(status)?.lineSequence()?.find { it.startsWith("Cpus_allowed_list:") }?.substringAfter(':')?.trim()

/** Nice values: the scheduler prefers threads with a lower one. Lowering takes root or CAP_SYS_NICE. */
const val FIRST_NICE = -20
const val USUAL_NICE = 0

/** Ids of the threads of a process; empty when it has ended. */
fun threadIds(pid: Long, proc: Path = PROC): List<Long> =
    proc.resolve("$pid/task").toFile().list().orEmpty().mapNotNull { it.toLongOrNull() }

/** `/proc/PID/task/TID` for every thread; empty when the process is gone. */
fun threadFolders(pid: Long, proc: Path = PROC): List<Path> = threadIds(pid, proc).sorted().map { proc.resolve("$pid/task/$it") }

/** The name of the thread with this [folder], of which the kernel keeps 15 characters; empty when it has ended. */
fun threadName(folder: Path): String = readOrNull(folder.resolve("comm")).orEmpty().trim()

/** Gives one thread its [nice] value by setpriority(2). False where that is not permitted or not there. */
fun setNice(thread: Long, nice: Int): Boolean {
    val linker = Linker.nativeLinker()
    val address = linker.defaultLookup().find("setpriority").orElse(null) ?: return false
    val setPriority = linker.downcallHandle(address, FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT))
    return setPriority.invokeWithArguments(PRIO_PROCESS, thread.toInt(), nice) == 0
}

private const val PRIO_PROCESS = 0
