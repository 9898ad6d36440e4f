package bootdyno.analyse

import bootdyno.model.Measure
import bootdyno.model.csvRecords
import bootdyno.stats.ChangePoint
import bootdyno.stats.Estimate
import bootdyno.stats.Interval
import bootdyno.stats.changePoints
import bootdyno.stats.meanOf
import bootdyno.stats.ratioOfIndependent
import bootdyno.stats.scaleFor
import bootdyno.stats.spreadOf
import java.time.OffsetDateTime
import java.time.format.DateTimeParseException
import kotlin.math.ln

/** Columns of a history: one line per figure of a cell in a run. [level] is that of the interval from `low` to `high`. */
val HISTORY_COLUMNS: List<String> =
    "started,run,commit,experiment,cell,measure,unit,value,low,high,trials,level,machine".split(',')

/** Columns of histories that were begun before these had a level and a machine. */
val FIRST_HISTORY_COLUMNS: List<String> = HISTORY_COLUMNS.dropLast(2)

/** A text that is no history; [reason] begins with the line. */
class BrokenHistory(reason: String) : RuntimeException(reason)

/** What one run measured. [started]: sorts by the instant, whatever its offset. */
data class RunFigure(val started: OffsetDateTime, val run: String, val commit: String, val estimate: Estimate) {
    /** Where it was measured. */
    val day: String get() = "${started.toLocalDate()}"
}

/** What is compared over time. [machine]: its CPU model and number of CPUs; empty if unknown. */
data class SeriesName(val experiment: String, val cell: String, val measure: Measure, val machine: String)

/** A shift from the mean of the runs before run number [at] to that of the runs since; [ratio]: newer ÷ older, given this place. */
data class Shift(val at: Int, val p: Double, val older: Double, val newer: Double, val ratio: Estimate?)

/** The runs of one series, the earliest first. */
data class HistorySeries(val name: SeriesName, val runs: List<RunFigure>, val shifts: List<Shift>) {
    /** The runs between two shifts, with their mean. */
    val levels: List<Pair<IntRange, Double>>
        get() {
            val ends = listOf(0) + shifts.map { it.at } + runs.size
            return ends.zipWithNext { from, to -> Pair(from until to, mean(runs.subList(from, to))) }
        }
}

private fun mean(runs: List<RunFigure>): Double = checkNotNull(meanOf(valuesOf(runs))).value

private fun valuesOf(runs: List<RunFigure>) = runs.map { it.estimate.value }

/** What a regression shows in; each further measure would cost the others power. */
private val WATCHED =
    setOf(Measure.THROUGHPUT, Measure.CAPACITY, Measure.P50, Measure.P99, Measure.CPU_PER_REQUEST, Measure.RSS, Measure.STARTUP)

/** The figures of one text, each with its series. Throws [BrokenHistory]. */
fun readHistory(text: String): List<Pair<SeriesName, RunFigure>> {
    val records = csvRecords(text).map { it.startingLineNumber to it.fields }.toList()
    val columns = records.firstOrNull()?.second
    if (columns != HISTORY_COLUMNS && columns != FIRST_HISTORY_COLUMNS) {
        throw BrokenHistory("line 1 is not `${HISTORY_COLUMNS.joinToString(",")}`")
    }
    return records.drop(1).mapNotNull { (line, fields) ->
        if (fields.size != columns.size) throw BrokenHistory("line $line has ${fields.size} values, not ${columns.size}")
        val row = columns.zip(fields).toMap()
        fun number(name: String): Double? = row.getValue(name).ifEmpty { null }?.let { figure ->
            figure.toDoubleOrNull()?.takeIf { it.isFinite() && it >= 0 }
                ?: throw BrokenHistory("line $line: $name is no figure: $figure")
        }
        val started = try {
            OffsetDateTime.parse(row.getValue("started"))
        } catch (_: DateTimeParseException) {
            throw BrokenHistory("line $line: started is no ISO 8601 time with offset: ${row["started"]}")
        }
        val measure = Measure.entries.find { it.word == row["measure"] } ?: return@mapNotNull null
        val value = number("value") ?: return@mapNotNull null
        val (low, high) = number("low") to number("high")
        val interval = if (low == null || high == null) null else Interval(low, high)
        val estimate = Estimate(value, interval, number("trials")?.toInt() ?: 1)
        SeriesName(row.getValue("experiment"), row.getValue("cell"), measure, row["machine"].orEmpty()) to
            RunFigure(started, row.getValue("run"), row.getValue("commit"), estimate)
    }
}

/** Three on each side of a shift. */
private const val FEWEST_RUNS = 6

/** The series of [figures]; the error of 5 % holds for the shifts of all of them together (Bonferroni). */
fun seriesOf(figures: List<Pair<SeriesName, RunFigure>>): List<HistorySeries> {
    val series = figures.filter { (name, _) -> name.measure in WATCHED }.groupBy({ it.first }, { it.second })
        // A run that was judged again counts as it was judged last.
        .mapValues { (_, runs) -> runs.associateBy { it.run }.values.sortedBy { it.started } }
    val searched = series.values.count { it.size >= FEWEST_RUNS }.coerceAtLeast(1)
    return series.map { (name, runs) ->
        val values = valuesOf(runs).let { all -> if (all.all { it > 0 }) all.map(::ln) else all }
        val points = changePoints(values, ALPHA / searched)
        HistorySeries(name, runs, points.mapIndexed { nth, point -> shift(runs, points, nth, point) })
    }
}

private fun shift(runs: List<RunFigure>, points: List<ChangePoint>, nth: Int, point: ChangePoint): Shift {
    val before = runs.subList(points.getOrNull(nth - 1)?.at ?: 0, point.at)
    val since = runs.subList(point.at, points.getOrNull(nth + 1)?.at ?: runs.size)
    val (older, newer) = listOf(before, since).map { part -> valuesOf(part).let { checkNotNull(spreadOf(it, scaleFor(it))) } }
    return Shift(point.at, point.p, mean(before), mean(since), ratioOfIndependent(newer, older)?.estimate())
}
