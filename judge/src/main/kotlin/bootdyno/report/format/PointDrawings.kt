package bootdyno.report.format

import bootdyno.model.rounded
import bootdyno.model.timeOfMillis
import bootdyno.report.Mark
import bootdyno.report.OrderPlot
import bootdyno.report.SweepLine
import bootdyno.report.SweepPlot
import bootdyno.report.SweepPoint
import kotlin.math.sqrt

/** The width of one of two charts in a row. */
internal const val HALF = 570.0

private const val LEFT = 64.0
private const val SWEEP_HEIGHT = 390.0
private const val MOST_LABELS = 8

/** Pixels of a character of a tick, and between two ticks. */
private const val TICK_CHARACTER = 7.0
private const val TICK_AIR = 5.0

internal fun sweepDrawing(plot: SweepPlot, width: Double): String {
    val ends = plot.lines.takeIf { it.size <= MOST_LABELS }.orEmpty().mapNotNull { line ->
        line.points.lastOrNull()?.let { LineEnd(line.name, line.name, line.mark.colour, it.y) }
    }
    val room = roomFor(ends.map { it.words }, width)
    val x = Axis(plot.leastX, plot.mostX, LEFT, width - room, isLog = true)
    val isTurned = plot.ticks.zipWithNext().any { (tick, next) ->
        x.at(next) - x.at(tick) < (rounded(tick).length + rounded(next).length) * TICK_CHARACTER / 2 + TICK_AIR
    }
    val isNamed = plot.unit != "×" && plot.unit != "ms"
    val top = if (isNamed) 34.0 else 16.0
    val area = PlotArea(x, Axis(plot.leastY, plot.mostY, SWEEP_HEIGHT - if (isTurned) 66 else 46, top, isLog = true))
    val faint = if (ends.isEmpty()) 0.1 else 0.2
    return picture(
        width,
        SWEEP_HEIGHT,
        (if (isNamed) text(plot.unit, LEFT, top - 3 * HALF_TEXT, """ class="mid"""") else "") +
            area.beside(plot.ticksY) { written(plot.unit, it) } + area.below(plot.ticks, ::rounded, isTurned = isTurned) +
            area.nameBelow(plot.axis, distance = if (isTurned) 60.0 else 40.0) +
            plot.reference?.let {
                """<path class="one" d="M${pixels(x.start)} ${pixels(area.y.at(it))}H${pixels(x.end)}"/>"""
            }.orEmpty() +
            plot.lines.joinToString("") { lineOf(it.name, it.mark, true, drawn(it, plot, area, faint)) } +
            plot.ticks.joinToString("") { pointedAt(plot, area, it) } + area.labels(ends, room - LABEL_AIR),
    )
}

private fun written(unit: String, value: Double): String = when (unit) {
    "×" -> "${rounded(value)}×"
    "ms" -> timeOfMillis(value)
    else -> rounded(value)
}

private fun drawn(line: SweepLine, plot: SweepPlot, area: PlotArea, faint: Double): String {
    fun path(points: List<Pair<Double, Double>>) =
        points.joinToString(" ", "M") { (x, y) -> "${pixels(area.x.at(x))} ${pixels(area.y.at(y))}" }
    val width = if (line.mark.stroke.isEmpty()) "2.2" else "1.8"
    val published = line.published.map { it.x to it.y }
    val measured = path(line.points.map { it.x to it.y })
    return crossingOf(line, plot, area, faint) +
        (if (published.isEmpty()) "" else """<path class="published" d="${path(published)}"/>""") +
        published.joinToString("") { (x, y) -> markOf(line.mark, area.x.at(x), area.y.at(y), "hollow") } +
        """<path class="line" stroke-width="$width"${dashes(line.mark.stroke)} d="$measured"/>""" +
        line.points.joinToString("") { whisker(it, area) + markOf(line.mark, area.x.at(it.x), area.y.at(it.y), "mark") }
}

internal fun markOf(mark: Mark, x: Double, y: Double, kind: String): String = if (mark.shape == "diamond") {
    """<path class="$kind" d="M${pixels(x)} ${pixels(y - DIAMOND)}l$DIAMOND $DIAMOND-$DIAMOND $DIAMOND-$DIAMOND-${DIAMOND}z"/>"""
} else {
    """<circle class="$kind" cx="${pixels(x)}" cy="${pixels(y)}" r="$RADIUS"/>"""
}

private const val DIAMOND = 4.6
private const val RADIUS = 3.6

/** The interval of a point; an arrow upwards for a lower bound. */
private fun whisker(point: SweepPoint, area: PlotArea): String {
    val x = area.x.at(point.x)
    if (point.beyond) {
        val (from, tip) = area.y.at(point.y).let { pixels(it) to pixels(it - ARROW) }
        return """<path class="arrow" d="M${pixels(x)} ${from}V${tip}m-$CAP ${CAP}l$CAP-$CAP $CAP $CAP"/>"""
    }
    val (low, high) = listOf(point.low ?: return "", point.high ?: return "").map { pixels(area.y.at(it)) }
    val caps = listOf(low, high).joinToString("") { "M${pixels(x - CAP)} ${it}H${pixels(x + CAP)}" }
    return """<path class="whisker" d="${caps}M${pixels(x)} ${low}V$high"/>"""
}

private const val CAP = 4.0
private const val ARROW = 17.0

/** A tick where the line crosses the reference, on a band of its interval; an open end reaches to the end of the axis. */
private fun crossingOf(line: SweepLine, plot: SweepPlot, area: PlotArea, faint: Double): String {
    val crossing = line.crossing ?: return ""
    val y = area.y.at(plot.reference ?: return "")
    val (from, to) = area.x.at(crossing.low ?: plot.leastX) to area.x.at(crossing.high ?: plot.mostX)
    val top = pixels(y - BAND)
    return """<rect class="band" fill-opacity="$faint" x="${pixels(from)}" y="$top" width="${pixels(to - from)}" """ +
        """height="${2 * BAND}"/><path class="crossing" d="M${pixels(area.x.at(crossing.x))} ${top}v${2 * BAND}"/>"""
}

private const val BAND = 10.0

/** The figures of all lines at [tick], the highest first, for who points there. */
private fun pointedAt(plot: SweepPlot, area: PlotArea, tick: Double): String {
    val rows = plot.lines.mapNotNull { line ->
        val point = line.points.find { it.x == tick }
        val published = line.published.find { it.x == tick }?.y
        val words =
            listOfNotNull(point?.let { figureOf(plot.unit, it) }, published?.let { "(published ${written(plot.unit, it)})" })
        if (words.isEmpty()) null else (point?.y ?: published ?: 0.0) to "${line.name}: ${words.joinToString(" ")}"
    }.sortedByDescending { it.first }.map { it.second }
    val between = plot.ticks.sorted().let { ticks ->
        val nth = ticks.indexOf(tick)
        val from = ticks.getOrNull(nth - 1)?.let { sqrt(it * tick) } ?: plot.leastX
        area.x.at(from) to area.x.at(ticks.getOrNull(nth + 1)?.let { sqrt(it * tick) } ?: plot.mostX)
    }
    val (left, width) = pixels(between.first) to pixels(between.second - between.first)
    val (top, height) = pixels(area.y.end) to pixels(area.y.start - area.y.end)
    val words = (listOf("${plot.axis} ${rounded(tick)}") + rows).joinToString("\n")
    return """<rect class="hit" x="$left" y="$top" width="$width" height="$height"><title>${inXml(words)}</title></rect>"""
}

private fun figureOf(unit: String, point: SweepPoint): String {
    val ends = listOfNotNull(point.low, point.high).map { written(unit, it) }
    val range = if (ends.size == 2) " [${ends[0]}, ${ends[1]}]" else ""
    return (if (point.beyond) "≥ " else "") + written(unit, point.y) + range
}

private const val ORDER_HEIGHT = 170.0
private const val ORDER_LEFT = 58.0

internal fun orderDrawing(plot: OrderPlot): String {
    val x = Axis(0.0, plot.dots.maxOf { it.at.x } + 1, ORDER_LEFT, WIDE - LABEL_AIR)
    val area = PlotArea(x, Axis(-plot.most, plot.most, ORDER_HEIGHT - 28, 10.0))
    val rounds = plot.rounds.joinToString("") { round ->
        val at = x.at(round.firstTrial - 0.5)
        """<path class="grid" d="M${pixels(at)} ${pixels(area.y.end)}V${pixels(area.y.start)}"/>""" +
            text("round ${round.round}", at + HALF_TEXT, ORDER_HEIGHT - 10)
    }
    val dots = plot.dots.joinToString("") { dot ->
        val words = "${dot.name}, trial ${rounded(dot.at.x)}: ${rounded(dot.at.y)} %"
        val drawn = markOf(dot.mark, x.at(dot.at.x), area.y.at(dot.at.y), "mark")
        """<g class="k${dot.mark.colour}">$drawn<title>${inXml(words)}</title></g>"""
    }
    val sides = area.beside(listOf(-plot.most, 0.0, plot.most)) { "${if (it > 0) "+" else ""}${rounded(it)} %" }
    return picture(WIDE, ORDER_HEIGHT, sides + area.below(emptyList(), ::rounded) + rounds + dots)
}
