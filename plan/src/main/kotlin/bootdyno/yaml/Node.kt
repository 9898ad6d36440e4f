package bootdyno.yaml

/** The position of a value in a file. Line and column count from 1; null for values of flags. */
internal data class Place(val file: String, val line: Int? = null, val column: Int? = null)

/** The place of values without a file. */
internal val NOWHERE = Place("command line")

/** A YAML value with its position, because files extend each other and problems name the file. */
internal sealed interface Node {
    val place: Place
}

/** A single value. YAML's own types are ignored: `true`, `200` and `text` are texts. */
internal data class TextNode(val text: String, override val place: Place) : Node

internal data class EmptyNode(override val place: Place) : Node

internal data class ListNode(val items: List<Node>, override val place: Place) : Node

internal data class MapNode(val fields: List<Field>, override val place: Place) : Node {
    operator fun get(name: String): Node? = fields.find { it.name == name }?.value

    fun without(name: String): MapNode = copy(fields = fields.filter { it.name != name })
}

internal data class Field(val name: String, val place: Place, val value: Node)

/** A map without a file; null values are omitted. */
internal fun mapNode(fields: Map<String, Node?>) =
    MapNode(fields.mapNotNull { (name, value) -> value?.let { Field(name, NOWHERE, it) } }, NOWHERE)
