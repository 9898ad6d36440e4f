package bootdyno.plan

/**
 * Whether all of [text] has the form of [pattern], in which `*` stands for anything, nothing included.
 *
 * After a mismatch only the latest `*` takes one character more: what an earlier one took need never change. So a pattern of many `*`
 * takes at most as many steps as its length times that of the text.
 */
internal fun matches(pattern: String, text: String): Boolean {
    var at = 0
    var inPattern = 0
    var star = -1
    var taken = 0
    while (at < text.length) {
        when {
            inPattern < pattern.length && pattern[inPattern] == '*' -> {
                star = inPattern++
                taken = at
            }

            inPattern < pattern.length && pattern[inPattern] == text[at] -> {
                inPattern++
                at++
            }

            star >= 0 -> {
                inPattern = star + 1
                at = ++taken
            }

            else -> return false
        }
    }
    return pattern.drop(inPattern).all { it == '*' }
}
