package bootdyno.system

import java.lang.foreign.FunctionDescriptor
import java.lang.foreign.Linker
import java.lang.foreign.ValueLayout.JAVA_INT
import java.nio.file.Path

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
