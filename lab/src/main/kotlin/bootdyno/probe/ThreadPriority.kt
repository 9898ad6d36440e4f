package bootdyno.probe

import java.lang.foreign.FunctionDescriptor
import java.lang.foreign.Linker
import java.lang.foreign.ValueLayout.JAVA_INT

/** The scheduler's priority of single threads: setpriority(2), which on Linux takes a thread's id. */
internal object ThreadPriority {
    private const val PRIO_PROCESS = 0
    private const val HIGHEST = -20

    /** False where it is not permitted (it takes root or CAP_SYS_NICE) or not there. */
    fun raise(thread: Long): Boolean {
        val linker = Linker.nativeLinker()
        val address = linker.defaultLookup().find("setpriority").orElse(null) ?: return false
        val setPriority = linker.downcallHandle(address, FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT))
        return setPriority.invokeWithArguments(PRIO_PROCESS, thread.toInt(), HIGHEST) == 0
    }
}
