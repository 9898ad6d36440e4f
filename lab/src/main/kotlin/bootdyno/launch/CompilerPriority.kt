package bootdyno.launch

import bootdyno.system.FIRST_NICE
import bootdyno.system.ProcStat
import bootdyno.system.USUAL_NICE
import bootdyno.system.readOrNull
import bootdyno.system.setNice
import bootdyno.system.threadFolders
import bootdyno.system.threadName
import java.nio.file.Path
import kotlin.io.path.name

/** Whether JIT compiler threads may be preferred here: tried on this JVM's own, and undone. */
fun mayFavourCompiler(): Boolean {
    val own = ProcessHandle.current().pid()
    return favourCompilerThreads(own) && unfavourCompilerThreads(own)
}

/** Precedence for the JIT compiler threads of [pid]; true when there are some and all have it. Needs root or CAP_SYS_NICE. */
internal fun favourCompilerThreads(pid: Long): Boolean {
    if (setCompilerNice(pid, FIRST_NICE)) return true
    // Half of them are no use: those that have it lose it.
    setCompilerNice(pid, USUAL_NICE)
    return false
}

internal fun unfavourCompilerThreads(pid: Long): Boolean = setCompilerNice(pid, USUAL_NICE)

private fun setCompilerNice(pid: Long, nice: Int): Boolean {
    val threads = compilerThreads(pid).ifEmpty { return false }
    threads.forEach { setNice(it.name.toLong(), nice) }
    // A compiler thread may have ended meanwhile; what counts is what is there now.
    return compilerThreads(pid).mapNotNull { readOrNull(it.resolve("stat")) }.all { ProcStat(it).nice == nice }
}

/** The kernel cuts names to 15 characters: `C2 CompilerThread0` reads `C2 CompilerThre`. */
internal fun compilerThreads(pid: Long): List<Path> = threadFolders(pid).filter { threadName(it) in COMPILER_NAMES }

private val COMPILER_NAMES = setOf("C1 CompilerThre", "C2 CompilerThre")
