package bootdyno.launch.docker

import bootdyno.system.Inherited
import bootdyno.system.ShortCommand
import bootdyno.system.findOnPath
import bootdyno.system.startChild
import bootdyno.system.withoutInterrupts
import java.io.IOException
import java.nio.file.Path
import java.util.concurrent.TimeUnit
import kotlin.time.Duration
import kotlin.time.Duration.Companion.minutes

/**
 * The `docker` command of this machine. It finds its engine as it does for its user: by DOCKER_HOST, or by the context in use.
 * [environment] is put into the environment of every call.
 */
class DockerCli internal constructor(private val executable: Path, internal val environment: Map<String, String> = emptyMap()) {
    /** The engine's socket where it was said by name; empty for the one that the command knows by itself. */
    val host: String get() = environment[HOST] ?: System.getenv(HOST).orEmpty()

    /** [words] as they are started by whoever starts them. */
    internal fun command(vararg words: String): List<String> = command(words.toList())

    internal fun command(words: List<String>): List<String> = listOf("$executable") + words

    internal fun at(host: String) = DockerCli(executable, environment + (HOST to host))

    /** Starts `docker` [words]; [more] is put into the environment too. Throws [IOException]. */
    internal fun start(words: List<String>, more: Map<String, String> = emptyMap()): Process =
        startChild(command(words), environment + more, Inherited.DOCKER)

    /**
     * Runs `docker` [words] to the end, whoever interrupts: what was begun in an engine is there whether or not one waits for it. [more]
     * is put into the environment too. What did not end [within] failed.
     */
    internal fun ask(words: List<String>, more: Map<String, String> = emptyMap(), within: Duration = 2.minutes): ShortCommand =
        try {
            val child = start(words, more)
            // Answers are a few lines, less than a pipe holds: waiting first cannot block them.
            if (withoutInterrupts { child.waitFor(within.inWholeMilliseconds, TimeUnit.MILLISECONDS) }) {
                ShortCommand(child.exitValue(), child.inputReader().readText().trim())
            } else {
                child.destroyForcibly()
                ShortCommand(NEVER, "docker ${words.first()} did not end within $within")
            }
        } catch (refused: IOException) {
            ShortCommand(NEVER, "docker could not be started: ${refused.message}")
        }

    internal fun ask(vararg words: String): ShortCommand = ask(words.toList())

    companion object {
        internal const val HOST = "DOCKER_HOST"
        private const val NEVER = -1

        /** The one on the PATH; null where there is none. */
        fun found(): DockerCli? = findOnPath("docker")?.let { DockerCli(it) }
    }
}

/** Warnings stand before the answer. */
internal fun ShortCommand.answer(): String = output.lines().last().trim()
