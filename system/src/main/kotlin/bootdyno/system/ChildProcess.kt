package bootdyno.system

import java.io.IOException
import java.nio.file.Path
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlin.time.Duration.Companion.seconds

/** Where a child's stderr goes. */
enum class Errors {
    /** To the same stream as stdout. */
    WITH_OUTPUT,

    /** To a separate stream. */
    APART,
}

/**
 * Starts [words] as a child process in [folder] (null: this process's own). Its environment has the variables of [inherits], [environment],
 * and its [mark]. Its stdin is empty unless [fed]. Throws [IOException].
 */
fun startChild(
    words: List<String>,
    environment: Map<String, String> = emptyMap(),
    inherits: Inherited = Inherited.BASIC,
    folder: Path? = null,
    errors: Errors = Errors.WITH_OUTPUT,
    fed: Boolean = false,
    mark: String = newMark(),
): Process {
    val builder = ProcessBuilder(words).directory(folder?.toFile()).redirectErrorStream(errors == Errors.WITH_OUTPUT)
    builder.environment().apply {
        clear()
        putAll(inherits.of() + environment + (CHILD_MARK to mark))
    }
    return builder.start().also { if (!fed) it.outputStream.close() }
}

/** Running processes whose mark begins with [mark], if their environment is readable; never this process. */
fun markedBy(mark: String): List<Long> {
    val wanted = "$CHILD_MARK=$mark"
    return processIds().filter { it != ProcessHandle.current().pid() && startMark(it) != null }.filter { pid ->
        readOrNull(Path.of("/proc/$pid/environ")).orEmpty().splitToSequence('\u0000').any { it.isMarked(wanted) }
    }
}

/** Kills the processes of [markedBy], and waits for their end. */
fun endMarked(mark: String) {
    killAll(markedBy(mark))
    waitUntil(2.seconds) { markedBy(mark).isEmpty() }
}

/** Ends all children of this process, with their descendants. */
fun endAllChildren() {
    val ownPid = ProcessHandle.current().pid()
    endMarked(marksOf(ownPid, startMark(ownPid).orEmpty()))
}

/** Compares complete marks, which end in a number: child 1 must not match child 12. */
private fun String.isMarked(wanted: String) = if (wanted.endsWith('.')) startsWith(wanted) else this == wanted

private fun processIds(): List<Long> =
    ioOrNull { PROC.listDirectoryEntries("[0-9]*").mapNotNull { it.name.toLongOrNull() } }.orEmpty()

/**
 * A command that runs [main] with our own JDK and class path, and with the launcher's ahead-of-time cache (property `dyno.aot`). The JVM logs
 * nothing to stdout about a stale cache.
 */
fun javaCommand(flags: List<String>, main: String, arguments: List<String> = emptyList()): List<String> = buildList {
    add(Path.of(System.getProperty("java.home"), "bin", "java").toString())
    addAll(flags)
    System.getProperty("dyno.aot")?.let { addAll(listOf("-XX:AOTCache=$it", "-Xlog:disable", "-Xlog:all=error:stderr")) }
    add("--enable-native-access=ALL-UNNAMED")
    add("-cp")
    add(System.getProperty("java.class.path"))
    add(main)
    addAll(arguments)
}
