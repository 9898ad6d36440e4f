package bootdyno.report.format

import bootdyno.model.significant
import bootdyno.report.Forest
import bootdyno.report.ForestRow
import bootdyno.report.Tone
import kotlinx.html.FlowContent
import kotlinx.html.div
import kotlinx.html.id
import kotlinx.html.svg
import kotlinx.html.unsafe
import java.util.Locale
import kotlin.math.pow

private const val LEFT = 230.0
private const val PLOT = 620.0
private const val WIDTH = 1080.0
private const val ROW = 34.0
private const val TICKS = 5

/** A forest plot: names at the left, points with their intervals on a logarithmic axis, words at the right. */
internal fun FlowContent.forestOf(forest: Forest) = div("card") {
    div("chart ratios") {
        id = "chart-ratios"
        svg("plot forest") {
            attributes["viewBox"] = "0 0 ${WIDTH.toInt()} ${(forest.rows.size * ROW + 40).toInt()}"
            attributes["role"] = "img"
            attributes["aria-label"] = forest.rows.joinToString("; ") { "${it.name}: ${spoken(it)}" }
            unsafe { raw(drawing(forest)) }
        }
    }
}

private fun spoken(row: ForestRow): String {
    val range = row.ratio.interval?.let { ", ${significant(it.low)} to ${significant(it.high)}" }.orEmpty()
    return "${significant(row.ratio.value)} times$range ${row.word}".trim()
}

private fun drawing(forest: Forest): String {
    val ends = forest.rows.flatMap { row ->
        listOfNotNull(row.ratio.interval?.low, row.ratio.interval?.high, row.ratio.value) +
            listOf(row.allowed.start, row.allowed.endInclusive)
    }.filter { it.isFinite() }
    val axis = Axis(ends.filter { it > 0 }.min() / MARGIN, ends.max() * MARGIN, LEFT, LEFT + PLOT, isLog = true)
    fun x(ratio: Double) = pixels(axis.at(ratio.coerceIn(axis.least, axis.most)))
    val bottom = pixels(forest.rows.size * ROW + 8)
    val band = forest.rows.mapIndexed { index, row -> allowed(row.allowed, index * ROW + 4, ::x) }.joinToString("")
    val ticks = (0 until TICKS).map { axis.least * (axis.most / axis.least).pow(it / (TICKS - 1.0)) }.joinToString("") {
        """<text class="tick" x="${x(it)}" y="${pixels(forest.rows.size * ROW + 30)}">${significant(it)}×</text>"""
    }
    val rows = forest.rows.mapIndexed { index, row -> rowOf(row, pixels(index * ROW + 22), ::x) }
    val one = """<line class="one" x1="${x(1.0)}" x2="${x(1.0)}" y1="4" y2="$bottom"/>"""
        .takeIf { 1.0 in axis.least..axis.most }.orEmpty()
    return band + one + ticks + rows.joinToString("")
}

private const val MARGIN = 1.02

private fun allowed(ratios: ClosedFloatingPointRange<Double>, top: Double, x: (Double) -> String): String {
    val (from, to) = listOf(ratios.start, ratios.endInclusive).map(x)
    val width = pixels(to.toDouble() - from.toDouble())
    return """<rect class="allowed" x="$from" y="${pixels(top)}" width="$width" height="${pixels(ROW)}"/>"""
}

private fun rowOf(row: ForestRow, y: String, x: (Double) -> String): String {
    val kind = toneClass(if (row.tone == Tone.PLAIN) Tone.DIM else row.tone)
    val line = row.ratio.interval?.let {
        """<line class="$kind" x1="${x(it.low)}" x2="${x(it.high)}" y1="$y" y2="$y"/>"""
    }.orEmpty()
    return """<g><title>${inXml("${row.name}\n${spoken(row)}")}</title>""" +
        """<text class="name" x="0" y="$y" dy="4">${inXml(row.name)}</text>$line""" +
        """<circle class="$kind" cx="${x(row.ratio.value)}" cy="$y" r="5"/>""" +
        """<text class="word $kind" x="${pixels(LEFT + PLOT + 20)}" y="$y" dy="4">${inXml(row.word)}</text></g>"""
}

internal fun pixels(value: Double): String = String.format(Locale.ROOT, "%.1f", value)

/** For the text and the attributes of a drawing. */
internal fun inXml(text: String): String =
    text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;")
