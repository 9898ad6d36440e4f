package bootdyno.yaml

/** Maximum edit distance of a typing error. */
private const val FARTHEST = 3

/** Longer names are not compared, because the time is quadratic. */
private const val LONGEST_WORD = 200
private const val MOST_COMPARED = 500

private const val MOST_LISTED = 15

/** "did you mean …" if one of [known] is similar to [word]; otherwise a list of [known]; null if that is empty. */
fun suggestion(word: String, known: Collection<String>, kind: String = "known"): String? {
    val compared = if (word.length > LONGEST_WORD) emptyList() else known.take(MOST_COMPARED)
    val apart = compared.associateWith { distance(word.lowercase(), it.lowercase()) }
    val near = apart.entries.minByOrNull { it.value }
        ?.takeIf { it.value <= minOf(FARTHEST, maxOf(1, maxOf(word.length, it.key.length) / 3)) }
    return when {
        near != null -> "did you mean `${near.key}`?"
        known.isEmpty() -> null
        else -> "$kind: " + known.take(MOST_LISTED).joinToString(", ") + if (known.size > MOST_LISTED) " …" else ""
    }
}

/** Number of edits that turn [a] into [b]: insert, delete, replace, swap neighbours (optimal string alignment). */
internal fun distance(a: String, b: String): Int {
    // First row and column: the distance to the empty text.
    val d = Array(a.length + 1) { i -> IntArray(b.length + 1) { j -> i + j } }
    for (i in 1..a.length) {
        for (j in 1..b.length) {
            val cost = if (a[i - 1] == b[j - 1]) 0 else 1
            d[i][j] = minOf(d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + cost)
            val swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]
            if (swapped) d[i][j] = minOf(d[i][j], d[i - 2][j - 2] + 1)
        }
    }
    return d[a.length][b.length]
}
