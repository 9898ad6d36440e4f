package bootdyno.system

import java.io.IOException
import java.nio.file.Files
import java.nio.file.Path
import java.util.concurrent.TimeUnit

/** How a short command ended, with all it printed. */
data class ShortCommand(val exit: Int, val output: String) {
    val succeeded: Boolean get() = exit == 0
}

/** Runs [words] to the end, 5 s at most. Null: there is no such command, or it did not end. */
fun runShortly(words: List<String>): ShortCommand? {
    val started = try {
        startChild(words, inherits = Inherited.SYSTEMD)
    } catch (_: IOException) {
        return null
    }
    // The commands run here print a few lines: less than a pipe holds, so waiting first cannot block them.
    val ended = withoutInterrupts { started.waitFor(5, TimeUnit.SECONDS) }
    if (!ended) {
        started.destroyForcibly()
        return null
    }
    return ShortCommand(started.exitValue(), started.inputReader().readText())
}

/** The file a command name stands for, looked up as a shell would; null when there is none. */
fun findOnPath(command: String): Path? {
    val folders = if ('/' in command) listOf("") else System.getenv("PATH").orEmpty().split(':')
    return folders.map { if (it.isEmpty()) Path.of(command) else Path.of(it, command) }
        .find { Files.isRegularFile(it) && Files.isExecutable(it) }
}
