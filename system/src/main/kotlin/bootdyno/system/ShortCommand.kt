package bootdyno.system

import java.io.IOException
import java.nio.file.Files
import java.nio.file.Path
import java.util.concurrent.TimeUnit
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/** Exit code and output of a short command. */
data class ShortCommand(val exit: Int, val output: String) {
    val succeeded: Boolean get() = exit == 0
}

/** Runs [words] for at most 5 s. Null if the command is missing, or did not end. */
fun runShortly(words: List<String>): ShortCommand? = ioOrNull { runWithin(5.seconds, words, Inherited.SYSTEMD) }

/** Runs [words], ignoring interrupts. Null if it did not end within [deadline]. Throws [IOException] if it could not be started. */
fun runWithin(
    deadline: Duration,
    words: List<String>,
    inherits: Inherited,
    environment: Map<String, String> = emptyMap(),
): ShortCommand? {
    val started = startChild(words, environment, inherits)
    // These commands print less than the size of a pipe, so waiting first cannot block them.
    if (withoutInterrupts { started.waitFor(deadline.inWholeMilliseconds, TimeUnit.MILLISECONDS) }) {
        return ShortCommand(started.exitValue(), started.inputReader().readText().trim())
    }
    started.destroyForcibly()
    return null
}

/** The file of a command, searched like a shell does; null if missing. */
fun findOnPath(command: String): Path? {
    val folders = if ('/' in command) listOf("") else System.getenv("PATH").orEmpty().split(':')
    return folders.map { if (it.isEmpty()) Path.of(command) else Path.of(it, command) }
        .find { Files.isRegularFile(it) && Files.isExecutable(it) }
}
