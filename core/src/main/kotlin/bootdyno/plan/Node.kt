package bootdyno.plan

/** Where a value was written. Line and column count from 1; null for values that come from a flag. */
internal data class Place(val file: String, val line: Int? = null, val column: Int? = null)

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

    /** This map with [value] under [name], in the old position when there was one. */
    fun with(name: String, place: Place, value: Node): MapNode {
        val field = Field(name, place, value)
        val known = fields.any { it.name == name }
        return copy(fields = if (known) fields.map { if (it.name == name) field else it } else fields + field)
    }

    fun without(name: String): MapNode = copy(fields = fields.filter { it.name != name })

    fun mapFields(change: (Field) -> Field): MapNode = copy(fields = fields.map(change))

    companion object {
        val EMPTY = MapNode(emptyList(), NOWHERE)
    }
}

/** A key with its own place, and its value. */
internal data class Field(val name: String, val place: Place, val value: Node)
