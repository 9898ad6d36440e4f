package bootdyno.engine

import bootdyno.system.Inherited
import bootdyno.system.ioOrNull
import bootdyno.system.kill
import bootdyno.system.startChild
import bootdyno.system.withoutInterrupts
import java.io.IOException
import java.io.OutputStream
import java.nio.file.Path
import java.util.concurrent.CompletableFuture
import java.util.concurrent.TimeUnit
import java.util.concurrent.TimeoutException
import kotlin.concurrent.thread
import kotlin.time.Duration
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds

/**
 * Another host that runs an engine, reached by [shell], a command that starts `sh` there and connects its stdin and stdout. All that is to be
 * done there is written to this stdin, never to a command line. [java]: its `java` command. [transport]: a [Transport.word]; null: the default.
 */
internal class LoadHost(
    val name: String,
    private val shell: List<String>,
    private val java: String,
    private val transport: String? = null,
) {
    private val who = "the load engine on $name"

    /**
     * Starts the engine of the jar at [place], a path of the host; its stderr goes to [log]. It ends when the lab says nothing for a minute.
     * @throws EngineFailed with the reason and what to do
     */
    fun start(place: String, log: Path, patience: Duration = 30.seconds): ForkedEngine {
        val flags = (engineFlags(transport) + "--enable-native-access=ALL-UNNAMED").joinToString(" ")
        val script = "cd / && exec $java $flags -cp '$place' $ENGINE_MAIN $LONGEST_SILENCE_SECONDS"
        return ForkedEngine.startIn(shell, script, who, log, patience)
    }

    /**
     * Checks Java, copies [jar] unless it is there, and returns its path on the host.
     * @throws EngineFailed with the reason and what to do
     */
    fun prepare(jar: EngineJar): String {
        val answer = ask(CHECK_WITHIN) { it.line(check(jar.name)) }
        val folder = answer["folder"].firstOrNull() ?: throw unreachable(answer)
        checkJava(answer["java"])
        if (answer["jar"].firstOrNull() != "yes") copy(jar, folder)
        return "$folder/${jar.name}"
    }

    private fun check(jar: String) = "umask 077; d=\"\${XDG_CACHE_HOME:-\$HOME/.cache}/boot-dyno\"; " +
        "mkdir -p \"\$d\" && echo \"$MARK folder \$d\"; $java -version </dev/null 2>&1 | sed 's/^/$MARK java /'; " +
        "if [ -f \"\$d/$jar\" ]; then echo '$MARK jar yes'; fi; exit 0"

    private fun checkJava(lines: List<String>) {
        val version = lines.firstNotNullOfOrNull { VERSION.find(it) }
            ?: throw EngineFailed(
                "There is no Java at `$java` on $name: ${lines.joinToString(" | ").ifEmpty { "it printed nothing" }}. " +
                    "Install a JDK or JRE $LEAST_JAVA there, or name one: `java: /path/to/bin/java`.",
            )
        val feature = version.groupValues[1].toInt().let { if (it == 1) version.groupValues[2].toIntOrNull() ?: it else it }
        if (feature < LEAST_JAVA) {
            throw EngineFailed(
                "`$java` on $name is Java $feature, and the load engine needs $LEAST_JAVA or newer. " +
                    "Install it there, or name one: `java: /path/to/bin/java`.",
            )
        }
    }

    /** Under a temporary name first, so that a broken connection leaves no incomplete jar. */
    private fun copy(jar: EngineJar, folder: String) {
        val temporary = "'$folder/${jar.name}.'$$"
        val script = "umask 077; { echo '$MARK send'; cat > $temporary; if [ \$(wc -c < $temporary) -eq ${jar.bytes.size} ] && " +
            "mv -f $temporary '$folder/${jar.name}'; then echo '$MARK jar stored'; else rm -f $temporary; fi; exit; }"
        val answer = ask(COPY_WITHIN, payload = jar.bytes) { it.line(script) }
        if (answer["jar"].firstOrNull() != "stored") {
            throw EngineFailed("The load engine could not be copied to $folder on $name: ${answer.lastWords()}")
        }
    }

    private fun unreachable(told: Told) = EngineFailed(
        "The host $name does not run commands for us: ${told.lastWords()} Try: ${shell.joinToString(" ")} </dev/null",
    )

    /** Output of a shell: marked lines by their first word, and the others. */
    private class Told(private val lines: List<String>, private val exit: Int?) {
        operator fun get(word: String): List<String> =
            lines.filter { it.startsWith("$MARK $word ") }.map { it.removePrefix("$MARK $word ").trim() }

        fun lastWords(): String {
            val rest = lines.filter { it.isNotBlank() && !it.startsWith(MARK) }.takeLast(LAST_LINES).joinToString(" | ")
            return when {
                rest.isNotEmpty() -> "$rest."
                exit == null -> "it said nothing in time."
                else -> "it ended with exit code $exit."
            }
        }
    }

    /** Runs a shell there, writes [input] to it, and [payload] when it says that it is ready for that. */
    private fun ask(within: Duration, payload: ByteArray? = null, input: (OutputStream) -> Unit): Told {
        val process = try {
            startChild(shell, inherits = Inherited.REMOTE, fed = true)
        } catch (missing: IOException) {
            throw EngineFailed("The host $name cannot be reached: ${missing.message}")
        }
        val talk = CompletableFuture.supplyAsync({ talk(process, payload, input) }) {
            thread(isDaemon = true, name = "shell-$name", block = it::run)
        }
        try {
            val ended = process.waitFor(within.inWholeMilliseconds, TimeUnit.MILLISECONDS)
            if (!ended) process.kill()
            return Told(talk.get(LONGEST_REST_SECONDS, TimeUnit.SECONDS), if (ended) process.exitValue() else null)
        } catch (_: TimeoutException) {
            return Told(emptyList(), exit = null)
        } finally {
            process.kill()
            withoutInterrupts { process.waitFor(LONGEST_REST_SECONDS, TimeUnit.SECONDS) }
        }
    }

    private fun talk(process: Process, payload: ByteArray?, input: (OutputStream) -> Unit): List<String> {
        val lines = mutableListOf<String>()
        untilBroken { process.outputStream.also(input).flush() }
        val output = process.inputReader()
        untilBroken {
            while (true) {
                val line = output.readLine() ?: break
                lines += line
                // Some shells read more of their stdin than their commands, so the payload waits.
                if (payload != null && line.trim() == "$MARK send") untilBroken { process.outputStream.use { it.write(payload) } }
            }
        }
        return lines
    }

    /** When the connection breaks, its output says why. */
    private fun untilBroken(action: () -> Unit) = ioOrNull(action)

    private fun OutputStream.line(text: String) = write("$text\n".toByteArray())
}

/** Begins each line that counts; a login shell may print others. */
private const val MARK = "boot-dyno:"
private const val LAST_LINES = 3
private const val LEAST_JAVA = 25
private val VERSION = Regex("""version "(\d+)(?:\.(\d+))?""")
private val CHECK_WITHIN = 30.seconds
private val COPY_WITHIN = 10.minutes
private const val LONGEST_REST_SECONDS = 5L

/** [SeveralEngines] says more often that the lab lives. */
private const val LONGEST_SILENCE_SECONDS = 60
