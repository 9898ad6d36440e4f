package bootdyno.plan

import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.add
import kotlinx.serialization.json.buildJsonObject
import kotlinx.serialization.json.put
import kotlinx.serialization.json.putJsonArray
import kotlinx.serialization.json.putJsonObject

/**
 * The type of a value in the experiment file: how it is read as [R], how the model's [W] is written, and what the JSON Schema and the
 * documentation say about it.
 */
internal abstract class Type<out R : Any, in W> {
    /** For the documentation's tables: `a duration from 1 ms to 1 h`. */
    abstract val words: String
    abstract val schema: JsonObject

    /** Null after a problem. */
    abstract fun read(cursor: Cursor): R?

    abstract fun write(value: W): Node

    /** [node] with new keys in place of old ones. */
    open fun renamed(node: Node, problems: Problems): Node = node
}

/** A key of a map in the file. It is declared in one place, its [Shape]; the reader and the writer use that declaration. */
internal open class Key<in T, out R : Any>(
    val name: String,
    val type: Type<R, *>,
    val description: String,
    /** What holds when the key is left out, in words. */
    val absent: String,
    val required: Boolean,
    /** Its name in older files. */
    val old: String?,
    private val node: (T) -> Node?,
) {
    /** Null when the value is empty. */
    fun write(value: T): Node? = node(value)?.takeUnless {
        (it as? ListNode)?.items?.isEmpty() ?: (it as? MapNode)?.fields?.isEmpty() ?: false
    }
}

/** A key with a value even when the file leaves it out. */
internal class KeyWithDefault<in T, R : Any>(
    name: String,
    type: Type<R, R>,
    description: String,
    val default: R,
    node: (T) -> Node?,
) : Key<T, R>(name, type, description, "`${(type.write(default) as TextNode).text}`", required = false, old = null, node)

/**
 * A map with known keys: what the file says about a [T].
 *
 * @param whole a file that extends another writes it whole, so editors may ask for its required keys
 */
internal abstract class Shape<T>(val noun: String, private val description: String, private val whole: Boolean = false) :
    Type<Fields, T>() {
    private val declared = mutableListOf<Key<T, *>>()
    val keys: List<Key<T, *>> get() = declared

    /** Exactly one of these keys is written; one of them in a file replaces an inherited other one. */
    open val kinds: List<Key<T, *>> get() = emptyList()

    override val words get() = if (keys.size > SMALL) noun else keys.joinToString(", ", "`{ ", " }`") { it.name }

    /** [get] gives the value to write into the resolved file; null writes none. */
    protected fun <R : Any, W : Any> key(
        name: String,
        type: Type<R, W>,
        description: String,
        absent: String = "",
        required: Boolean = false,
        old: String? = null,
        get: (T) -> W?,
    ): Key<T, R> = Key<T, R>(name, type, description, absent, required, old) { get(it)?.let(type::write) }.also(declared::add)

    protected fun <V : Any> key(
        name: String,
        type: Type<V, V>,
        description: String,
        default: V,
        get: (T) -> V?,
    ): KeyWithDefault<T, V> = KeyWithDefault<T, V>(name, type, description, default) {
        get(it)?.let(type::write)
    }.also(declared::add)

    /** [keys] of another shape. */
    protected fun include(keys: Collection<Key<T, *>>) = declared.addAll(keys)

    override fun read(cursor: Cursor): Fields? = when (val node = cursor.node) {
        is MapNode -> Fields(cursor, node).also { rejectUnknown(node, cursor) }

        is TextNode, is EmptyNode, is ListNode -> cursor.problem(
            "should be a map with keys such as ${names.take(4).joinToString(", ")}",
        )
    }

    override fun write(value: T): MapNode =
        MapNode(keys.mapNotNull { key -> key.write(value)?.let { Field(key.name, NOWHERE, it) } }, NOWHERE)

    override fun renamed(node: Node, problems: Problems): Node {
        if (node !is MapNode) return node
        return node.copy(
            fields = node.fields.map { field ->
                val key = keys.find { field.name == it.name || field.name == it.old } ?: return@map field
                if (field.name == key.old) checkOldName(node, field, key, problems)
                Field(key.name, field.place, key.type.renamed(field.value, problems))
            },
        )
    }

    private fun checkOldName(map: MapNode, field: Field, key: Key<T, *>, problems: Problems) {
        problems.warnOfOldName(field.place, field.name, key.name)
        if (map[key.name] !=
            null
        ) {
            problems.add(field.place, field.name, "is the old name of `${key.name}`", "remove one of the two")
        }
    }

    private val names get() = keys.map { it.name }

    private fun rejectUnknown(map: MapNode, cursor: Cursor) = map.fields.filter { it.name !in names }.forEach {
        cursor.problems.add(it.place, join(cursor.path, it.name), "unknown key `${it.name}`", suggestion(it.name, names))
    }

    override val schema: JsonObject
        get() = buildJsonObject {
            put("type", "object")
            put("description", description)
            putJsonObject("properties") {
                keys.forEach { key ->
                    put(key.name, described(key.type.schema, key.description))
                    if (key.old != null) put(key.old, outdated(key))
                }
            }
            put("additionalProperties", false)
            val required = keys.filter { it.required }
            if (whole) putJsonArray("required") { required.forEach { add(it.name) } }
            if (kinds.size > 1) putJsonObject("not") { putJsonArray("anyOf") { pairsOfKinds().forEach { add(it) } } }
        }

    private fun pairsOfKinds() = kinds.flatMapIndexed { index, one ->
        kinds.drop(index + 1).map { other ->
            buildJsonObject { putJsonArray("required") { listOf(one.name, other.name).forEach(::add) } }
        }
    }
}

private fun outdated(key: Key<*, *>) = buildJsonObject {
    put("deprecated", true)
    put("description", "Now ${key.name}.")
}

/** Editors show text, not Markdown: [description] without the targets of its links. */
private fun described(schema: JsonObject, description: String) =
    JsonObject(mapOf("description" to JsonPrimitive(description.replace(LINK, "$1"))) + (schema - "description"))

private val LINK = Regex("""\[([^]]+)]\([^)]+\)""")

/** A map of at most so many keys is shown by its keys. */
private const val SMALL = 4

/** The fields of a map with known keys. */
internal class Fields(private val cursor: Cursor, private val map: MapNode) {
    /** The value of [key] as it is written; null when it is left out. */
    fun at(key: Key<*, *>): Cursor? = map[key.name]?.let { Cursor(it, join(cursor.path, key.name), cursor.problems) }
        ?: if (key.required) missing(key) else null

    /** For what only some files need. */
    fun required(key: Key<*, *>): Cursor? = at(key) ?: missing(key)

    private fun missing(key: Key<*, *>) = cursor.problems.add(map.place, join(cursor.path, key.name), "`${key.name}` is missing")

    operator fun <R : Any> get(key: Key<*, R>): R? = at(key)?.let(key.type::read)

    operator fun <R : Any> get(key: KeyWithDefault<*, R>): R = at(key)?.let(key.type::read) ?: key.default

    /** The one of [keys] that is there; none and several are problems. */
    fun <K : Key<*, *>> exactlyOne(keys: List<K>): K? {
        val there = keys.filter { map[it.name] != null }
        val words = keys.joinToString(", ") { it.name }
        return when (there.size) {
            1 -> there.single()
            0 -> cursor.problem("needs one of $words")
            else -> cursor.problem("has ${there.joinToString(" and ") { it.name }}: choose one of $words")
        }
    }
}
