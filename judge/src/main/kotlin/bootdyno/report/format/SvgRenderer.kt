package bootdyno.report.format

import bootdyno.analyse.CellAnalysis
import bootdyno.model.perSecond
import bootdyno.model.significant
import bootdyno.model.visible
import bootdyno.report.Report
import bootdyno.report.Tone
import bootdyno.report.firstScreen
import bootdyno.report.isBurst
import bootdyno.report.plusMinus
import bootdyno.report.rankedBy

private const val WIDTH = 1200
private const val HEIGHT = 630
private const val LEFT = 56
private const val BARS_FROM = 400
private const val LONGEST_BAR = 560.0
private const val ROW = 40
private const val AIR = 12
private const val MOST_BARS = 6

/** Characters of a line at a font size, of a font whose mean width is half its size. */
private fun perLine(size: Int, width: Int = WIDTH - 2 * LEFT) = (width / (size * 0.54)).toInt()

/** The answer of [report] as one picture for a chat or a README, light or dark as its viewer wants it. It needs no script, and no font of its own. */
fun renderSvg(report: Report): String {
    val screen = firstScreen(report)
    val size = if (screen.verdict.length <= 2 * perLine(LARGE)) LARGE else SMALLER
    val verdict = cut(wrapped(visible(screen.verdict), perLine(size)))
    val badge = BADGE_BELOW + verdict.size * (size + LEADING)
    val certainty = listOf(screen.badge.sign.word, screen.badge.detail).filter { it.isNotEmpty() }.joinToString(" · ")
    val bars = barsOf(report, from = badge + 2 * LEADING)
    val drawn = listOf(
        text("dim", LINE_AT, SMALL, screen.line.joinToString(" · ")),
    ) + verdict.mapIndexed { nth, line -> text("verdict", VERDICT_AT + nth * (size + LEADING), size, line) } +
        text(toneClass(screen.badge.sign.tone), badge, MEDIUM, certainty) +
        bars + listOfNotNull(
            (screen.cause ?: screen.tiles.find { it.id == "why" }?.text)?.let { text("", HEIGHT - 66, MEDIUM, it) },
            text("dim", HEIGHT - 28, SMALL, "Boot Dyno · ${report.experiment.title}"),
        )
    val label = inXml(listOf(screen.verdict, screen.cause.orEmpty()).joinToString(" ").trim())
    return """
        |<svg xmlns="http://www.w3.org/2000/svg" width="$WIDTH" height="$HEIGHT" viewBox="0 0 $WIDTH $HEIGHT"
        | role="img" aria-label="$label">
        |<style>$STYLE</style>
        |<rect class="page" width="$WIDTH" height="$HEIGHT"/>
        |${drawn.joinToString("\n")}
        |</svg>
        |
    """.trimMargin()
}

private const val LINE_AT = 52
private const val VERDICT_AT = 108
private const val BADGE_BELOW = 114
private const val LEADING = 10
private const val LARGE = 38
private const val SMALLER = 29
private const val MEDIUM = 20
private const val SMALL = 17
private const val MOST_LINES = 3

/** Bars of the best cells of the first kind of work, as many as there is room for. */
private fun barsOf(report: Report, from: Int): List<String> {
    val group = report.analysis.groups.firstOrNull { it.ranks.isNotEmpty() } ?: return emptyList()
    val room = (HEIGHT - BELOW_BARS - from) / ROW
    val cells = group.ranks.take(minOf(MOST_BARS, room)).mapNotNull { rank -> report.analysis.cell(rank.cell) }
    val most = cells.mapNotNull { it.rankedBy?.value }.maxOrNull() ?: return emptyList()
    return cells.flatMapIndexed { nth, cell -> bar(report, cell, from + nth * ROW, most, cell.cell.id == group.baseline) }
}

private const val BELOW_BARS = 100

private fun bar(report: Report, cell: CellAnalysis, top: Int, most: Double, isBaseline: Boolean): List<String> {
    val estimate = cell.rankedBy ?: return emptyList()
    val width = (LONGEST_BAR * estimate.value / most).coerceAtLeast(2.0)
    val figure = if (cell.isBurst) "${significant(estimate.value)} s" else perSecond(estimate.value)
    val value = listOfNotNull(figure, plusMinus(estimate)).joinToString(" ")
    val height = ROW - AIR
    val kind = if (isBaseline) "baseline" else "bar"
    val name = cut(listOf(report.titled(cell.cell.id)), perLine(MEDIUM, BARS_FROM - LEFT - LEADING))
    return listOf(
        text(if (isBaseline) "strong" else "", top + BASELINE, MEDIUM, name.single()),
        """<rect class="$kind" x="$BARS_FROM" y="${top + AIR / 2}" width="${pixels(width)}" height="$height" rx="3"/>""",
        text("", top + BASELINE, MEDIUM, value, x = BARS_FROM + width.toInt() + LEADING),
    )
}

/** Of the text of a row. */
private const val BASELINE = 27

private fun cut(lines: List<String>, width: Int = Int.MAX_VALUE): List<String> {
    val short = lines.take(MOST_LINES).map { if (it.length <= width) it else it.take(width - 1).trimEnd() + "…" }
    return if (lines.size <= MOST_LINES) short else short.dropLast(1) + "${short.last()} …"
}

private fun text(kind: String, y: Int, size: Int, words: String, x: Int = LEFT): String {
    val shown = cut(listOf(visible(words)), perLine(size, WIDTH - x - LEADING)).single()
    return """<text class="$kind" x="$x" y="$y" font-size="$size">${inXml(shown)}</text>"""
}

/** The colours of report.css. */
private val STYLE = """
text{font-family:ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;fill:#3d4754}
.page{fill:#fff}.verdict,.strong{fill:#161b22;font-weight:600}.dim{fill:#5f6b7a}.bar{fill:#2563eb}.baseline{fill:#8b95a3}
.${toneClass(Tone.GOOD)}{fill:#0b7a4b}.${toneClass(Tone.BAD)}{fill:#b42318}.${toneClass(Tone.WARN)}{fill:#8a5a00}
@media (prefers-color-scheme:dark){
text{fill:#c5ccd6}.page{fill:#161b22}.verdict,.strong{fill:#e8ebf0}.dim{fill:#93a0b0}.bar{fill:#6ea0ff}.baseline{fill:#6b7686}
.${toneClass(Tone.GOOD)}{fill:#5ad19a}.${toneClass(Tone.BAD)}{fill:#ff8f85}.${toneClass(Tone.WARN)}{fill:#f0c15c}}
""".trim()
