package bootdyno.report

import bootdyno.model.visible

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
