package bootdyno.launch.prepare

import bootdyno.launch.LaunchFailed
import bootdyno.launch.exitSentence
import bootdyno.launch.orLaunchFailed
import bootdyno.model.PreparationStep
import bootdyno.model.Stage
import bootdyno.model.redactCommandLine
import bootdyno.system.ChildOutput
import bootdyno.system.Inherited
import bootdyno.system.endAll
import bootdyno.system.familyOf
import bootdyno.system.ledger.Ledger
import bootdyno.system.startChild
import bootdyno.system.withoutInterrupts
import java.nio.file.Path
import java.util.concurrent.TimeUnit
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlin.time.DurationUnit
import kotlin.time.TimeSource

/** Runs build commands, each to its end. Their output is appended to [log]; failures are failures of [stage]. */
internal class ToolRun(
    private val ledger: Ledger,
    private val log: Path,
    private val inherits: Inherited = Inherited.BASIC,
    private val stage: Stage = Stage.PREPARE,
    private val folder: Path? = null,
) {
    /** Like [toTheEnd], as the step [name]. */
    fun step(
        name: String,
        what: String,
        words: List<String>,
        deadline: Duration,
        environment: Map<String, String> = emptyMap(),
    ): PreparationStep {
        val began = TimeSource.Monotonic.markNow()
        toTheEnd(what, words, deadline, environment)
        return PreparationStep(name, began.elapsedNow().toDouble(DurationUnit.SECONDS), redactCommandLine(words))
    }

    /**
     * Runs [words] with [environment]; [what] is its name in sentences. Throws [LaunchFailed] after a failure or the time limit; an interrupt ends
     * its processes.
     */
    fun toTheEnd(what: String, words: List<String>, deadline: Duration, environment: Map<String, String> = emptyMap()) {
        val child = start(what, words, environment)
        val output = ChildOutput.start(log, child.inputStream)
        try {
            val ended = child.waitFor(deadline.toLong(DurationUnit.MILLISECONDS), TimeUnit.MILLISECONDS)
            if (!ended) throw failed(output, "$what did not end within $deadline.")
            output.awaitEnd()
            if (child.exitValue() != 0) throw failed(output, exitSentence(child.exitValue(), 0, null, what))
        } finally {
            withoutInterrupts { if (!child.isAlive || endAll(familyOf(child.pid()), 2.seconds)) ledger.forgetChild(child.pid()) }
            output.close()
        }
    }

    private fun start(what: String, words: List<String>, environment: Map<String, String>): Process =
        orLaunchFailed(stage, "$what could not be started") {
            startChild(words, environment, inherits, folder).also { ledger.child(it.pid(), what) }
        }

    private fun failed(output: ChildOutput, reason: String) = LaunchFailed(stage, reason, output.lastLines(SHOWN_LINES))
}
