package bootdyno.engines.jmeter

import bootdyno.engine.GeneratorProcess
import bootdyno.system.waitUntil
import bootdyno.system.withoutInterrupts
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/** Ends a run that is late: first it finishes its samples, then it breaks them off, then it is killed. Times are ms since 1970. */
internal class StopLate(
    private val process: GeneratorProcess,
    private val console: JMeterConsole,
    private val timeout: Duration,
    private val note: (String) -> Unit,
) {
    private enum class Step { NONE, SHUT_DOWN, BROKEN_OFF, KILLED }

    private var step = Step.NONE
    private var since = 0L
    private var overSince: Long? = null

    /** When it was first stopped; null where it ended by itself. */
    var stoppedAt: Long? = null
        private set

    /** Whether samples may be missing that it never ended. */
    val killed: Boolean get() = step == Step.KILLED

    /** Whether it could not react to a command, since it was stopped. */
    var foundStopped = false
        private set

    /** Does what is due [now] for a run that should be over at [due]. */
    fun look(now: Long, due: Long) {
        val waited = (now - since).milliseconds
        when {
            console.isOver -> endLingering(now)

            step == Step.NONE && now >= due -> take(Step.SHUT_DOWN, now, "JMeter still runs: it is to finish its samples.") {
                stoppedAt = now
                console.shutDown()
            }

            step == Step.SHUT_DOWN && waited > timeout + PATIENCE ->
                take(Step.BROKEN_OFF, now, "JMeter still runs: it is to break its samples off.", console::stopNow)

            step == Step.BROKEN_OFF && waited > PATIENCE -> take(Step.KILLED, now, "JMeter still runs: it is killed.") {
                foundStopped = process.isStopped
                process.kill()
            }
        }
    }

    /** Its results are complete; something in it that is no daemon keeps the process. */
    private fun endLingering(now: Long) {
        val since = overSince ?: now.also { overSince = it }
        if (now - since > PATIENCE.inWholeMilliseconds) process.kill()
    }

    private fun take(next: Step, now: Long, note: String, action: () -> Unit) {
        step = next
        since = now
        note(note)
        action()
    }

    private companion object {
        val PATIENCE = 10.seconds
    }
}

/** Remote engines would go on without it: if it still runs, it makes them break off, for which it gets some seconds. */
internal fun endRemotes(process: GeneratorProcess, console: JMeterConsole) {
    if (process.exitCode != null || console.isOver) return
    console.stopNow()
    withoutInterrupts {
        waitUntil(LONGEST_REMOTE_STOP, every = 50.milliseconds) { process.exitCode != null || console.isOver }
    }
}

private val LONGEST_REMOTE_STOP = 8.seconds
