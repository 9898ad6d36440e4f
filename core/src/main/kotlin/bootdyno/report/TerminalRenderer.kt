package bootdyno.report

import bootdyno.model.visible

/** What a terminal can show. [width] below 40 columns counts as 40: a pseudo-terminal may claim none at all. */
data class Screen(val width: Int, val colour: Boolean, val unicode: Boolean)

/** The page as text for a terminal. Charts are left to the other media. */
fun renderTerminal(page: Page, width: Int, colour: Boolean, unicode: Boolean): String =
    TerminalRenderer(Screen(width.coerceAtLeast(40), colour, unicode)).render(page)

private class TerminalRenderer(private val screen: Screen) {
    private val paint = Paint(screen)

    fun render(page: Page): String {
        val head = wrap(page.title, screen.width).map { paint(it, Tone.STRONG) } +
            wrap(page.question, screen.width).map { paint(it) } +
            wrap(
                page.conditions.joinToString(" · ") {
                    "${it.name} ${it.value}".trim()
                },
                screen.width,
            ).map { paint(it, Tone.DIM) }
        val sections = page.sectionsFor(Medium.TERMINAL).map(::section).filter { it.isNotEmpty() }
        return (listOf(head) + sections).joinToString("\n\n") { lines -> lines.joinToString("\n") } + "\n"
    }

    /** A heading over nothing would promise what the terminal cannot show. */
    private fun section(section: Section): List<String> {
        val body = section.blocks.flatMapIndexed { index, block ->
            subheading(block, index > 0 || section.lead != null) +
                block(block)
        }
        if (body.isEmpty()) return emptyList()
        val lead = section.lead?.let { wrap(it, screen.width - 2).map { line -> "  " + paint(line, Tone.DIM) } }.orEmpty()
        return listOf(paint(section.heading, Tone.STRONG)) + lead + body
    }

    /** Air above a heading inside a section. */
    private fun subheading(block: Block, below: Boolean): List<String> =
        if (below && block is Paragraph && block.heading) listOf("") else emptyList()

    private fun block(block: Block): List<String> = when (block) {
        is Paragraph -> wrap(block.text, screen.width - 2).map { "  " + paint(it, block.tone) }

        is Bullets -> block.items.flatMap(::item)

        is Cards -> block.cards.flatMap { item(Item("${it.figure} ${it.range.orEmpty()} ${it.title} ${it.text}", it.tone)) }

        is Verbatim -> block.lines.map { "    " + paint(it, Tone.DIM) }

        is Facts -> facts(block)

        // A terminal has nothing to open: what is folded away is read on the page.
        is Folded -> emptyList()

        is Table -> TextTable(block.on(Medium.TERMINAL), screen).lines()

        is Chart, is Beside -> emptyList()
    }

    private fun item(item: Item): List<String> {
        val lines = wrap(item.text, screen.width - 4)
        val marked = lines.mapIndexed { index, line ->
            "  ${if (index == 0) bullet(item.tone) else " "} " + paint(line, item.tone)
        }
        return marked + item.detail.flatMap { wrap(it, screen.width - 6) }.map { "      " + paint(it) }
    }

    private fun bullet(tone: Tone): String = when (tone) {
        Tone.GOOD -> paint("✓", tone)
        Tone.WARN -> paint("!", tone)
        Tone.BAD -> paint("✗", tone)
        Tone.PLAIN, Tone.STRONG, Tone.DIM -> paint("·", tone)
    }

    private fun facts(block: Facts): List<String> {
        val name = block.facts.maxOf { it.name.length }
        return block.facts.map { "  " + paint(it.name.padEnd(name), Tone.DIM) + "  " + paint(it.value) }
    }

    /** Wrapped in the signs the screen has, which may be wider than the originals. */
    private fun wrap(text: String, width: Int): List<String> = wrapped(paint.signs(text), width)
}

/** Puts colour on text, where the screen has colour, and plain signs for those it cannot show. */
internal class Paint(private val screen: Screen) {
    operator fun invoke(text: String, tone: Tone = Tone.PLAIN): String {
        val shown = signs(text)
        val code = code(tone)
        return if (!screen.colour || code == null || shown.isBlank()) shown else "$ESCAPE[${code}m$shown$ESCAPE[0m"
    }

    fun signs(text: String): String = if (screen.unicode) {
        visible(text)
    } else {
        PLAIN_SIGNS.entries.fold(visible(text)) { plain, (sign, ascii) ->
            plain.replace(sign, ascii)
        }
    }

    private fun code(tone: Tone): String? = when (tone) {
        Tone.PLAIN -> null
        Tone.STRONG -> "1"
        Tone.DIM -> "2"
        Tone.GOOD -> "32"
        Tone.WARN -> "33"
        Tone.BAD -> "31"
    }

    private companion object {
        const val ESCAPE = '\u001B'
        val PLAIN_SIGNS = mapOf(
            "×" to "x", "±" to "+/-", "≥" to ">=", "≤" to "<=", "→" to "->", "÷" to "/", "–" to "-", "—" to "-", "−" to "-",
            "…" to "...",
            "·" to "-", "≈" to "~", "✓" to "+", "✗" to "x", "○" to "o", "µ" to "u", "“" to "\"", "”" to "\"", "’" to "'",
            "┊" to "|",
            "─" to "-", "δ" to "d", "\u00A0" to " ",
        )
    }
}

/** [text] in lines of at most [width] characters, broken at spaces; a word that is too long stands alone. */
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
