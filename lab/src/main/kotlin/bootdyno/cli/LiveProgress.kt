package bootdyno.cli

import bootdyno.model.Ending
import bootdyno.model.Plan
import bootdyno.model.perSecond
import bootdyno.model.timeOfMillis
import bootdyno.report.format.wrapped
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
import java.nio.charset.StandardCharsets
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource

private const val BAR = 24
private const val NARROWEST = 60
private const val USUAL_WIDTH = 80

/**
 * Live progress: finished trials as rows; a progress bar with the remaining time, the current cell, and which cell leads so far. [blocks]: whether
 * the terminal shows the characters of a sparkline.
 */
internal class LiveProgress(
    private val terminal: Terminal,
    private val expectedTrial: Duration,
    plan: Plan,
    private val blocks: Boolean = System.err.charset() == StandardCharsets.UTF_8,
) : (RunEvent) -> Unit,
    AutoCloseable {
    private val soFar = SoFar()
    private val leader = LeaderSoFar(plan, soFar)
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

            is RunEvent.RoundAdded -> wrapped(roundText(event), width).forEach { terminal.println(gray(it)) }

            is RunEvent.TrialRepeated -> terminal.println(gray("  ${repeatedText(event)}"))

            is RunEvent.TrialStarted -> now = now.copy(cell = event.cell.id.text, stage = "", load = "", rates = emptyList())

            is RunEvent.StageEntered -> now = now.copy(stage = event.stage.doing, load = "", rates = emptyList())

            is RunEvent.Waiting -> now = now.copy(stage = waitingText(event))

            is RunEvent.Second -> now = now.copy(load = loadText(event), rates = now.rates + event.perSecond)

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
        val mark = when (event.record.ending) {
            is Ending.Measured -> green("✓")
            is Ending.Failed -> red("✗")
            is Ending.NotRun -> gray("–")
        }
        terminal.println("$mark ${trialLine(event, soFar)}")
        now = now.copy(load = "", rates = emptyList(), leader = leader.text(event.cell) ?: now.leader)
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
        val line = now.line(width, blocks)
        val current = "${bold(line.name)}  ${cyan(line.stage)}  ${line.load}"
        return listOfNotNull(overall, current, now.leader?.let { gray(it) }).joinToString("\n")
    }

    /** In characters, without the last column. Pseudo-terminals may report none. */
    private val width: Int get() = (terminal.size.width.takeIf { it >= NARROWEST } ?: USUAL_WIDTH) - 1

    private fun loadText(event: RunEvent.Second): String =
        perSecond(event.perSecond) + event.p99Ms?.let { "  p99 ${timeOfMillis(it)}" }.orEmpty()
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
