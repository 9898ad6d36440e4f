package bootdyno.plan

import bootdyno.model.Service

/** A service's log lies beside these in a trial's folder, and `{port}` is a word of commands already. */
private val TAKEN = setOf("subject", "engine", "port")
private val SERVICE_NAME = Regex("[A-Za-z][A-Za-z0-9_-]*")
private val BRACES = Regex("""\{([A-Za-z][A-Za-z0-9_.-]*)}""")

/** Reads what subjects call: a service is declared as one of the [variants] is, and started like one. */
internal fun readService(entry: Entry, variants: VariantReading): Service? {
    val hint = "a letter, then letters, digits, _ and - only: settings say {${entry.name}} for its address"
    val wrong = "`${entry.name}` cannot be the name of a service"
    when {
        // A variant's name says so already.
        !NAME.matches(entry.name) -> Unit

        !SERVICE_NAME.matches(entry.name) -> entry.problem(wrong, hint)

        entry.name in TAKEN -> entry.problem(wrong, "the word is taken; choose another")
    }
    entry.value.at(VariantKeys.runtime)
        ?.problem("has no effect: a service runs as its plain jar", "a service is not what is compared")
    return variants.read(entry)?.let { Service(it.variant, it.subject) }
}

/**
 * Whether words in braces, in what [variant] is told, stand for something that [services] offer: `settings` and `env` by their values,
 * `jvm` item by item. Other words in braces are the application's own, unless near to ours.
 */
internal fun checkPlaceholders(variant: Cursor, services: List<Service>) {
    val known = services.flatMap { it.placeholders }
    if (known.isEmpty()) return
    val values = listOf(VariantKeys.settings, VariantKeys.env).mapNotNull(variant::at).flatMap { it.entries().orEmpty() }
    (values.map { it.value } + variant.at(VariantKeys.jvm)?.list().orEmpty()).forEach { told ->
        val text = (told.node as? TextNode)?.text.orEmpty()
        BRACES.findAll(text).map { it.groupValues[1] }.filter { it !in known }.forEach { word ->
            val hint = suggestion(word, known, "there are").orEmpty()
            val isOurs = hint.startsWith("did you mean") || services.any { word.startsWith("${it.name}.") }
            if (isOurs) told.problem("{$word} is nothing that a service offers", hint)
        }
    }
}
