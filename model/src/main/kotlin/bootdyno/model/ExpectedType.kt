package bootdyno.model

/**
 * The one rule for content types: [text] `text/plain` matches `text/plain;charset=UTF-8`; an expectation with a parameter must match completely.
 * Case, and blanks around semicolons, do not count.
 */
class ExpectedType(text: String) {
    /** As a regular expression of Java and of Perl 5, to be matched ignoring case. */
    val pattern: String =
        text.split(';').joinToString("$BLANKS;$BLANKS") { literal(it.trim()) } + if (';' in text) "" else "(?:$BLANKS;.*)?"
    private val regex = Regex(pattern, RegexOption.IGNORE_CASE)

    /** Whether [found], the value of a header, is as expected. */
    fun fits(found: String): Boolean = regex.matches(found.trim())

    private fun literal(text: String) = text.map { if (it.isLetterOrDigit()) "$it" else "\\$it" }.joinToString("")
}

private const val BLANKS = "[ \\t]*"
