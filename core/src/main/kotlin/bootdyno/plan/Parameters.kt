package bootdyno.plan

import bootdyno.model.AxisPoint

/**
 * The parameters of a workload: [sets] has one set of values, or one for each value of the [axis].
 *
 * Lists go together: the first value of each belongs to the first workload, and so on. The first list is the axis.
 */
internal data class Parameters(val axis: Axis?, val sets: List<Map<String, String>>) {
    val names: Set<String> get() = sets.first().keys
    val size: Int get() = sets.size

    /** What the workload [declared] becomes: itself, or one for each value. */
    fun points(declared: String): List<PointOfWorkload> = sets.mapIndexed { index, parameters ->
        val name = axis?.let { pointName(declared, it.name, it.texts[index]) } ?: declared
        PointOfWorkload(name, parameters, axis?.point(declared, index))
    }

    companion object {
        val NONE = Parameters(null, listOf(emptyMap()))
    }
}

internal data class PointOfWorkload(val name: String, val parameters: Map<String, String>, val point: AxisPoint?)

/** Reads `{ limit: [ 100, 1000 ], sum: [ 1060, 76127 ], unit: ms }`; null after a problem. */
internal fun readParameters(cursor: Cursor): Parameters? {
    val entries = cursor.entries() ?: return null
    val lists = entries.filter { it.value.node is ListNode }
    val swept = lists.mapNotNull { entry -> entry.value.texts()?.let { entry.name to it } }.toMap()
    val fixed = (entries - lists.toSet()).mapNotNull { entry -> entry.value.text()?.let { entry.name to it } }.toMap()
    val first = lists.firstOrNull() ?: return Parameters(null, listOf(fixed))
    val axis = axisOf(first.name, first.value) ?: return null
    val uneven = lists.find { swept[it.name].orEmpty().size != axis.texts.size }
    if (uneven != null) {
        return uneven.problem(
            "has ${swept[uneven.name].orEmpty().size} values, ${axis.name} has ${axis.texts.size}",
            "lists go together: the first values belong together, then the second",
        )
    }
    // In the order of the file, whichever are lists.
    val sets = axis.texts.indices.map { index ->
        entries.mapNotNull { entry -> (swept[entry.name]?.get(index) ?: fixed[entry.name])?.let { entry.name to it } }.toMap()
    }
    return Parameters(axis, sets)
}

/** The values of an axis as written; null after a problem. */
internal fun axisOf(name: String, cursor: Cursor, number: (String) -> Double? = String::toDoubleOrNull): Axis? {
    val texts = cursor.texts()?.map { it.trim() } ?: return null
    val bad = texts.find { text -> number(text)?.let { it in FIGURES } != true }
    return when {
        texts.size > MOST_POINTS -> cursor.problem(
            "has ${whole(texts.size.toLong())} values",
            "sweep at most ${whole(MOST_POINTS.toLong())}",
        )

        !NAME.matches(
            name,
        ) -> cursor.problem("`$name` cannot name an axis", "letters, digits and . _ = + - only: cells are called by it")

        texts.isEmpty() -> cursor.problem("is empty", "write the values to sweep: [ 100, 1000 ]")

        bad != null -> cursor.problem("`$bad` is not a number ${words(FIGURES)}", "an axis is drawn on a logarithmic scale")

        texts.distinct().size < texts.size -> cursor.problem("names a value twice")

        else -> Axis(name, texts)
    }
}
