package bootdyno.report.format

import bootdyno.report.ChartPoint
import bootdyno.report.Mark
import bootdyno.report.number
import java.math.BigDecimal
import java.math.MathContext
import kotlin.math.log10
import kotlin.math.min

/** Values from [least] to [most] at the pixels from [start] to [end]; those of a logarithmic axis are positive. */
internal class Axis(val least: Double, val most: Double, val start: Double, val end: Double, private val isLog: Boolean = false) {
    private val perUnit = (end - start) / (unit(most) - unit(least))

    /** The pixel of [value]. */
    fun at(value: Double): Double = start + perUnit * (unit(value) - unit(least))

    private fun unit(value: Double): Double = if (isLog) log10(value) else value

    /** [value] as it stands in a path of [PlotArea.inUnits]: four digits of it can be read back, also from its logarithm. */
    fun inUnits(value: Double): String = "${number(unit(value), if (isLog) LOG_DIGITS else DIGITS)}"

    /** The scale and the shift of a matrix from units to pixels. */
    fun fromUnits(): Pair<Double, Double> = perUnit to start - perUnit * unit(least)
}

private const val DIGITS = 4
private const val LOG_DIGITS = 6

/** Where an [x] and a [y] axis meet. */
internal class PlotArea(val x: Axis, val y: Axis) {
    private val left = minOf(x.start, x.end)
    private val right = maxOf(x.start, x.end)
    private val bottom = maxOf(y.start, y.end)
    private val top = minOf(y.start, y.end)

    /** The axis below, with [words] at its [ticks], and the vertical lines of a [grid]. */
    fun below(ticks: List<Double>, words: (Double) -> String, grid: Boolean = true, isTurned: Boolean = false): String {
        val lines = if (grid) ticks.joinToString("") { "M${pixels(x.at(it))} ${pixels(top)}V${pixels(bottom)}" } else ""
        val labels = ticks.joinToString("") { tick ->
            val place = "${pixels(x.at(tick))} ${pixels(bottom + BELOW)}"
            val kind = if (isTurned) """ class="turned" transform="rotate(-45 $place)"""" else """ class="mid""""
            text(words(tick), x.at(tick), bottom + BELOW, kind)
        }
        val axis = "M${pixels(left)} ${pixels(bottom)}H${pixels(right)}"
        return """<path class="grid" d="$lines"/><path class="axis" d="$axis"/>$labels"""
    }

    /** The horizontal lines of the grid, with [words] at the left. */
    fun beside(ticks: List<Double>, words: (Double) -> String): String {
        val lines = ticks.joinToString("") { "M${pixels(left)} ${pixels(y.at(it))}H${pixels(right)}" }
        val labels = ticks.joinToString("") { text(words(it), left - BESIDE, y.at(it) + HALF_TEXT, """ class="last"""") }
        return """<path class="grid" d="$lines"/>$labels"""
    }

    fun nameBelow(name: String, distance: Double): String = text(name, (left + right) / 2, bottom + distance, """ class="mid"""")

    /** A dotted vertical line with its [name]. */
    fun reference(value: Double, name: String): String = x.at(value).let { at ->
        """<path class="ref" d="M${pixels(at)} ${pixels(top)}V${pixels(bottom)}"/>""" +
            text(name, at + HALF_TEXT, top + BELOW / 2)
    }

    /** What does not count, from [from] to [to]. */
    fun shade(from: Double, to: Double): String = """<rect class="shade" x="${pixels(x.at(from))}" y="${pixels(top)}" """ +
        """width="${pixels((x.at(to) - x.at(from)).coerceAtLeast(0.0))}" height="${pixels(bottom - top)}"/>"""

    /** Paths in units of the axes, from which the script reads the values. */
    fun inUnits(paths: String): String {
        val (across, fromLeft) = x.fromUnits()
        val (up, fromTop) = y.fromUnits()
        val matrix = listOf(across, 0.0, 0.0, up, fromLeft, fromTop).joinToString(" ") {
            "${BigDecimal(it).round(MATRIX).toDouble()}"
        }
        return """<g class="units" transform="matrix($matrix)">$paths</g>"""
    }

    /** Through [points]. */
    fun path(points: List<ChartPoint>, attributes: String = ""): String =
        """<path$attributes d="M${points.joinToString(" ") { "${x.inUnits(it.x)} ${y.inUnits(it.y)}" }}"/>"""

    /** Names at the ends of lines: in the order of the ends, and without overlaps. */
    fun labels(ends: List<LineEnd>, room: Double): String {
        val sorted = ends.sortedBy { y.at(it.value) }
        val places = withoutOverlaps(sorted.map { y.at(it.value) }, top + TEXT / 2, bottom - TEXT / 2)
        return sorted.zip(places).joinToString("") { (end, place) ->
            val most = (room / CHARACTER).toInt()
            val name = if (end.words.length <= most) end.words else end.words.take(most - 1) + "…"
            """<g data-name="${inXml(end.name)}" class="k${end.colour}">""" +
                text(name, right + BESIDE, place + HALF_TEXT, """ class="end"""") + "</g>"
        }
    }
}

private const val BELOW = 18.0
private const val BESIDE = 8.0
private val MATRIX = MathContext(8)

/** The end of the line [name] at [value]; [words]: its label. */
internal class LineEnd(val name: String, val words: String, val colour: Int, val value: Double)

/** Pixels from the middle of a text to its baseline, from a text to the next, and of a bold character. */
internal const val HALF_TEXT = 4.0
private const val TEXT = 15.0
private const val CHARACTER = 7.0

/** The room for [names] at the ends of lines, at most a third of [width]; without any, for half a label of the axis. */
internal fun roomFor(names: List<String>, width: Double): Double =
    names.maxOfOrNull { min(WIDEST_NAME, min(width / 3, 2 * TEXT + it.length * CHARACTER)) } ?: (2 * TEXT)

private const val WIDEST_NAME = 260.0

/** Moves sorted [places] apart as little as possible: overlapping neighbours stand around their mean. */
private fun withoutOverlaps(places: List<Double>, top: Double, bottom: Double): List<Double> {
    val heaps = ArrayDeque<List<Double>>()
    places.forEachIndexed { nth, place ->
        var heap = listOf(place - nth * TEXT)
        while (heaps.isNotEmpty() && heaps.last().average() > heap.average()) heap = heaps.removeLast() + heap
        heaps += heap
    }
    val last = bottom - (places.size - 1) * TEXT
    return heaps.flatMap { heap -> heap.map { heap.average().coerceAtMost(last).coerceAtLeast(top) } }
        .mapIndexed { nth, at -> at + nth * TEXT }
}

internal fun text(words: String, x: Double, y: Double, attributes: String = ""): String =
    """<text$attributes x="${pixels(x)}" y="${pixels(y)}">${inXml(words)}</text>"""

internal fun dashes(stroke: List<Int>): String =
    if (stroke.isEmpty()) "" else """ stroke-dasharray="${stroke.joinToString(" ")}""""

/** What belongs to the line [name], for the buttons; in its colour. */
internal fun lineOf(name: String, mark: Mark, isShown: Boolean, inside: String): String =
    """<g data-name="${inXml(name)}" class="k${mark.colour}"${if (isShown) "" else " hidden"}>$inside</g>"""

/** A picture as wide as its card, of which [width] is the width in pixels on a large screen. */
internal fun picture(width: Double, height: Double, inside: String, attributes: String = ""): String =
    """<svg class="plot"$attributes viewBox="0 0 ${pixels(width)} ${pixels(height)}">$inside</svg>"""
