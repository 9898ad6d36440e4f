package bootdyno.plan

/**
 * The parameters of a workload: [sets] has one set of values, or one for each value of the [axis].
 *
 * Lists go together: the first value of each belongs to the first workload, and so on. The first list is the axis.
 */
internal class Parameters(val sets: List<Map<String, String>>, val axis: String? = null) {
    val names: Set<String> get() = sets.first().keys

    companion object {
        val NONE = Parameters(listOf(emptyMap()))
    }
}

/** Reads `{ limit: [ 100, 1000 ], sum: [ 1060, 76127 ], unit: ms }`; null after a problem. */
internal fun readParameters(cursor: Cursor): Parameters? {
    val entries = cursor.entries() ?: return null
    val read = WorkloadKeys.parameters.type.read(cursor).orEmpty()
    if (read.size < entries.size) return null
    val lists = entries.filter { read.getValue(it.name).swept }
    val axis = lists.firstOrNull() ?: return Parameters(listOf(read.mapValues { it.value.values.single() }))
    val texts = read.getValue(axis.name).values
    if (!checkAxis(axis.value, texts)) return null
    val bad = texts.find { text -> text.toDoubleOrNull()?.let { it in FIGURES } != true }
    val uneven = lists.find { read.getValue(it.name).values.size != texts.size }
    return when {
        !NAME.matches(axis.name) -> axis.value.problem(
            "`${axis.name}` cannot name an axis",
            "letters, digits and . _ = + - only: cells are called by it",
        )

        bad != null -> axis.value.problem("`$bad` is not a number ${words(FIGURES)}", "an axis is drawn on a logarithmic scale")

        uneven != null -> uneven.problem(
            "has ${read.getValue(uneven.name).values.size} values, ${axis.name} has ${texts.size}",
            "lists go together: the first values belong together, then the second",
        )

        else -> Parameters(
            texts.indices.map { index ->
                read.mapValues { (_, one) -> one.values.run { if (one.swept) get(index) else single() } }
            },
            axis.name,
        )
    }
}

/** Whether [values], the list at [cursor], can be swept; a problem when they cannot. */
internal fun checkAxis(cursor: Cursor, values: List<Any>): Boolean {
    when {
        values.size > MOST_POINTS ->
            cursor.problem("has ${whole(values.size.toLong())} values", "sweep at most ${whole(MOST_POINTS.toLong())}")

        values.isEmpty() -> cursor.problem("is empty", "write the values to sweep: [ 100, 1000 ]")

        values.distinct().size < values.size -> cursor.problem("names a value twice")

        else -> return true
    }
    return false
}
