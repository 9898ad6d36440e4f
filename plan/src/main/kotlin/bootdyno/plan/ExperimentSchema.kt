package bootdyno.plan

import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive

private val PRETTY = Json { prettyPrint = true }
private val HEAD = mapOf(
    "\$schema" to JsonPrimitive("https://json-schema.org/draft/2020-12/schema"),
    "title" to JsonPrimitive("Boot Dyno experiment"),
)

/** The JSON Schema (draft 2020-12) of the experiment file, for editors. `readPlan` checks the same and more. */
fun experimentSchema(): String = PRETTY.encodeToString(JsonObject(HEAD + ExperimentKeys.schema)) + "\n"

/** Shapes with a table in the documentation. */
private val SHAPES = SUBJECT_SHAPES + listOf(ExperimentKeys, LimitsKeys, DatabaseKeys, ComposeKeys) +
    listOf(VariantKeys, WorkloadKeys, ProfileKeys, ClaimKeys)

/** A region of docs/experiment-keys.md, `<!-- table: variant -->` to `<!-- end -->`. */
private val REGION = Regex("(<!-- table: ([a-z]+) -->\n)(?s:.*?)(<!-- end -->)")

/** The Markdown [text] with generated tables of keys, or of measures, in its marked regions. */
fun withKeyTables(text: String): String = text.replace(REGION) { found ->
    val (begin, noun, end) = found.destructured
    val table = if (noun == "measures") measures() else keys(SHAPES.find { it.noun == noun } ?: error("no table for $noun"))
    begin + table + end
}

private fun measures() = table("| measure | unit | meaning | of |", MEASURES.entries) { (word, measure) ->
    val of = if (measure.ofOperations) "requests" else "the subject"
    "| `$word` | ${measure.unit.symbol} | ${measure.title} | $of |"
}

private fun keys(shape: Shape<*, *>): String = table("| key | value | meaning |", shape.keys) { key ->
    val note = when {
        key in shape.kinds -> " *One of these is required.*"
        key.required -> " **Required.**"
        key is KeyWithDefault -> " Default: `${key.shown}`."
        else -> ""
    }
    "| `${key.name}` | ${key.type.words} | ${key.description.replace("](#", "](experiment.md#")}$note |"
}

private fun <T> table(head: String, rows: Collection<T>, row: (T) -> String) =
    rows.joinToString("\n", "\n$head\n${head.replace(Regex("[^|]+"), "---")}\n", "\n\n", transform = row)
