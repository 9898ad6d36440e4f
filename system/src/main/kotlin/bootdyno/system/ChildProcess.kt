package bootdyno.system

import java.io.IOException
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.name
import kotlin.time.Duration.Companion.seconds

/** What becomes of a child's standard error. */
enum class Errors {
    /** It is one stream with its output. */
    WITH_OUTPUT,

    /** It is a stream of its own. */
    APART,
}

/**
 * Starts [words] as a child, in [folder] (this process's own when null). Its environment is what [inherits] names of ours, then
 * [environment], and its [mark]. Its input is at its end at once, unless it is [fed]. Throws [IOException].
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

/** Living processes whose mark begins with [mark], as far as the kernel shows their environment; never this process. */
fun markedBy(mark: String): List<Long> {
    val wanted = "$CHILD_MARK=$mark"
    return processIds().filter { it != ProcessHandle.current().pid() && startMark(it) != null }.filter { pid ->
        readOrNull(Path.of("/proc/$pid/environ")).orEmpty().splitToSequence('\u0000').any { it.isMarked(wanted) }
    }
}

/** Kills what [markedBy] finds, and waits until it is gone. */
fun endMarked(mark: String) {
    killAll(markedBy(mark))
    waitUntil(2.seconds) { markedBy(mark).isEmpty() }
}

/** Ends every child that this process still has, with all it started. */
fun endAllChildren() {
    val own = ProcessHandle.current().pid()
    endMarked(marksOf(own, startMark(own).orEmpty()))
}

/** A mark ends with a number: that of child 1 is no beginning of that of child 12. */
private fun String.isMarked(wanted: String) = if (wanted.endsWith('.')) startsWith(wanted) else this == wanted

private fun processIds(): List<Long> = try {
    Files.newDirectoryStream(Path.of("/proc"), "[0-9]*").use { all -> all.mapNotNull { it.name.toLongOrNull() } }
} catch (_: IOException) {
    emptyList()
}

/** Runs [main] on our own JDK and class path, in a JVM of its own. */
fun javaCommand(flags: List<String>, main: String, arguments: List<String> = emptyList()): List<String> = buildList {
    add(Path.of(System.getProperty("java.home"), "bin", "java").toString())
    addAll(flags)
    add("--enable-native-access=ALL-UNNAMED")
    add("-cp")
    add(System.getProperty("java.class.path"))
    add(main)
    addAll(arguments)
}
