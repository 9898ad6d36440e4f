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
}

private val READY = Regex("dyno: ready")
private val STARTED = Regex("""Simulation \S+ started\.\.\.""")
private val SENDING = Regex("""dyno: sending since (\d+)""")
private val LONGEST_START = 180.seconds
private val LONGEST_SILENCE = 60.seconds

/** What Gatling's console prints now and then, and once more when it ends: totals of the whole run. [active] users are under way. */
internal data class Summary(val good: Long, val bad: Long, val active: Long)

/**
 * Picks the summaries out of what Gatling prints. A summary stands between two lines of `=`:
 * ```
 * ---- Requests ---------------|---Total---|-----OK----|----KO----
 * > Global                     |     1,000 |       990 |        10
 * ---- load ----------------------------------------------------
 *           waiting:         0 / active:         5  / done:        15
 * ```
 * Where a [scenario] is given, only its users count.
 */
internal class ConsoleReader(private val scenario: String?) {
    private enum class Place { OUTSIDE, OPENED, INSIDE }

    private var place = Place.OUTSIDE
    private var title = ""
    private var totals: Summary? = null
    private var active = 0L

    /** Whether the last line belonged to a summary. */
    var inSummary = false
        private set

    /** Takes the next [line]; a summary where it ends one. */
    fun take(line: String): Summary? {
        val before = place
        place = when {
            before != Place.INSIDE && line.isRule() -> Place.OPENED

            // A script may print such a line too.
            before == Place.OPENED && line.endsWith("elapsed") -> Place.INSIDE

            before == Place.INSIDE && !line.isRule() -> Place.INSIDE

            else -> Place.OUTSIDE
        }
        inSummary = place != Place.OUTSIDE || before == Place.INSIDE
        if (place == Place.INSIDE) inside(line, isFirst = before == Place.OPENED)
        return if (before == Place.INSIDE && place == Place.OUTSIDE) totals?.copy(active = active) else null
    }

    private fun inside(line: String, isFirst: Boolean) {
        if (isFirst) {
            title = ""
            totals = null
            active = 0
        }
        HEADING.find(line)?.let { title = it.groupValues[1] }
        if (title == "Requests" && totals == null) {
            totals = GLOBAL.find(line)?.destructured?.let { (good, bad) -> Summary(good.number(), bad.number(), 0) }
        }
        if (scenario == null || title == scenario) ACTIVE.find(line)?.let { active += it.groupValues[1].number() }
    }

    private companion object {
        fun String.isRule() = length > 20 && all { it == '=' }

        val HEADING = Regex("""^---- (.+?) -+(\||$)""")
        val GLOBAL = Regex("""^> Global\s+\|[^|]*\|([^|]*)\|([^|]*)$""")
        val ACTIVE = Regex("""active:([^/]*)/""")

        /** However the locale groups digits; `-` is none, and what no count can be is none either. */
        fun String.number() = filter { it.isDigit() }.toLongOrNull() ?: 0
    }
}
