package bootdyno.system

import java.io.IOException
import java.nio.file.Files
import java.nio.file.Path
import java.util.concurrent.TimeUnit
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/** How a short command ended, with all it printed. */
data class ShortCommand(val exit: Int, val output: String) {
    val succeeded: Boolean get() = exit == 0
}

/** Runs [words] to the end, 5 s at most. Null: there is no such command, or it did not end. */
fun runShortly(words: List<String>): ShortCommand? = try {
    runWithin(5.seconds, words, Inherited.SYSTEMD)
} catch (_: IOException) {
    null
}

/** Runs [words] to the end, whoever interrupts. Null where it did not end in [deadline]. Throws [IOException] where it could not be started. */
fun runWithin(
    deadline: Duration,
    words: List<String>,
    inherits: Inherited,
    environment: Map<String, String> = emptyMap(),
): ShortCommand? {
    val started = startChild(words, environment, inherits)
    // The commands run here print a few lines: less than a pipe holds, so waiting first cannot block them.
    if (withoutInterrupts { started.waitFor(deadline.inWholeMilliseconds, TimeUnit.MILLISECONDS) }) {
        return ShortCommand(started.exitValue(), started.inputReader().readText().trim())
    }
    started.destroyForcibly()
    return null
}

/** The file a command name stands for, looked up as a shell would; null when there is none. */
fun findOnPath(command: String): Path? {
    val folders = if ('/' in command) listOf("") else System.getenv("PATH").orEmpty().split(':')
    return folders.map { if (it.isEmpty()) Path.of(command) else Path.of(it, command) }
        .find { Files.isRegularFile(it) && Files.isExecutable(it) }
}
