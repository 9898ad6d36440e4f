package bootdyno.plan

/** Those with a table in the documentation. */
private val SHAPES = listOf(
    ExperimentKeys,
    LimitsKeys,
    DatabaseKeys,
    VariantKeys,
    SubjectKeys,
    StyleKeys,
    PoolKeys,
    ClaimKeys,
)

/** A region of docs/experiment.md, `<!-- keys: variant -->` to `<!-- end -->`. */
private val REGION = Regex("(<!-- keys: ([a-z]+) -->\n)(?s:.*?)(<!-- end -->)")

private val MEASURES_REGION = Regex("(<!-- measures -->\n)(?s:.*?)(<!-- end -->)")

/** The Markdown [text] with a table of keys, or of measures, in each of its marked regions. */
fun withKeyTables(text: String): String = text.replace(MEASURES_REGION) { found ->
    val (begin, end) = found.destructured
    begin +
        MEASURES.entries.joinToString(
            "\n",
            "\n| measure | unit | meaning | of |\n|---|---|---|---|\n",
            "\n\n",
        ) { (word, measure) ->
            val of = if (measure.ofOperations) "requests" else "the subject"
            "| `$word` | ${measure.unit.symbol} | ${measure.title} | $of |"
        } + end
}.replace(REGION) { found ->
    val (begin, noun, end) = found.destructured
    val shape = SHAPES.find { it.noun == noun } ?: error("no table of keys for $noun")
    begin + tableOf(shape) + end
}

private fun tableOf(shape: Shape<*>): String = shape.keys.joinToString(
    "\n",
    "\n| key | value | meaning | when left out |\n|---|---|---|---|\n",
    "\n\n",
) { key ->
    val absent = when (key) {
        in shape.kinds -> "exactly one of ${shape.kinds.joinToString(", ") { "`${it.name}`" }}"
        else -> if (key.required) "**required**" else key.absent.ifEmpty { "–" }
    }
    "| `${key.name}` | ${key.type.words} | ${key.description} | $absent |"
}
