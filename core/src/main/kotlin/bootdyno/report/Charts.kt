@file:OptIn(ExperimentalSerializationApi::class)

package bootdyno.report

import bootdyno.analyse.Rounded
import bootdyno.analyse.WrittenAs
import bootdyno.analyse.number
import bootdyno.model.Stack
import kotlinx.serialization.ExperimentalSerializationApi
import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import kotlinx.serialization.Transient
import kotlinx.serialization.json.ClassDiscriminatorMode
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlin.math.ceil
import kotlin.math.floor
import kotlin.math.log10
import kotlin.math.max
import kotlin.math.pow

/**
 * Something to draw. [spoken] says it to those who cannot see it, [table] as a table, for reading without the picture. Lines of charts of
 * one [group] are hidden and shown together, by name.
 */
data class Chart(
    val id: String,
    val title: String,
    val spoken: String,
    val plot: Plot,
    val table: Table? = null,
    val group: String = id,
) : Block

/** Charts to be seen together, two in a row where the page is wide enough. */
data class Beside(val charts: List<Chart>) : Block

/** The figures of a chart, as the script draws them: every number is ready. [kind] decides how they are drawn, and is the class of the box. */
@Serializable
sealed interface Plot {
    val kind: String
}

/** The plots as one JSON object, by their charts' ids. */
internal fun chartFigures(charts: List<Chart>): String = JsonObject(
    charts.associate { chart ->
        val plot = plotJson.encodeToJsonElement(Plot.serializer(), chart.plot) as JsonObject
        chart.id to JsonObject(plot + ("group" to JsonPrimitive(chart.group)))
    },
).toString()

private val plotJson = Json {
    encodeDefaults = true
    classDiscriminatorMode = ClassDiscriminatorMode.NONE
}

/** Of thousands of points on a screen a thousand pixels wide four digits are enough. */
private const val SHORT = 4

/** A place in a chart. */
@Serializable(with = WrittenPoint::class)
data class Point(val x: Double, val y: Double)

internal open class PointWritten(digits: Int) :
    WrittenAs<Point, JsonArray>(JsonArray.serializer(), { JsonArray(listOf(number(it.x, digits), number(it.y, digits))) })

internal object WrittenPoint : PointWritten(digits = 6)

internal object ShortPoint : PointWritten(SHORT)

internal typealias OfMany =
    @Serializable(with = ShortPoint::class)
    Point

/**
 * The [colour] (a number in the palette), shape and stroke a cell keeps throughout a page. [stroke] holds the lengths of strokes and gaps,
 * so that more lines than colours can be told apart. Plain dashes are not among them: they stand for what was not measured.
 */
@Serializable
data class Mark(val colour: Int, val shape: String, val stroke: List<Int>) {
    companion object {
        /** The number of colours `report.css` declares, `--c0` and on. */
        private const val PALETTE = 10
        private val STROKES = listOf(emptyList(), listOf(2, 3), listOf(9, 3, 2, 3))

        /**
         * The mark of the [nth] series of a page, from 0: all colours once, then all again with the next stroke. Colour is not the only
         * sign: Netty's marks stand on a corner.
         */
        fun nth(nth: Int, stack: Stack): Mark =
            Mark(nth % PALETTE, if (stack == Stack.NETTY) "diamond" else "square", STROKES[nth / PALETTE % STROKES.size])
    }
}

/** More to choose from than can all stand beside each other. */
internal fun isMany(choices: Int): Boolean = choices > 12

/** Response time by percentile; [shown] are the curves drawn before a reader chooses; x is 100 / (100 − percentile), so that 10 is 90 % and 1000 is 99.9 %. */
@Serializable
data class CurvesPlot(val curves: List<Curve>, val mostX: Rounded, val leastY: Rounded, val mostY: Rounded) : Plot {
    override val kind = "curves"

    @Transient
    val shown: Set<Int> = curves.indices.take(if (isMany(curves.size)) 8 else curves.size).toSet()
}

/** A line; the stretch [beyond] is known only to lie at or above where it is drawn. */
@Serializable
data class Curve(val name: String, val mark: Mark, val known: List<OfMany>, val beyond: List<OfMany>)

/** Panels one below the other on one time axis, in seconds since the trial began, for one cell at a time. */
@Serializable
data class TimelinePlot(val panels: List<String>, val timelines: List<Timeline>, val mostX: Rounded) : Plot {
    override val kind = "timeline"
}

/**
 * One trial over time; only the stretch from [windowFrom] to [windowTo] counts. [most] is the top of each panel, the same for cells that
 * do the same work, so that they can be compared by eye. A page may hold hundreds: [times] are written once for all lines.
 */
@Serializable
data class Timeline(
    val name: String,
    val windowFrom: Rounded,
    val windowTo: Rounded,
    @Transient val lines: List<TimelineCurve> = emptyList(),
    val most: List<Rounded>,
) {
    @Transient
    private val at = lines.flatMap { line -> line.points.map { it.x } }.distinct().sorted()
    private val times: List<JsonElement> = at.map { number(it, SHORT) }

    /** Of each panel the first line, and the others unless they are zero all the time. A line keeps the colour of its place. */
    @SerialName("lines")
    private val drawn: List<TimelineLine> = lines.groupBy { it.panel }.values.flatMap { panel ->
        panel.withIndex().filter { (nth, line) -> nth == 0 || line.points.any { it.y != 0.0 } }.map { (nth, line) ->
            val values = line.points.associate { it.x to it.y }
            TimelineLine(line.panel, line.name, nth, at.map { number(values[it], SHORT) })
        }
    }
}

data class TimelineCurve(val panel: Int, val name: String, val points: List<Point>)

/** Null where nothing was read. */
@Serializable
private class TimelineLine(val panel: Int, val name: String, val colour: Int, val values: List<JsonElement>)

/** Each trial in the order of execution, in per cent from the median of its cell. */
@Serializable
data class OrderPlot(val dots: List<Dot>, val rounds: List<RoundStart>, val most: Rounded) : Plot {
    override val kind = "order"
}

@Serializable
data class Dot(val name: String, val mark: Mark, val at: Point)

/** The number of the first trial of a round. */
@Serializable
data class RoundStart(val round: Int, val firstTrial: Int)

/**
 * A quantity against a swept parameter, both axes logarithmic: one line a series.
 *
 * [axis] names what is swept (`limit`), [unit] decides how values are written (`requests/s`, `ms`, `×`). Every one of [ticks], the swept
 * values, is labelled. [reference] is a horizontal line to compare with, 1 for ratios.
 */
@Serializable
data class SweepPlot(
    val axis: String,
    val unit: String,
    val lines: List<SweepLine>,
    val ticks: List<Rounded>,
    val leastY: Rounded,
    val mostY: Rounded,
    val reference: Rounded? = null,
) : Plot {
    override val kind = "sweep"

    init {
        require(ticks.isNotEmpty() && ticks.all { it > 0.0 }) { "a logarithmic axis cannot show $ticks" }
        require(leastY > 0.0 && mostY > leastY) { "a logarithmic axis cannot run from $leastY to $mostY" }
        require(reference != null || lines.all { it.crossing == null }) { "crossings in $axis but no reference to cross" }
        val points = lines.flatMap { line -> line.published.map { it.y } + line.points.flatMap { listOfNotNull(it.y, it.low) } }
        require(points.all { it > 0.0 }) { "a logarithmic axis cannot show $points" }
    }

    val ticksY: List<Rounded> = logTicks(leastY, mostY)

    /** A little air around the ticks. */
    @Transient
    private val air = max((ticks.max() / ticks.min()).pow(0.04), 1.05)
    val leastX: Rounded = ticks.min() / air
    val mostX: Rounded = ticks.max() * air
}

/** With a scale that holds [all] lines: those of charts to be compared by eye. */
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
 * [published]: the source's own figures, drawn faint and dashed with hollow marks. [crossing]: where the line crosses the plot's
 * reference.
 */
@Serializable
data class SweepLine(
    val name: String,
    val mark: Mark,
    val points: List<SweepPoint>,
    val published: List<Point> = emptyList(),
    val crossing: Crossing? = null,
)

/** [low]..[high] is the interval, null for one round; [beyond]: known only to lie at or above (a censored percentile). */
@Serializable
data class SweepPoint(val x: Rounded, val y: Rounded, val low: Rounded?, val high: Rounded?, val beyond: Boolean = false)

/** Where it crosses, with its interval; null ends are open. */
@Serializable
data class Crossing(val x: Rounded, val low: Rounded?, val high: Rounded?)

/** Where a logarithmic axis is labelled: at 1, 2 and 5 of each decade, at 1 of many decades, in even steps where less than one is seen. */
internal fun logTicks(least: Double, most: Double): List<Double> {
    val decades = (floor(log10(least)).toInt()..floor(log10(most)).toInt()).map { 10.0.pow(it) }
    val fine = decades.flatMap { power -> listOf(power, 2 * power, 5 * power) }.filter { it in least..most }
    return when {
        fine.size < 3 -> evenTicks(least, most)
        fine.size <= 12 -> fine
        else -> decades.filter { it in least..most }
    }
}

/** About five, 1, 2 or 5 times a power of ten apart. */
private fun evenTicks(least: Double, most: Double): List<Double> {
    val wanted = (most - least) / 5
    val power = 10.0.pow(floor(log10(wanted)))
    val step = listOf(1.0, 2.0, 5.0, 10.0).first { it * power >= wanted } * power
    return (ceil(least / step).toLong()..floor(most / step).toLong()).map { it * step }
}
