package bootdyno.plan

/** The place of values that no file holds. */
internal val NOWHERE = Place("command line")

/** Collects the fields of a map in order. */
internal class MapMaking {
    val fields = mutableListOf<Field>()

    fun put(name: String, value: Node) {
        fields += Field(name, NOWHERE, value)
    }

    fun put(key: Key<*, *>, value: Node) = put(key.name, value)

    fun put(key: Key<*, *>, value: String) = put(key.name, TEXT.write(value))
}

internal fun map(fill: MapMaking.() -> Unit): MapNode = MapNode(MapMaking().apply(fill).fields, NOWHERE)
