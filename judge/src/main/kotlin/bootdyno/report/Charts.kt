package bootdyno.report

import bootdyno.analyse.RunFigure
import bootdyno.model.Measure
import bootdyno.model.Stack
import kotlin.math.ceil
import kotlin.math.floor
import kotlin.math.log10
import kotlin.math.max
import kotlin.math.pow

/**
 * A chart. [spoken] is its text for screen readers, [table] the same data as a table. The charts of a [group] show and hide lines by name
 * together.
 */
data class Chart(
    val id: String,
    val title: String,
    val spoken: String,
    val plot: Plot,
    val table: Table? = null,
    val group: String = id,
) : Block

/** Charts side by side, two in a row if the page is wide enough. */
data class Beside(val charts: List<Chart>) : Block

/** The data of a chart; all numbers are final. [kind] is the chart type and the CSS class. */
sealed interface Plot {
    val kind: String
}

data class ChartPoint(val x: Double, val y: Double)

/**
 * [colour] (index in the palette), shape and stroke of a cell in all charts of a page. [stroke]: lengths of dashes and gaps, for more lines
 * than colours. Plain dashes are reserved for values beyond the measured range.
 */
data class Mark(val colour: Int, val shape: String, val stroke: List<Int>) {
    companion object {
        /** Number of colours in `report.css`, from `--c0`. */
        private const val PALETTE = 10
        private val STROKES = listOf(emptyList(), listOf(2, 3), listOf(9, 3, 2, 3))

        /**
         * The mark of series number [nth] of a page, from 0: each colour once, then each with the next stroke. Marks of Netty are also rotated, so
         * that colour is not the only difference.
         */
        fun nth(nth: Int, stack: Stack): Mark =
            Mark(nth % PALETTE, if (stack == Stack.NETTY) "diamond" else "square", STROKES[nth / PALETTE % STROKES.size])
    }
}

/** Whether there are too many choices to show all buttons side by side. */
internal fun isMany(choices: Int): Boolean = choices > 12

/** Response time by percentile. [shown]: curves visible at first. x is 100 / (100 − percentile): 10 is 90 %, 1000 is 99.9 %. */
data class CurvesPlot(val curves: List<Curve>, val mostX: Double, val leastY: Double, val mostY: Double) : Plot {
    override val kind = "curves"

    val shown: Set<Int> = curves.indices.take(if (isMany(curves.size)) 8 else curves.size).toSet()
}

/** A line. Its part [beyond] is a lower bound. */
data class Curve(val name: String, val mark: Mark, val known: List<ChartPoint>, val beyond: List<ChartPoint>)

/** Panels below each other with a common time axis in seconds since the start of the trial, for one cell at a time. */
data class TimelinePlot(val panels: List<String>, val timelines: List<Timeline>, val mostX: Double) : Plot {
    override val kind = "timeline"
}

/**
 * One trial over time; only the time from [windowFrom] to [windowTo] counts. [most]: upper end of each panel, equal for cells with the same
 * work.
 */
data class Timeline(
    val name: String,
    val windowFrom: Double,
    val windowTo: Double,
    val lines: List<TimelineCurve> = emptyList(),
    val most: List<Double>,
) {
    /** The first line of [panel], and its other lines that are not always zero, by their place in the panel: colours depend on it. */
    fun drawn(panel: Int): List<IndexedValue<TimelineCurve>> =
        lines.filter { it.panel == panel }.withIndex().filter { (nth, line) -> nth == 0 || line.points.any { it.y != 0.0 } }
}

data class TimelineCurve(val panel: Int, val name: String, val points: List<ChartPoint>)

/** Trials in order of execution, as the difference from the median of their cell in per cent. */
data class OrderPlot(val dots: List<Dot>, val rounds: List<RoundStart>, val most: Double) : Plot {
    override val kind = "order"
}

data class Dot(val name: String, val mark: Mark, val at: ChartPoint)

/** Number of the first trial of a round. */
data class RoundStart(val round: Int, val firstTrial: Int)

/** Runs in their order, of one [measure]. [levels]: their means, each of the runs of a range; [shifts]: words, by the first run after each. */
data class HistoryPlot(
    val measure: Measure,
    val runs: List<RunFigure>,
    val levels: List<Pair<IntRange, Double>>,
    val shifts: Map<Int, String>,
) : Plot {
    override val kind = "history"
}

/**
 * A quantity against a swept parameter, on two logarithmic axes.
 *
 * [axis]: the swept parameter (`limit`). [unit]: format of values (`requests/s`, `ms`, `×`). [ticks]: all swept values, labelled.
 * [reference]: a horizontal line for comparison, 1 for ratios.
 */
data class SweepPlot(
    val axis: String,
    val unit: String,
    val lines: List<SweepLine>,
    val ticks: List<Double>,
    val leastY: Double,
    val mostY: Double,
    val reference: Double? = null,
) : Plot {
    override val kind = "sweep"

    init {
        require(ticks.isNotEmpty() && ticks.all { it > 0.0 }) { "a logarithmic axis cannot show $ticks" }
        require(leastY > 0.0 && mostY > leastY) { "a logarithmic axis cannot run from $leastY to $mostY" }
        require(reference != null || lines.all { it.crossing == null }) { "crossings in $axis but no reference to cross" }
        val points = lines.flatMap { line -> line.published.map { it.y } + line.points.flatMap { listOfNotNull(it.y, it.low) } }
        require(points.all { it > 0.0 }) { "a logarithmic axis cannot show $points" }
    }

    val ticksY: List<Double> = logTicks(leastY, mostY)

    /** A margin around the ticks. */
    private val air = max((ticks.max() / ticks.min()).pow(0.04), 1.05)
    val leastX: Double = ticks.min() / air
    val mostX: Double = ticks.max() * air
}

/** With the same scale for [all] lines of charts that are compared. */
internal fun sweepPlot(
    axis: String,
    unit: String,
    lines: List<SweepLine>,
    ticks: List<Double>,
    all: List<SweepLine> = lines,
    reference: Double? = null,
): SweepPlot {
    val heights = listOfNotNull(reference) + all.flatMap { line ->
        line.points.flatMap { listOfNotNull(it.y, it.low, it.high) } + line.published.map { it.y }
    }
    return SweepPlot(axis, unit, lines, ticks, heights.min() / AIR, heights.max() * AIR, reference)
}

private const val AIR = 1.25

/**
 * [published]: figures of the source, drawn faint and dashed with hollow marks. [crossing]: where the line crosses the plot's reference.
 */
data class SweepLine(
    val name: String,
    val mark: Mark,
    val points: List<SweepPoint>,
    val published: List<ChartPoint> = emptyList(),
    val crossing: Crossing? = null,
)

/** [low]..[high]: interval, null for one round. [beyond]: a lower bound (a censored percentile). */
data class SweepPoint(val x: Double, val y: Double, val low: Double?, val high: Double?, val beyond: Boolean = false)

/** The crossing with its interval; null ends are open. */
data class Crossing(val x: Double, val low: Double?, val high: Double?)

/** Labels of a logarithmic axis: 1, 2 and 5 of each decade; 1 for many decades; even steps for less than one. */
internal fun logTicks(least: Double, most: Double): List<Double> {
    val decades = (floor(log10(least)).toInt()..floor(log10(most)).toInt()).map { 10.0.pow(it) }
    val fine = decades.flatMap { power -> listOf(power, 2 * power, 5 * power) }.filter { it in least..most }
    return when {
        fine.size < 3 -> evenTicks(least, most)
        fine.size <= 12 -> fine
        else -> decades.filter { it in least..most }
    }
}

/** About five ticks with a distance of 1, 2 or 5 times a power of ten. */
internal fun evenTicks(least: Double, most: Double): List<Double> {
    val wanted = (most - least) / 5
    val power = 10.0.pow(floor(log10(wanted)))
    val step = listOf(1.0, 2.0, 5.0, 10.0).first { it * power >= wanted } * power
    return (ceil(least / step).toLong()..floor(most / step).toLong()).map { it * step }
}
