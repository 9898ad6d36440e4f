package bootdyno.report.format

import bootdyno.model.visible
import bootdyno.report.Beside
import bootdyno.report.Block
import bootdyno.report.Bullets
import bootdyno.report.Chart
import bootdyno.report.Facts
import bootdyno.report.Folded
import bootdyno.report.Forest
import bootdyno.report.Item
import bootdyno.report.MOST_BARS
import bootdyno.report.Medium
import bootdyno.report.Page
import bootdyno.report.Paragraph
import bootdyno.report.Report
import bootdyno.report.Section
import bootdyno.report.Table
import bootdyno.report.Tone
import bootdyno.report.Verbatim
import bootdyno.report.summary

private const val ESCAPE = '\u001B'
private val PLAIN_SIGNS = mapOf(
    "×" to "x", "±" to "+/-", "≥" to ">=", "≤" to "<=", "→" to "->", "÷" to "/", "–" to "-", "—" to "-", "−" to "-",
    "…" to "...", "·" to "-", "≈" to "~", "✓" to "+", "✗" to "x", "µ" to "u", "“" to "\"", "”" to "\"", "’" to "'",
    "┊" to "|", "─" to "-", "█" to "#", "δ" to "d", "\u00A0" to " ",
)

/** Capabilities of a terminal. [width] is at least 40 columns, because pseudo-terminals may report none. */
data class Screen(val width: Int, val colour: Boolean, val unicode: Boolean)

/** The page as text for a terminal, without charts. */
fun renderTerminal(page: Page, width: Int, colour: Boolean, unicode: Boolean): String =
    TerminalRenderer(Screen(width.coerceAtLeast(40), colour, unicode)).render(page)

/** The end of [report], in 24 rows: with fewer bars where its texts are long. */
fun renderSummary(report: Report, screen: Screen): String {
    val ends = (MOST_BARS downTo FEWEST_BARS).asSequence().map { bars ->
        renderTerminal(summary(report, bars), screen.width, screen.colour, screen.unicode)
    }
    return ends.firstOrNull { it.trimEnd().lines().size <= ROWS } ?: ends.last()
}

private const val FEWEST_BARS = 2
private const val ROWS = 24

private class TerminalRenderer(private val screen: Screen) {
    private val paint = Paint(screen)

    fun render(page: Page): String {
        val conditions = page.conditions.joinToString(" · ") { "${it.name} ${it.value}".trim() }
        val question = if (page.question.isBlank()) emptyList() else painted(page.question)
        val head = painted(page.title, Tone.STRONG) + question + painted(conditions, Tone.DIM)
        val sections = page.sectionsFor(Medium.TERMINAL).map(::section).filter { it.isNotEmpty() }
        return (listOf(head) + sections).joinToString("\n\n") { lines -> lines.joinToString("\n") } + "\n"
    }

    /** Wrapped after replacing signs that the screen cannot show, because replacements may be longer. */
    private fun painted(text: String, tone: Tone = Tone.PLAIN, indent: Int = 0): List<String> =
        wrapped(paint.signs(text), screen.width - indent).map { " ".repeat(indent) + paint(it, tone) }

    /** Omits headings without content. */
    private fun section(section: Section): List<String> {
        val lead = section.lead?.let { painted(it, Tone.DIM, indent = 2) }.orEmpty()
        val body = section.blocks.flatMapIndexed { index, block ->
            // An empty line above a heading inside a section.
            val air = block is Paragraph && block.heading && (index > 0 || section.lead != null)
            (if (air) listOf("") else emptyList()) + block(block)
        }
        val heading = if (section.heading.isEmpty()) emptyList() else listOf(paint(section.heading, Tone.STRONG))
        return if (body.isEmpty()) emptyList() else heading + lead + body
    }

    private fun block(block: Block): List<String> = when (block) {
        is Paragraph -> painted(block.text, block.tone, indent = 2)

        is Bullets -> block.items.flatMap(::item)

        is Verbatim -> block.lines.map { "    " + paint(it, Tone.DIM) }

        is Facts -> {
            val name = block.facts.maxOf { it.name.length }
            block.facts.flatMap { fact ->
                val lines = painted(fact.value, indent = name + 4)
                listOf("  " + paint(fact.name.padEnd(name), Tone.DIM) + "  " + lines.first().trimStart()) + lines.drop(1)
            }
        }

        is Table -> TextTable(block.on(Medium.TERMINAL), screen).lines()

        // Collapsed blocks are only in the HTML report.
        is Folded, is Forest, is Chart, is Beside -> emptyList()
    }

    private fun item(item: Item): List<String> {
        val lines = painted(item.text, item.tone, indent = 4)
        val first = "  ${paint(BULLETS[item.tone] ?: "·", item.tone)} " + lines.first().drop(4)
        return listOf(first) + lines.drop(1) + item.detail.flatMap { painted(it, indent = 6) }
    }
}

/** Adds colours, and replaces signs that the screen cannot show. */
internal class Paint(private val screen: Screen) {
    operator fun invoke(text: String, tone: Tone = Tone.PLAIN): String {
        val shown = signs(text)
        val code = CODES[tone]
        return if (!screen.colour || code == null || shown.isBlank()) shown else "$ESCAPE[${code}m$shown$ESCAPE[0m"
    }

    fun signs(text: String): String =
        (if (screen.unicode) emptyMap() else PLAIN_SIGNS).entries.fold(visible(text)) { plain, (sign, ascii) ->
            plain.replace(sign, ascii)
        }
}

private val BULLETS = mapOf(Tone.GOOD to "✓", Tone.WARN to "!", Tone.BAD to "✗")

/** Of ANSI X3.64, "select graphic rendition". */
private val CODES = mapOf(Tone.STRONG to "1", Tone.DIM to "2", Tone.GOOD to "32", Tone.WARN to "33", Tone.BAD to "31")

/** [text] in lines of at most [width] characters, broken at spaces; longer words have lines of their own. */
fun wrapped(text: String, width: Int): List<String> {
    val lines = mutableListOf<String>()
    var line = ""
    for (word in text.split(' ').filter { it.isNotEmpty() }) {
        if (line.isEmpty()) {
            line = word
        } else if (line.length + 1 + word.length <= width) {
            line += " $word"
        } else {
            lines += line
            line = word
        }
    }
    return lines + line
}
