package bootdyno.cli

/**
 * The words of [text] as a POSIX shell splits them: by spaces, with '…', "…" and \ for what stays together. Variables and patterns have no
 * meaning. Null if a quote is not closed.
 */
internal fun shellWords(text: String): List<String>? {
    val words = mutableListOf<String>()
    var word: StringBuilder? = null
    var quote: Char? = null
    var at = 0
    while (at < text.length) {
        val c = text[at]
        if (c == quote) {
            quote = null
        } else if (quote == null && c.isWhitespace()) {
            word?.let { words.add(it.toString()) }
            word = null
        } else {
            val open = word ?: StringBuilder()
            word = open
            when {
                quote == null && (c == '\'' || c == '"') -> quote = c

                c == '\\' && quote != '\'' && at + 1 < text.length -> {
                    at++
                    open.append(text[at])
                }

                else -> open.append(c)
            }
        }
        at++
    }
    word?.let { words.add(it.toString()) }
    return words.takeIf { quote == null }
}
