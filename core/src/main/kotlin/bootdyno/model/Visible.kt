package bootdyno.model

import java.util.Locale

/**
 * [text] as anybody may see it: what would move a cursor, ring a bell, change a colour or turn the reading direction is written as its
 * code, `[U+001B]`. Line breaks and tabs stay. The code is plain in Markdown, HTML, JSON and a script.
 */
fun visible(text: String): String = if (text.none(::acts)) {
    text
} else {
    buildString { text.forEach { c -> if (acts(c)) append("[U+%04X]".format(Locale.ROOT, c.code)) else append(c) } }
}

/** Control characters of ASCII and Latin-1, and those that set the direction of text. */
private fun acts(c: Char): Boolean = when (c) {
    '\n', '\t' -> false
    '\u061C', '\u200E', '\u200F', in '\u202A'..'\u202E', in '\u2066'..'\u2069', '\u2028', '\u2029' -> true
    else -> c.isISOControl()
}
