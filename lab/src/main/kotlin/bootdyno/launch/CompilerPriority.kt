package bootdyno.launch

import bootdyno.system.readOrNull
import bootdyno.system.runShortly
import java.nio.file.Path
import kotlin.io.path.name

private const val FIRST = -20
private const val LIKE_ALL = 0

/** Whether [RunningSubject.favourCompiler] is permitted here: tried on this JVM's own compiler threads, and undone. */
fun mayFavourCompiler(): Boolean {
    val own = ProcessHandle.current().pid()
    return favourCompilerThreads(own) && unfavourCompilerThreads(own)
}

/** Precedence for the JIT's threads of [pid]; true when there are some and all have it. Needs root or CAP_SYS_NICE. */
internal fun favourCompilerThreads(pid: Long): Boolean {
    if (setCompilerNice(pid, FIRST)) return true
    // Half favoured is neither way: those that have it lose it.
    setCompilerNice(pid, LIKE_ALL)
    return false
}

internal fun unfavourCompilerThreads(pid: Long): Boolean = setCompilerNice(pid, LIKE_ALL)

private fun setCompilerNice(pid: Long, nice: Int): Boolean {
    val threads = compilerThreads(pid)
    if (threads.isEmpty()) return false
    runShortly(listOf("renice", "-n", "$nice", "-p") + threads.map { it.name })
    // A compiler thread may have ended meanwhile; what counts is what is there now.
    return compilerThreads(pid).mapNotNull { readOrNull(it.resolve("stat")) }.all { niceOf(it) == nice }
}

/** The kernel cuts names to 15 characters: `C2 CompilerThread0` reads `C2 CompilerThre`. */
internal fun compilerThreads(pid: Long): List<Path> =
    threadFolders(pid).filter { readOrNull(it.resolve("comm")).orEmpty().matches(Regex("C[12] CompilerThre\\s*")) }

/** Field 19 of `stat`; counting begins after the name's last `)`, with field 3. */
internal fun niceOf(stat: String): Int? = stat.substringAfterLast(") ").split(' ').getOrNull(16)?.toIntOrNull()
