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

/** Whether JIT compiler threads can get priority: tried on this JVM's own threads, and undone. */
fun mayFavourCompiler(): Boolean {
    val ownPid = ProcessHandle.current().pid()
    return favourCompilerThreads(ownPid) && unfavourCompilerThreads(ownPid)
}

/** Gives the JIT compiler threads of [pid] priority; true if there are some and all have it. Needs root or CAP_SYS_NICE. */
internal fun favourCompilerThreads(pid: Long): Boolean {
    if (setCompilerNice(pid, FIRST_NICE)) return true
    // All or none: if one fails, the others lose their priority too.
    setCompilerNice(pid, USUAL_NICE)
    return false
}

internal fun unfavourCompilerThreads(pid: Long): Boolean = setCompilerNice(pid, USUAL_NICE)

private fun setCompilerNice(pid: Long, nice: Int): Boolean {
    val threads = compilerThreads(pid).ifEmpty { return false }
    threads.forEach { setNice(it.name.toLong(), nice) }
    // Compiler threads may have ended or started meanwhile; the current ones count.
    return compilerThreads(pid).mapNotNull { readOrNull(it.resolve("stat")) }.all { ProcStat(it).nice == nice }
}

/** Thread names are cut to 15 characters: `C2 CompilerThread0` is `C2 CompilerThre`. */
internal fun compilerThreads(pid: Long): List<Path> = threadFolders(pid).filter { threadName(it) in COMPILER_NAMES }

private val COMPILER_NAMES = setOf("C1 CompilerThre", "C2 CompilerThre")
