package bootdyno.system

import java.nio.file.Files
import java.nio.file.Path

/** Whether whole CPUs can be given to a command here. */
fun canPin(): Boolean = Files.isDirectory(Path.of("/proc/self")) && findOnPath("taskset") != null

/**
 * [command] on [cpus] only; unchanged where that is no restriction, where [cpus] is empty, or without `taskset`. `taskset` becomes the
 * command: the pid stays.
 */
fun pinned(command: List<String>, cpus: List<Int>): List<String> = if (cpus.isEmpty() || cpus == availableCpus() ||
    !canPin()
) {
    command
} else {
    listOf("taskset", "-c", formatCpuList(cpus)) + command
}
