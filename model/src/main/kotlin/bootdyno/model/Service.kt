package bootdyno.model

import kotlinx.serialization.Serializable

/**
 * An HTTP server that subjects call. Each trial of a variant that [mentions][isMentionedBy] it starts a new one, like a subject.
 */
@Serializable
data class Service(val variant: Variant, val subject: Subject) {
    val name: String get() = variant.name

    /**
     * Placeholders for its address in a variant's settings, replaced at run time: `{downstream}` is `http://127.0.0.1:40001`;
     * `{downstream.host}` and `{downstream.port}` are its parts.
     */
    val placeholders: List<String> get() = listOf(name, "$name.host", "$name.port")
}

/** Whether a setting of [variant], or the command of [subject], contains a placeholder of this service. */
fun Service.isMentionedBy(variant: Variant, subject: Subject): Boolean =
    placeholders.any { word -> (variant.texts + subject.words).any { "{$word}" in it } }

/** This cell with placeholders replaced by their [addresses] in its variant and its command. */
fun Cell.reaching(addresses: Map<String, String>): Cell {
    if (addresses.isEmpty()) return this
    fun filled(text: String): String = filled(text, addresses)
    return copy(
        variant = variant.copy(
            settings = variant.settings.mapValues { filled(it.value) },
            jvm = variant.jvm.map(::filled),
            environment = variant.environment.mapValues { filled(it.value) },
        ),
        subject = when (val origin = subject.origin) {
            is Origin.Command -> subject.copy(origin = Origin.Command(origin.words.map(::filled)))
            is Origin.Jar, is Origin.Image, is Origin.Url -> subject
        },
    )
}

private val Variant.texts: List<String> get() = settings.values + jvm + environment.values

private val Subject.words: List<String>
    get() = when (origin) {
        is Origin.Command -> origin.words
        is Origin.Jar, is Origin.Image, is Origin.Url -> emptyList()
    }
