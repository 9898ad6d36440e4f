package bootdyno.report.format

import bootdyno.analyse.CellAnalysis
import bootdyno.model.visible
import bootdyno.report.MOST_BARS
import bootdyno.report.Report
import bootdyno.report.Tone
import bootdyno.report.barOf
import bootdyno.report.barsOf
import bootdyno.report.firstScreen
import bootdyno.report.plusMinus
import bootdyno.report.spokenRank

private const val WIDTH = 1200
private const val HEIGHT = 630
private const val LEFT = 56

// Font sizes, and the space below a line.
private const val LARGE = 38
private const val SMALLER = 29
private const val MEDIUM = 20
private const val SMALL = 17
private const val LEADING = 10

// Where the texts stand, from above.
private const val CONDITIONS_AT = 52
private const val VERDICT_AT = 108
private const val BADGE_BELOW = 114
private const val CAUSE_AT = HEIGHT - 66
private const val TITLE_AT = HEIGHT - 28
private const val MOST_LINES = 3

// The rows of bars, and the text in them.
private const val BARS_FROM = 400
private const val LONGEST_BAR = 560.0
private const val ROW = 40
private const val AIR = 12
private const val TEXT_IN_ROW = 27
private const val BELOW_BARS = 100

/** Mean width of a character, as a share of the font size. */
private const val CHARACTER = 0.54

private fun charactersIn(width: Int, size: Int) = (width / (size * CHARACTER)).toInt()

/** The answer of [report] as one picture for a chat or a README, light or dark like its viewer. It needs no script and no font of its own. */
fun renderSvg(report: Report): String {
    val screen = firstScreen(report)
    val line = WIDTH - 2 * LEFT
    val size = if (screen.verdict.length <= 2 * charactersIn(line, LARGE)) LARGE else SMALLER
    val verdict = wrapped(visible(screen.verdict), charactersIn(line, size)).let { lines ->
        if (lines.size <= MOST_LINES) lines else lines.take(MOST_LINES - 1) + "${lines[MOST_LINES - 1]} …"
    }
    val badge = BADGE_BELOW + verdict.size * (size + LEADING)
    val drawn = listOf(text("dim", CONDITIONS_AT, SMALL, screen.line.joinToString(" · "))) +
        verdict.mapIndexed { nth, words -> text("verdict", VERDICT_AT + nth * (size + LEADING), size, words) } +
        text(toneClass(screen.badge.sign.tone), badge, MEDIUM, screen.badge.words) +
        barsOf(report, from = badge + 2 * LEADING) +
        listOfNotNull(screen.why?.let { text("", CAUSE_AT, MEDIUM, it) }) +
        text("dim", TITLE_AT, SMALL, "Boot Dyno · ${report.experiment.title}")
    val label = inXml(listOfNotNull(screen.verdict, screen.cause).joinToString(" "))
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

/** Bars of the best cells of the first kind of work, as many as there is room for. */
private fun barsOf(report: Report, from: Int): List<String> {
    val group = report.analysis.groups.firstOrNull { it.ranks.isNotEmpty() } ?: return emptyList()
    val room = (HEIGHT - BELOW_BARS - from) / ROW
    val cells = report.barsOf(group).take(minOf(MOST_BARS, room)).mapNotNull { rank -> report.analysis.cell(rank.cell) }
    val most = cells.mapNotNull { report.barOf(it)?.value }.maxOrNull()?.takeIf { it > 0 } ?: return emptyList()
    return cells.flatMapIndexed { nth, cell -> bar(report, cell, from + nth * ROW, most, cell.cell.id == group.baseline) }
}

private fun bar(report: Report, cell: CellAnalysis, top: Int, most: Double, isBaseline: Boolean): List<String> {
    val estimate = report.barOf(cell) ?: return emptyList()
    val width = (LONGEST_BAR * estimate.value / most).coerceAtLeast(2.0)
    val sign = cell.capacity?.takeIf { it.censored }?.let { "≥" }
    val value = listOfNotNull(sign, cell.spokenRank(estimate.value), plusMinus(estimate)).joinToString(" ")
    val kind = if (isBaseline) "baseline" else "bar"
    return listOf(
        text(if (isBaseline) "strong" else "", top + TEXT_IN_ROW, MEDIUM, report.titled(cell.cell.id), until = BARS_FROM),
        """<rect class="$kind" x="$BARS_FROM" y="${top + AIR / 2}" width="${pixels(width)}" height="${ROW - AIR}" rx="3"/>""",
        text("", top + TEXT_IN_ROW, MEDIUM, value, from = BARS_FROM + width.toInt() + LEADING),
    )
}

/** [words] in one line, which is cut before [until]. */
private fun text(kind: String, y: Int, size: Int, words: String, from: Int = LEFT, until: Int = WIDTH): String {
    val most = charactersIn(until - from - LEADING, size)
    val shown = visible(words).let { if (it.length <= most) it else it.take(most - 1).trimEnd() + "…" }
    return """<text class="$kind" x="$from" y="$y" font-size="$size">${inXml(shown)}</text>"""
}

/** The colours that [css] declares, by name. */
private fun colours(css: String): Map<String, String> =
    Regex("--([a-z0-9]+):(#[0-9a-f]+)").findAll(css).associate { it.groupValues[1] to it.groupValues[2] }

private fun painted(colour: Map<String, String>): String = mapOf(
    "text" to "ink2",
    ".page" to "card",
    ".verdict,.strong" to "ink",
    ".dim,.baseline" to "muted",
    ".bar" to "c0",
    ".${toneClass(Tone.GOOD)}" to "good",
    ".${toneClass(Tone.BAD)}" to "bad",
    ".${toneClass(Tone.WARN)}" to "warn",
).entries.joinToString("") { (what, name) -> "$what{fill:${colour.getValue(name)}}" }

private const val FONT = """system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif"""

/** In the colours of report.css; written out, because not every viewer knows variables. */
private val STYLE: String = resource("report.css").let { css ->
    "text{font-family:$FONT}.verdict,.strong{font-weight:600}" + painted(colours(css.substringBefore("@media"))) +
        "@media (prefers-color-scheme:dark){${painted(colours(css.substringAfter("@media").substringBefore("}}")))}}"
}
