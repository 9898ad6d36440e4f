package bootdyno.engines.gatling

import bootdyno.engine.CpuTrace
import bootdyno.engine.EngineFailed
import bootdyno.engine.GeneratorProcess
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource.Monotonic
import kotlin.time.TimeSource.Monotonic.ValueTimeMark

/**
 * How a run of Gatling ended. [summary] is the last it printed, [lastWords] the last lines besides; [sendingSince] is when our own
 * simulation began to send, ms since 1970.
 */
internal class GatlingEnded(
    val exitCode: Int?,
    val summary: Summary?,
    val cpu: CpuTrace,
    val lastWords: String,
    val sendingSince: Long? = null,
)

/**
 * Follows one process of Gatling by what it prints. [gated], it waits before its first request until it is let through; else it has begun
 * when it prints so. Of the users only those of [scenario] count, if given. [takeLine] is for the thread that reads its output, the rest
 * for the one that drives.
 */
internal class GatlingRun(private val gated: Boolean, scenario: String?) {
    private val console = ConsoleReader(scenario)
    private val beginning = if (gated) READY else STARTED

    @Volatile
    private var sendingSince: Long? = null

    @Volatile
    private var mayBegin = false

    @Volatile
    private var summary: Summary? = null

    @Volatile
    private var heard: ValueTimeMark = Monotonic.markNow()

    /** False for the lines of a summary, of which there is one a second. */
    fun takeLine(line: String): Boolean {
        heard = Monotonic.markNow()
        SENDING.matchEntire(line)?.let { sendingSince = it.groupValues[1].toLongOrNull() }
        console.take(line)?.let { summary = it }
        if (beginning.matches(line)) mayBegin = true
        return !console.inSummary
    }

    /**
     * Follows [process] to its end. [onSummary] gets each summary and the time since the beginning, the first with nothing in it before
     * the first request is sent.
     * @throws EngineFailed where it goes on for longer than [longest], or prints nothing for [silence]: it prints totals each second
     */
    fun follow(
        process: GeneratorProcess,
        longest: Duration = Duration.INFINITE,
        silence: Duration = LONGEST_SILENCE,
        onSummary: (at: Duration, Summary) -> Unit,
    ): GatlingEnded {
        val cpu = CpuTrace()
        val started = Monotonic.markNow()
        var began: ValueTimeMark? = null
        var reported: Summary? = null
        process.follow(cpu) { over ->
            if (began == null && mayBegin) {
                began = Monotonic.markNow()
                onSummary(Duration.ZERO, Summary(0, 0, 0))
                if (gated) process.write('g'.code)
            }
            val latest = summary
            val running = began?.elapsedNow()
            if (running != null && latest != null && latest !== reported) {
                reported = latest
                onSummary(running, latest)
            }
            val late = when {
                over -> null
                running == null -> "start within $LONGEST_START".takeIf { started.elapsedNow() > LONGEST_START }
                heard.elapsedNow() > silence -> "print a line for $silence, and was killed"
                running > longest -> "end within $longest"
                else -> null
            }
            if (late != null) throw EngineFailed("Gatling did not $late: ${process.lastWords()}")
        }
        return GatlingEnded(process.exitCode, summary, cpu, process.lastWords(), sendingSince)
    }

    private companion object {
        val READY = Regex("dyno: ready")
        val STARTED = Regex("""Simulation \S+ started\.\.\.""")
        val SENDING = Regex("""dyno: sending since (\d+)""")
        val LONGEST_START = 180.seconds
        val LONGEST_SILENCE = 60.seconds
    }
}
