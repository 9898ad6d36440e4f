package bootdyno.cli

/** What is in single quotes, in double quotes, after a backslash, blanks, or another character. */
private val PART = Regex("""'([^']*+)'|"((?:[^"\\]++|\\.)*+)"|\\(.)|(\s++)|(.)""", RegexOption.DOT_MATCHES_ALL)

/** All that a backslash escapes in double quotes. */
private val ESCAPED = Regex("""\\([`"\\$])""")

/**
 * The words of [text] as a POSIX shell splits them: by spaces, with '…', "…" and \ for what stays together. Variables and patterns have no
 * meaning. Null if a quote is not closed.
 */
internal fun shellWords(text: String): List<String>? {
    val words = mutableListOf<String>()
    var isOpen = false
    PART.findAll(text).forEach { part ->
        val (single, double, escaped, blanks, other) = part.destructured
        if (other == "'" || other == "\"") return null
        if (blanks.isEmpty()) {
            val before = if (isOpen) words.removeLast() else ""
            words += before + single + ESCAPED.replace(double, "$1") + escaped + other
        }
        isOpen = blanks.isEmpty()
    }
    return words
}
