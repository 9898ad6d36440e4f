package bootdyno.keys

import bootdyno.model.Measure
import bootdyno.yaml.Cursor
import bootdyno.yaml.Scalar
import bootdyno.yaml.anyOf
import bootdyno.yaml.formed
import bootdyno.yaml.kebab
import bootdyno.yaml.oneOf
import bootdyno.yaml.suggestion

/** Measures by their names in reports; camel-case names are old names in files. */
private val REPORTED = Measure.entries.associateBy { it.word }

/** Measures by their names in files: `cpu-per-request`. */
internal val MEASURES: Map<String, Measure> = REPORTED.mapKeys { (word, _) -> kebab(word) }

internal val Measure.inFiles: String get() = kebab(word)

/** A [measure] of all requests, `throughput`, or of one operation of a chain, a mix or a script, `create.throughput`. */
internal data class Quantity(val measure: Measure, val operation: String? = null) {
    val word: String get() = listOfNotNull(operation, measure.inFiles).joinToString(".")
}

/** Pattern of names with an operation, for the schema. */
private val OF_AN_OPERATION =
    MEASURES.filterValues { it.ofOperations }.keys.joinToString("|", "^.+[.](", ")$") { it.replace(".", "[.]") }
internal val QUANTITY_NAMES = anyOf(listOf(oneOf(MEASURES.keys), formed(OF_AN_OPERATION)))

internal val QUANTITY_NAME = Scalar("a [measure](#measures)", QUANTITY_NAMES, Quantity::word) { cursor ->
    cursor.text()?.let { text ->
        quantityOf(text, cursor) ?: cursor.problem(
            "`$text` is not one of ${MEASURES.keys.joinToString(", ")}",
            suggestion(text.substringAfterLast('.'), MEASURES.keys),
        )
    }
}

/** A measure, with any text before it as the operation; [checkOperation] checks that later. Null without a measure. */
internal fun quantityOf(text: String, cursor: Cursor): Quantity? = measureAtEnd(".$text", cursor)?.let { (name, measure) ->
    Quantity(measure, text.removeSuffix(name).removeSuffix(".").ifEmpty { null })
}

/** The longest measure's name at the end of [text], including old names, with its measure. */
internal fun measureAtEnd(text: String, cursor: Cursor): Map.Entry<String, Measure>? {
    val named = (REPORTED + MEASURES).entries.filter { text.endsWith(".${it.key}") }.maxByOrNull { it.key.length } ?: return null
    if (named.key != named.value.inFiles) cursor.problems.warnOfOldName(cursor.node.place, named.key, named.value.inFiles)
    return named
}
