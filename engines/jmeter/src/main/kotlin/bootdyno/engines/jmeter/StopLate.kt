package bootdyno.engines.jmeter

import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/** Ends a run that is late: it is asked to finish its samples, then to break them off, then killed. Times are ms since 1970. */
internal class StopLate(private val run: JMeterRun, private val timeout: Duration, private val tell: (String) -> Unit) {
    private enum class Step { NONE, SHUT_DOWN, BROKEN_OFF, KILLED }

    private var step = Step.NONE
    private var since = 0L
    private var overSince: Long? = null

    /** When it was told to stop; null where it ended by itself. */
    var stoppedAt: Long? = null
        private set

    /** Whether samples may be missing that it never ended. */
    val killed: Boolean get() = step == Step.KILLED

    /** Whether it could not react to being told to stop. */
    var foundStopped = false
        private set

    /** Does what is due [now] for a run that should be over at [due]. */
    fun look(now: Long, due: Long) {
        if (run.isOver) {
            endLingering(now)
            return
        }
        when (step) {
            Step.NONE -> if (now >= due) {
                stoppedAt = now
                tell("JMeter is still at work and told to stop")
                take(Step.SHUT_DOWN, now) { run.shutDown() }
            }

            Step.SHUT_DOWN -> if (now - since > (timeout + PATIENCE).inWholeMilliseconds) {
                tell("JMeter is told to break its samples off")
                take(Step.BROKEN_OFF, now) { run.stopNow() }
            }

            Step.BROKEN_OFF -> if (now - since > PATIENCE.inWholeMilliseconds) {
                tell("JMeter is killed")
                foundStopped = run.isStopped
                take(Step.KILLED, now) { run.kill() }
            }

            Step.KILLED -> Unit
        }
    }

    /** Its results are complete; something in it that is no daemon keeps the process. */
    private fun endLingering(now: Long) {
        val since = overSince ?: now.also { overSince = it }
        if (now - since > PATIENCE.inWholeMilliseconds) run.kill()
    }

    private fun take(next: Step, now: Long, action: () -> Unit) {
        step = next
        since = now
        action()
    }

    private companion object {
        val PATIENCE = 10.seconds
    }
}
