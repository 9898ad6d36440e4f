package bootdyno.launch.prepare

import bootdyno.launch.LaunchFailed
import bootdyno.launch.deathSentence
import bootdyno.model.Stage
import bootdyno.system.ChildOutput
import bootdyno.system.Inherited
import bootdyno.system.endAll
import bootdyno.system.familyOf
import bootdyno.system.ledger.Ledger
import bootdyno.system.startChild
import bootdyno.system.withoutInterrupts
import java.io.IOException
import java.nio.file.Path
import java.util.concurrent.TimeUnit
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlin.time.DurationUnit

/** Runs the commands that make something, each to its end. Their output is added to [log]. */
internal class ToolRun(private val ledger: Ledger, private val log: Path, private val inherits: Inherited = Inherited.BASIC) {
    /**
     * Runs [words] with [environment]; [what] names it in sentences. Throws [LaunchFailed] when it fails or does not end in time; an interrupt ends it with
     * all it started.
     */
    fun toTheEnd(what: String, words: List<String>, deadline: Duration, environment: Map<String, String> = emptyMap()) {
        val child = start(what, words, environment)
        val output = ChildOutput.start(log, child.inputStream)
        ledger.child(child.pid(), what)
        try {
            val ended = child.waitFor(deadline.toLong(DurationUnit.MILLISECONDS), TimeUnit.MILLISECONDS)
            if (!ended) throw failed(output, "$what did not end within $deadline.")
            output.awaitEnd()
            if (child.exitValue() != 0) throw failed(output, deathSentence(child.exitValue(), 0, null, what))
        } finally {
            withoutInterrupts { if (!child.isAlive || endAll(familyOf(child.pid()), 2.seconds)) ledger.forgetChild(child.pid()) }
            output.close()
        }
    }

    private fun start(what: String, words: List<String>, environment: Map<String, String>): Process = try {
        startChild(words, environment, inherits)
    } catch (refused: IOException) {
        throw LaunchFailed(Stage.PREPARE, "$what could not be started: ${refused.message}.", cause = refused)
    }

    private fun failed(output: ChildOutput, reason: String) = LaunchFailed(Stage.PREPARE, reason, output.lastLines(LINES))

    private companion object {
        const val LINES = 20
    }
}
