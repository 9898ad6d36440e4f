package bootdyno.stats

/**
 * Letters for [count] items, the best first: two share a letter exactly if they do not [differ]. Insert and absorb: Piepho, "An algorithm for a
 * letter-based representation of all-pairwise comparisons", Journal of Computational and Graphical Statistics 13 (2004).
 */
fun compactLetters(count: Int, differ: (Int, Int) -> Boolean): List<String> {
    var groups = listOf((0..<count).toSet())
    for (one in 0..<count) {
        for (other in one + 1..<count) {
            if (differ(one, other)) groups = withoutPair(groups, one, other)
        }
    }
    val sorted = groups.sortedWith(compareBy<Set<Int>> { it.min() }.thenBy { it.max() })
    val separator = if (sorted.size > ALPHABET) " " else ""
    return List(count) { item ->
        sorted.withIndex().filter { (_, group) -> item in group }.joinToString(separator) { letter(it.index) }
    }
}

/** Each group of both becomes two of one of them; one of these within another group is left out. No group was within another before. */
private fun withoutPair(groups: List<Set<Int>>, one: Int, other: Int): List<Set<Int>> {
    val (both, rest) = groups.partition { one in it && other in it }
    val parts = both.flatMap { listOf(it - one, it - other) }.distinct()
    val all = rest + parts
    return rest + parts.filter { part -> all.none { it != part && it.containsAll(part) } }
}

/** a to z, then a2 to z2. */
private fun letter(index: Int): String = "${'a' + index % ALPHABET}${(index / ALPHABET + 1).takeIf { it > 1 } ?: ""}"

private const val ALPHABET = 26
