package bootdyno.plan

/**
 * Whether [pattern] matches all of [text]. `*` stands for any text, also an empty one. Each piece between two stars is matched where it first
 * occurs, which leaves most text for the rest, so there is no backtracking.
 */
fun matches(pattern: String, text: String): Boolean {
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
