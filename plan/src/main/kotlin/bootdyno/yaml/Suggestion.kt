package bootdyno.yaml

/** Maximum edit distance of a typing error. */
private const val FARTHEST = 3

/** Longer names are not compared, because the time is quadratic. */
private const val LONGEST_WORD = 200
private const val MOST_COMPARED = 500

private const val MOST_LISTED = 15

/** "did you mean …" if one of [known] is similar to [word]; otherwise a list of [known]; null if that is empty. */
fun suggestion(word: String, known: Collection<String>, kind: String = "known"): String? {
    val near = nearest(word, known)
    return when {
        near != null -> "did you mean `$near`?"
        known.isEmpty() -> null
        else -> "$kind: " + known.take(MOST_LISTED).joinToString(", ") + if (known.size > MOST_LISTED) " …" else ""
    }
}

/** The one of [known] that is similar to [word]; null if none is. */
internal fun nearest(word: String, known: Collection<String>): String? {
    val compared = if (word.length > LONGEST_WORD) emptyList() else known.take(MOST_COMPARED)
    return compared.associateWith { distance(word.lowercase(), it.lowercase()) }.entries.minByOrNull { it.value }
        ?.takeIf { it.value <= minOf(FARTHEST, maxOf(1, maxOf(word.length, it.key.length) / 3)) }?.key
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
