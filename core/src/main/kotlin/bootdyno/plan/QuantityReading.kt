package bootdyno.plan

import bootdyno.model.CellId
import bootdyno.model.Measure

/** What a figure is of: a [measure] of all requests, `throughput`, or of one operation of a chain or a script, `create.throughput`. */
internal data class Quantity(val measure: Measure, val operation: String? = null)

internal fun quantityWord(measure: Measure, operation: String?): String = listOfNotNull(operation, measure.word).joinToString(".")

/** Whatever stands before the measure is an operation: only [checkOperation] knows whether it is one. Null when [text] ends in no measure. */
internal fun quantityOf(text: String): Quantity? = MEASURES[text]?.let { Quantity(it) } ?: measureAtEnd(text)?.let { word ->
    Quantity(MEASURES.getValue(word), text.removeSuffix(".$word"))
}

/** `throughput` of `a/x.throughput`; the longest, since `p99.9` ends in no other. Null when there is none. */
internal fun measureAtEnd(text: String): String? = MEASURES.keys.filter { text.endsWith(".$it") }.maxByOrNull { it.length }

/** Reads the name of a quantity; null after a problem. */
internal fun readQuantity(cursor: Cursor): Quantity? {
    val text = cursor.text() ?: return null
    return quantityOf(text)
        ?: cursor.problem(
            "`$text` is not one of ${MEASURES.keys.joinToString(", ")}",
            suggestion(text.substringAfterLast('.'), MEASURES.keys),
        )
}

/** Whether [quantity] can be said of all [cells]; a problem when it cannot. */
internal fun checkOperation(
    quantity: Quantity,
    cells: List<CellId>,
    grid: Grid,
    problem: (String, String?) -> Nothing?,
): Boolean {
    val operation = quantity.operation ?: return true
    if (!quantity.measure.ofOperations) {
        problem(
            "`${quantity.measure.word}` is of the whole subject, not of one operation",
            "operations have throughput, latencies and errors",
        )
        return false
    }
    val without = cells.map(grid::cell).find { it.operations?.contains(operation) == false } ?: return true
    val names = without.operations.orEmpty()
    if (names.isEmpty()) {
        problem("`$operation` is no operation of ${without.id}, which is one request", "only a chain has operations: its steps")
    } else {
        problem("`$operation` is no step of ${without.id}", suggestion(operation, names, "steps"))
    }
    return false
}
