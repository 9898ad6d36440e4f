package bootdyno.model

import java.util.Locale

/**
 * [text] with unsafe characters replaced by their codes, `[U+001B]`: control characters and those that change the text direction. Line breaks
 * and tabs stay. The code needs no escape in Markdown, HTML, JSON and scripts.
 */
fun visible(text: String): String = if (text.none(::acts)) {
    text
} else {
    buildString { text.forEach { c -> if (acts(c)) append("[U+%04X]".format(Locale.ROOT, c.code)) else append(c) } }
}

/** Control characters of ASCII and Latin-1, and characters that set the text direction. */
private fun acts(c: Char): Boolean = when (c) {
    '\n', '\t' -> false
    '\u061C', '\u200E', '\u200F', in '\u202A'..'\u202E', in '\u2066'..'\u2069', '\u2028', '\u2029' -> true
    else -> c.isISOControl()
}

/** The beginning of [text], in printable ASCII. */
fun printable(text: String): String = text.take(LONGEST_SHOWN).map { if (it in ' '..'~') it else '.' }.joinToString("")

private const val LONGEST_SHOWN = 80
