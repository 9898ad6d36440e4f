package bootdyno.plan

/** The place of values that no file holds. */
internal val NOWHERE = Place("command line")

/** Collects the fields of a map in order. */
internal class MapMaking {
    val fields = mutableListOf<Field>()

    /** Leaves the key out when there is no [value]. */
    fun put(name: String, value: Node?) {
        if (value != null) fields += Field(name, NOWHERE, value)
    }

    fun put(name: String, value: String?) = put(name, value?.let(::text))
}

internal fun map(fill: MapMaking.() -> Unit): MapNode = MapNode(MapMaking().apply(fill).fields, NOWHERE)

/** The map, or null when it has no fields. */
internal fun MapNode.unlessEmpty(): MapNode? = takeIf { it.fields.isNotEmpty() }

internal fun text(text: String) = TextNode(text, NOWHERE)

/** Null when there is nothing to list, which leaves the key out. */
internal fun texts(texts: List<String>): ListNode? = texts.ifEmpty { null }?.let { ListNode(it.map(::text), NOWHERE) }

internal fun texts(texts: Map<String, String>): MapNode? = map {
    texts.forEach { (name, value) -> put(name, value) }
}.unlessEmpty()

/** The word that stands for [value] in files. */
internal fun <T> word(words: Map<String, T>, value: T): String = words.entries.first { it.value == value }.key
