package bootdyno.keys

import bootdyno.yaml.KeyWithDefault
import bootdyno.yaml.Shape
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive

private val PRETTY = Json { prettyPrint = true }
private val HEAD = mapOf(
    "\$schema" to JsonPrimitive("https://json-schema.org/draft/2020-12/schema"),
    "title" to JsonPrimitive("Boot Dyno experiment"),
)

/** The JSON Schema (draft 2020-12) of the experiment file, for editors. `readPlan` checks the same and more. */
fun experimentSchema(): String {
    val nouns = DEFINED.associate { JsonObject(it.schema - "description") to it.noun }
    val definitions = DEFINED.associate { it.noun to withReferences(it.schema, nouns - JsonObject(it.schema - "description")) }
    val file = withReferences(ExperimentKeys.schema, nouns) as JsonObject
    return PRETTY.encodeToString(JsonObject(HEAD + file + ("\$defs" to JsonObject(definitions)))) + "\n"
}

/** [schema], where those of [nouns] are references to their definitions; a description stays beside its reference. */
private fun withReferences(schema: JsonElement, nouns: Map<JsonObject, String>): JsonElement = when (schema) {
    is JsonArray -> JsonArray(schema.map { withReferences(it, nouns) })

    is JsonObject -> nouns[JsonObject(schema - "description")]?.let { noun ->
        JsonObject(schema.filterKeys { it == "description" } + ("\$ref" to JsonPrimitive("#/\$defs/$noun")))
    } ?: JsonObject(schema.mapValues { withReferences(it.value, nouns) })

    else -> schema
}

/** Shapes with a table in the documentation. */
private val SHAPES = SUBJECT_SHAPES + listOf(ExperimentKeys, LimitsKeys, DatabaseKeys, ComposeKeys) +
    listOf(VariantKeys, WorkloadKeys, ProfileKeys, ClaimKeys)

/** Shapes that occur more than once in the schema. */
private val DEFINED = listOf(VariantKeys, SubjectKeys, StepKeys, ExpectKeys, LimitsKeys)

/** A region of docs/experiment-keys.md, `<!-- table: variant -->` to `<!-- end -->`. */
private val REGION = Regex("(<!-- table: ([a-z]+) -->\n)(?s:.*?)(<!-- end -->)")

/** The Markdown [text] with generated tables of keys, or of measures, in its marked regions. */
fun withKeyTables(text: String): String = text.replace(REGION) { found ->
    val (begin, noun, end) = found.destructured
    val table = if (noun == "measures") measures() else keys(SHAPES.find { it.noun == noun } ?: error("no table for $noun"))
    begin + table + end
}

private fun measures() = table(listOf("measure", "unit", "meaning", "of"), MEASURES.entries) { (word, measure) ->
    listOf("`$word`", measure.unit.symbol, measure.title, if (measure.ofOperations) "requests" else "the subject")
}

/** Keys of the same type and meaning are one row. */
private fun keys(shape: Shape<*, *>): String {
    val rows = shape.keys.groupBy { key ->
        val note = when {
            key in shape.kinds -> " *One of these is required.*"
            key.required -> " **Required.**"
            key is KeyWithDefault -> " Default: `${key.shown}`."
            else -> ""
        }
        listOf(key.type.words, key.description.replace("](#", "](experiment.md#") + note)
    }
    return table(listOf("key", "value", "meaning"), rows.entries) { (row, keys) ->
        listOf(keys.joinToString { "`${it.name}`" }) + row
    }
}

private fun <T> table(head: List<String>, rows: Collection<T>, row: (T) -> List<String>): String =
    (listOf(head, head.map { "---" }) + rows.map(row)).joinToString("\n", "\n", "\n\n") { it.joinToString("|", "|", "|") }
