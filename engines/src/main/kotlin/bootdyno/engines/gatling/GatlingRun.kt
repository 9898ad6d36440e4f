package bootdyno.engines.gatling

import bootdyno.engine.CpuTrace
import bootdyno.engine.EngineFailed
import bootdyno.engine.GeneratorProcess
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource.Monotonic
import kotlin.time.TimeSource.Monotonic.ValueTimeMark

/**
 * The end of a Gatling run. [summary]: the last one printed; [lastWords]: the last other lines; [sendingSince]: time of the first request of our
 * own simulation, ms since 1970.
 */
internal class GatlingEnded(
    val exitCode: Int?,
    val summary: Summary?,
    val cpu: CpuTrace,
    val lastWords: String,
    val sendingSince: Long? = null,
)

/**
 * Follows one Gatling process by its output. If [gated], it waits for a signal before its first request; otherwise it prints when it has
 * started. If [scenario] is given, only its users count. [takeLine] is for the reading thread, the rest for the driving thread.
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

    /** False for lines of a summary, which is printed every second. */
    fun takeLine(line: String): Boolean {
        heard = Monotonic.markNow()
        SENDING.matchEntire(line)?.let { sendingSince = it.groupValues[1].toLongOrNull() }
        console.take(line)?.let { summary = it }
        if (beginning.matches(line)) mayBegin = true
        return !console.inSummary
    }

    /**
     * Follows [process] to its end. [onSummary] gets each summary and the time since the start; the first one is empty, before the first request.
     * @throws EngineFailed if it takes longer than [longest], or prints nothing for [silence] (it prints totals every second)
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

/** Totals of the whole run, as printed by Gatling periodically and at the end. [active]: number of active users. */
internal data class Summary(val good: Long, val bad: Long, val active: Long)

/**
 * Finds the summaries in Gatling's output. A summary is between two lines of `=`:
 * ```
 * ---- Requests ---------------|---Total---|-----OK----|----KO----
 * > Global                     |     1,000 |       990 |        10
 * ---- load ----------------------------------------------------
 *           waiting:         0 / active:         5  / done:        15
 * ```
 * If [scenario] is given, only its users count.
 */
internal class ConsoleReader(private val scenario: String?) {
    private enum class Place { OUTSIDE, OPENED, INSIDE }

    private var place = Place.OUTSIDE
    private var title = ""
    private var totals: Summary? = null
    private var active = 0L

    /** Whether the last line was part of a summary. */
    var inSummary = false
        private set

    /** Reads the next [line]; returns a summary at its last line. */
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
}

private fun String.isRule() = length > 20 && all { it == '=' }

private val HEADING = Regex("""^---- (.+?) -+(\||$)""")
private val GLOBAL = Regex("""^> Global\s+\|[^|]*\|([^|]*)\|([^|]*)$""")
private val ACTIVE = Regex("""active:([^/]*)/""")

/** Ignores the locale's digit grouping; 0 for `-` and other non-numbers. */
private fun String.number() = filter { it.isDigit() }.toLongOrNull() ?: 0
