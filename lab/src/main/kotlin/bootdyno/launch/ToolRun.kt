package bootdyno.launch

import bootdyno.model.Stage
import java.io.IOException
import java.nio.file.Files
import java.nio.file.Path
import java.util.concurrent.TimeUnit
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlin.time.DurationUnit

/** Runs the commands that make something, each to its end. Their output is added to [log]. */
internal class ToolRun(private val ledger: Ledger, private val log: Path) {
    /**
     * Runs [words] with [environment] put into ours; [what] names it in sentences. Throws [LaunchFailed] when it fails or does not end in time; an interrupt ends it with
     * all it started.
     */
    fun toTheEnd(what: String, words: List<String>, deadline: Duration, environment: Map<String, String> = emptyMap()) {
        val child = start(what, words, environment)
        ledger.child(child.pid(), what)
        try {
            val ended = child.waitFor(deadline.toLong(DurationUnit.MILLISECONDS), TimeUnit.MILLISECONDS)
            if (!ended) throw failed("$what did not end within $deadline.")
            if (child.exitValue() != 0) throw failed(deathSentence(child.exitValue(), 0, null, what))
        } finally {
            withoutInterrupts { if (!child.isAlive || endAll(familyOf(child.pid()), 2.seconds)) ledger.forgetChild(child.pid()) }
        }
    }

    private fun start(what: String, words: List<String>, environment: Map<String, String>): Process = try {
        Files.createDirectories(log.toAbsolutePath().parent)
        val builder = ProcessBuilder(words)
            .redirectErrorStream(true)
            .redirectInput(nullDevice())
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
        HIDDEN_FROM_SUBJECTS.forEach(builder.environment()::remove)
        builder.environment().putAll(environment)
        builder.start()
    } catch (refused: IOException) {
        throw LaunchFailed(Stage.PREPARE, "$what could not be started: ${refused.message}.", cause = refused)
    }

    private fun failed(reason: String) = LaunchFailed(Stage.PREPARE, reason, lastLines(log, LINES))

    private companion object {
        const val LINES = 20
    }
}
