package bootdyno.plan

/**
 * Whether all of [text] has the form of [pattern], in which `*` stands for anything, nothing included.
 *
 * Each piece between two stars is taken where it first occurs: no later place would leave more for the rest. So nothing is tried twice.
 */
internal fun matches(pattern: String, text: String): Boolean {
    val pieces = pattern.split('*')
    val last = pieces.last()
    if (pieces.size == 1) return text == pattern
    if (!text.startsWith(pieces.first())) return false
    val end = pieces.subList(1, pieces.lastIndex).fold(pieces.first().length) { at, piece ->
        val found = text.indexOf(piece, at)
        if (found < 0) return false
        found + piece.length
    }
    return text.endsWith(last) && text.length - last.length >= end
}
