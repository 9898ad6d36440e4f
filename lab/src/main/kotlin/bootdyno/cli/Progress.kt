package bootdyno.cli

import bootdyno.analyse.p99Of
import bootdyno.model.CellId
import bootdyno.model.Ending
import bootdyno.model.Stage
import bootdyno.model.Trial
import bootdyno.model.TrialRecord
import bootdyno.model.count
import bootdyno.model.fitted
import bootdyno.model.perSecond
import bootdyno.model.percent
import bootdyno.model.plural
import bootdyno.model.redactText
import bootdyno.model.timeOfMillis
import bootdyno.model.visible
import bootdyno.run.RunEvent
import bootdyno.stats.logMean
import java.util.Locale
import kotlin.time.Duration.Companion.seconds

/** One line of text per finished trial, for logs and pipes. */
internal class LineProgress(private val line: (String) -> Unit) : (RunEvent) -> Unit {
    private val count = TrialCount()
    private val waiting = WaitingLines()
    private val seconds = SecondLines()

    override fun invoke(event: RunEvent) {
        count.count(event)
        text(event)?.let(line)
    }

    private fun text(event: RunEvent): String? = when (event) {
        is RunEvent.RunStarted ->
            "writing to ${event.folder}" + if (event.already > 0) "; ${plural(event.already, "finished trial")} kept" else ""

        is RunEvent.RoundAdded -> roundText(event)

        is RunEvent.TrialRepeated -> "          ${repeatedText(event)}"

        is RunEvent.TrialEnded -> "[%3d/%d] %s".format(Locale.ROOT, count.ended, count.all, trialLine(event))

        is RunEvent.RunEnded -> event.why

        is RunEvent.StageEntered ->
            "          preparing ${event.trial.cell} (one-time)".takeIf { event.stage == Stage.PREPARE }

        is RunEvent.Waiting -> waiting.line(event)?.let { "          $it" }

        is RunEvent.Second -> seconds.line(event)?.let { "          $it" }

        is RunEvent.TrialStarted -> null
    }
}

/** The trials of a run, counted from its events. Owned by the measuring thread. */
internal class TrialCount {
    var all = 0
        private set
    var ended = 0
        private set

    fun count(event: RunEvent) {
        when (event) {
            is RunEvent.RunStarted -> {
                all = event.trials
                ended = event.already
            }

            is RunEvent.RoundAdded -> all += event.trials

            is RunEvent.TrialRepeated -> all++

            is RunEvent.TrialEnded -> ended++

            is RunEvent.TrialStarted, is RunEvent.StageEntered, is RunEvent.Waiting, is RunEvent.Second -> Unit

            is RunEvent.RunEnded -> Unit
        }
    }
}

/** A line for every half minute of load, so that a log shows that a long trial goes on. */
internal class SecondLines {
    private var trial: Trial? = null
    private var count = 0

    fun line(event: RunEvent.Second): String? {
        if (event.trial != trial) count = 0
        trial = event.trial
        if (++count % EVERY != 0) return null
        // A diagnosis changes limits, and with them the rate.
        val rate = if (event.stage == Stage.DIAGNOSIS) "" else ": ${perSecond(event.perSecond)}"
        return "${event.trial.cell} ${event.stage.word}$rate after $count s of load"
    }
}

private const val EVERY = 30

/** After the usual time of a start, one line when the last response to a readiness request changes, and then every half minute. */
internal class WaitingLines {
    private var last: RunEvent.Waiting? = null

    fun line(event: RunEvent.Waiting): String? {
        val before = last
        val isRepeated = before != null && before.trial == event.trial && before.who == event.who &&
            before.awaited.heard == event.awaited.heard && event.awaited.soFar - before.awaited.soFar < AGAIN
        if (isRepeated || event.awaited.soFar < USUAL) return null
        last = event
        return waitingText(event)
    }
}

private val USUAL = 15.seconds
private val AGAIN = 30.seconds

/** `waiting for GET /ready of tomcat: connection refused (12 s)`. */
internal fun waitingText(event: RunEvent.Waiting): String =
    "waiting for ${event.awaited.request} of ${event.who}: ${event.awaited.heard} (${event.awaited.soFar.inWholeSeconds} s)"

private const val MOST_NAMED = 3

/** `round 4: 3 more trials, undecided: a/work (0.97 to 1.05 of base/work); settled: b/work`. */
internal fun roundText(event: RunEvent.RoundAdded): String {
    val named = event.undecided.take(MOST_NAMED)
    val others = event.undecided.size - named.size
    val undecided = named + listOfNotNull("$others more".takeIf { others > 0 })
    return "round ${event.round}: ${plural(event.trials, "more trial")}" +
        (if (undecided.isEmpty()) "" else ", undecided: ${undecided.joinToString()}") +
        (if (event.settled.isEmpty()) "" else "; settled: ${event.settled.joinToString()}")
}

/** `tomcat/a is measured again: Other processes used 0.4 CPUs during the measurement.` */
internal fun repeatedText(event: RunEvent.TrialRepeated): String = "${event.trial.cell} is measured again: ${event.why}"

/**
 * Throughput of the counted trials of each cell, for the ± of a row. A repeated trial counts with its last attempt, and a cell measured
 * twice in a round with the geometric mean. Owned by the measuring thread.
 */
internal class SoFar {
    private data class Place(val round: Int, val again: Boolean)

    private val throughputs = mutableMapOf<CellId, MutableMap<Place, Double>>()

    /** Requests/s, the geometric mean over rounds; null without a counted trial. */
    fun mean(cell: CellId): Double? = logMean(rounds(cell))?.value

    /** `392/s ± 1.2 %`; without ± in a first round. */
    fun add(trial: Trial, throughput: Double): String {
        val counted = throughputs.getOrPut(trial.cell) { mutableMapOf() }
        counted[Place(trial.round, trial.again)] = throughput
        val interval = if (counted.values.all { it > 0 }) logMean(rounds(trial.cell))?.interval else null
        val half = interval?.let { (it.high / it.low - 1) / 2 }
        val plusMinus = half?.let { if (it > 1) " ± >100 %" else " ± ${percent(it)}" }.orEmpty()
        return perSecond(throughput) + plusMinus
    }

    /** One figure a round; a throughput of 0 has no logarithm and is left out. */
    private fun rounds(cell: CellId): List<Double> = throughputs[cell].orEmpty().filterValues { it > 0 }
        .entries.groupBy({ it.key.round }, { it.value }).values.mapNotNull { logMean(it)?.value }
}

/** At most 78 columns, where a reason for a failure does not follow. */
internal fun trialLine(event: RunEvent.TrialEnded, soFar: SoFar? = null): String {
    val suffix = (if (event.trial.again) " (again)" else "") + if (event.trial.attempt > 1) " (repeated)" else ""
    val cell = fitted(event.cell.id.text, NAME - suffix.length) + suffix
    val name = "%-${NAME}s round %-2d".format(Locale.ROOT, cell, event.trial.round)
    return when (val ending = event.record.ending) {
        is Ending.Measured -> "$name ${measuredText(event, soFar)}"
        is Ending.NotRun -> "$name  not run" + if (event.trial.round == 1) ": ${shown(ending.reason)}" else ", as before"
        is Ending.Failed -> "$name  failed (${ending.stage.word}): ${shown(ending.reason)}"
    }
}

/** Columns of a cell's name. */
internal const val NAME = 26

/** Hides secrets, because a reason may quote output of the subject. */
private fun shown(reason: String) = visible(redactText(reason))

private fun measuredText(event: RunEvent.TrialEnded, soFar: SoFar?): String {
    val throughput = throughput(event.record) ?: return "nothing measured"
    val shown = soFar?.add(event.trial, throughput) ?: perSecond(throughput)
    val p99 =
        "p99 " + (event.facts.latencies?.let(::p99Of)?.let { (if (it.censored) "≥ " else "") + timeOfMillis(it.value) } ?: "–")
    val errors = event.record.load?.errors?.values?.sum() ?: 0
    val last = if (errors > 0) "${count(errors)} failed" else "%.0f s".format(Locale.ROOT, event.seconds)
    return "%17s  %-13s %s".format(Locale.ROOT, shown, p99, last)
}

fun throughput(record: TrialRecord): Double? = record.load?.takeIf { it.windowSeconds > 0 }?.perSecond
