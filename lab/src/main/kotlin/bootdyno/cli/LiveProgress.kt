package bootdyno.cli

import bootdyno.model.Ending
import bootdyno.model.Stage
import bootdyno.model.perSecond
import bootdyno.model.timeOfMillis
import bootdyno.run.RunEvent
import com.github.ajalt.mordant.animation.Animation
import com.github.ajalt.mordant.animation.textAnimation
import com.github.ajalt.mordant.rendering.TextColors.cyan
import com.github.ajalt.mordant.rendering.TextColors.gray
import com.github.ajalt.mordant.rendering.TextColors.green
import com.github.ajalt.mordant.rendering.TextColors.red
import com.github.ajalt.mordant.rendering.TextStyles.bold
import com.github.ajalt.mordant.rendering.Whitespace
import com.github.ajalt.mordant.terminal.PrintRequest
import com.github.ajalt.mordant.terminal.Terminal
import com.github.ajalt.mordant.terminal.TerminalInterface
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource

private const val BAR = 24

/** Live progress: finished cells as rows, the current cell, and a progress bar with the remaining time. */
internal class LiveProgress(private val terminal: Terminal, private val expectedTrial: Duration) :
    (RunEvent) -> Unit,
    AutoCloseable {
    private data class Now(val cell: String = "", val stage: String = "", val load: String = "")

    private val soFar = SoFar()
    private val animation: Animation<Now> = terminal.textAnimation(whitespace = Whitespace.PRE) { draw(it) }
    private val clock = TimeSource.Monotonic.markNow()
    private var now = Now()
    private val count = TrialCount()
    private var measuredHere = 0
    private var secondsHere = 0.0

    override fun invoke(event: RunEvent) {
        count.count(event)
        when (event) {
            is RunEvent.RunStarted -> terminal.println(gray("writing to ${event.folder}"))

            is RunEvent.RoundAdded -> terminal.println(gray(roundText(event)))

            is RunEvent.TrialRepeated -> terminal.println(gray("  ${repeatedText(event)}"))

            is RunEvent.TrialStarted -> now = now.copy(cell = event.cell.id.text, stage = "", load = "")

            is RunEvent.StageEntered -> now = now.copy(stage = words(event.stage), load = "")

            is RunEvent.Waiting -> now = now.copy(stage = waitingText(event))

            is RunEvent.Second -> now = now.copy(load = loadText(event))

            is RunEvent.TrialEnded -> ended(event)

            is RunEvent.RunEnded -> {
                animation.clear()
                terminal.println(gray(event.why))
                return
            }
        }
        animation.update(now)
    }

    override fun close() = animation.clear()

    private fun ended(event: RunEvent.TrialEnded) {
        measuredHere++
        secondsHere += event.seconds
        now = now.copy(load = "")
        val mark = when (event.record.ending) {
            is Ending.Measured -> green("✓")
            is Ending.Failed -> red("✗")
            is Ending.NotRun -> gray("○")
        }
        terminal.println("$mark ${trialLine(event, soFar)}")
    }

    /** Mean duration of the trials of this run; before the first one, the estimate. */
    private fun perTrial(): Duration = if (measuredHere == 0) expectedTrial else (secondsHere / measuredHere).seconds

    private fun draw(now: Now): String {
        val done = if (count.all == 0) 0 else BAR * count.ended / count.all
        val left = perTrial() * (count.all - count.ended).coerceAtLeast(0)
        val bar = green("━".repeat(done)) + gray("━".repeat(BAR - done))
        val about = if (measuredHere == 0) "at most" else "about"
        val times = "$about ${shortTime(left)} left, ${shortTime(clock.elapsedNow())} so far"
        val overall = "$bar ${count.ended}/${count.all} trials  ${gray(times)}"
        return "$overall\n${bold(now.cell)}  ${cyan(now.stage)}  ${now.load}"
    }

    private fun loadText(event: RunEvent.Second): String =
        perSecond(event.perSecond) + event.p99Ms?.let { "  p99 ${timeOfMillis(it)}" }.orEmpty()

    private fun words(stage: Stage): String = when (stage) {
        Stage.PREPARE -> "preparing (one-time)"
        Stage.SERVICES -> "starting services"
        Stage.LAUNCH -> "starting"
        Stage.READY -> "waiting for the first answer"
        Stage.VERIFY -> "verifying answers"
        Stage.WARM_UP -> "warming up"
        Stage.DRAIN -> "draining"
        Stage.WINDOW -> "measuring"
        Stage.LATENCY_AT -> "measuring latency under open load"
        Stage.DIAGNOSIS -> "observing what limits it"
        Stage.STOP -> "stopping"
    }
}

/** `45 s`, `3 min`, `1 h 20 min`. */
internal fun shortTime(duration: Duration): String {
    val minutes = (duration.inWholeSeconds + 30) / 60
    return when {
        duration < 90.seconds -> "${duration.inWholeSeconds} s"
        minutes < 60 -> "$minutes min"
        else -> "${minutes / 60} h ${minutes % 60} min"
    }
}

/** The terminal [real], with all output on stderr, because stdout has the result only. */
internal class StderrInterface(private val real: TerminalInterface) : TerminalInterface by real {
    override fun completePrintRequest(request: PrintRequest) {
        System.err.print(request.text + if (request.trailingLinebreak) "\n" else "")
        System.err.flush()
    }
}
