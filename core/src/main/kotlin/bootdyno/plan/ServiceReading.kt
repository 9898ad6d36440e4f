package bootdyno.plan

import bootdyno.model.Service

/** A service's log lies beside these in a trial's folder, and `{port}` is a word of commands already. */
private val TAKEN = setOf("subject", "engine", "port")
private val SERVICE_NAME = Regex("[A-Za-z][A-Za-z0-9_-]*")

/** Reads what subjects call: a service is declared as a variant is, and started like one. */
internal class ServiceReading(private val variants: VariantReading) {
    fun read(entry: Entry): Service? {
        checkName(entry)
        (entry.value.node as? MapNode)?.let { Fields(entry.value, it) }?.at(VariantKeys.runtime)
            ?.problem("has no effect: a service runs as its plain jar", "a service is not what is compared")
        return variants.read(entry)?.let { Service.Program(it.variant, it.subject) }
    }

    private fun checkName(entry: Entry) {
        val hint = "a letter, then letters, digits, _ and - only: settings say {${entry.name}} for its address"
        when {
            !NAME.matches(entry.name) -> Unit

            // A variant's name says so already.
            !SERVICE_NAME.matches(entry.name) -> entry.problem("`${entry.name}` cannot be the name of a service", hint)

            entry.name in TAKEN -> entry.problem(
                "`${entry.name}` cannot be the name of a service",
                "the word is taken; choose another",
            )
        }
    }
}

private val BRACES = Regex("""\{([A-Za-z][A-Za-z0-9_.-]*)}""")

/** Whether words in braces, in what a variant is told, stand for something that [services] offer. */
internal class Placeholders(private val services: List<Service>) {
    private val known = services.flatMap { it.placeholders }

    /**
     * `settings` and `env` by their values, `jvm` item by item. Other words in braces are the application's own, unless near to
     * ours.
     */
    fun check(variant: Entry) {
        val fields = (variant.value.node as? MapNode)?.let { Fields(variant.value, it) } ?: return
        if (known.isEmpty()) return
        val values = listOf(VariantKeys.settings, VariantKeys.env).mapNotNull(fields::at).filter { it.node is MapNode }
            .flatMap { it.entries().orEmpty() }.map { it.value }
        val told = values + fields.at(VariantKeys.jvm)?.takeIf { it.node is ListNode }?.list().orEmpty()
        told.forEach(::checkText)
    }

    private fun checkText(cursor: Cursor) {
        val text = (cursor.node as? TextNode)?.text ?: return
        BRACES.findAll(text).map { it.groupValues[1] }.filter { it !in known }.forEach { word ->
            val ofService = services.any { word.startsWith("${it.name}.") }
            val hint = suggestion(word, known, "there are")
            if (ofService ||
                hint?.startsWith("did you mean") == true
            ) {
                cursor.problem("{$word} is nothing that a service offers", hint)
            }
        }
    }
}
