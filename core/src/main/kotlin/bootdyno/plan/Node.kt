package bootdyno.plan

/** Where a value was written. Line and column count from 1; null for values that come from a flag. */
internal data class Place(val file: String, val line: Int? = null, val column: Int? = null)

/** The place of values that no file holds. */
internal val NOWHERE = Place("command line")

/** A value of a YAML file that remembers its file: files extend each other, and a problem must name the right one. */
internal sealed interface Node {
    val place: Place
}

/** Any single value. YAML's own types do not matter: `true`, `200` and `text` are texts that a reader understands. */
internal data class TextNode(val text: String, override val place: Place) : Node

internal data class EmptyNode(override val place: Place) : Node

internal data class ListNode(val items: List<Node>, override val place: Place) : Node

internal data class MapNode(val fields: List<Field>, override val place: Place) : Node {
    operator fun get(name: String): Node? = fields.find { it.name == name }?.value

    fun without(name: String): MapNode = copy(fields = fields.filter { it.name != name })
}

/** A key with its own place, and its value. */
internal data class Field(val name: String, val place: Place, val value: Node)

/** A map that no file holds; what is null is left out. */
internal fun mapNode(fields: Map<String, Node?>) =
    MapNode(fields.mapNotNull { (name, value) -> value?.let { Field(name, NOWHERE, it) } }, NOWHERE)
