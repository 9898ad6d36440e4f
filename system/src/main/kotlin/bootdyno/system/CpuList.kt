package bootdyno.system

import java.nio.file.Path

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
