package bootdyno.yaml

import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.add
import kotlinx.serialization.json.buildJsonObject
import kotlinx.serialization.json.put
import kotlinx.serialization.json.putJsonObject
import kotlin.properties.PropertyDelegateProvider
import kotlin.properties.ReadOnlyProperty

/**
 * The type of a value in the experiment file: reads it as [R], writes the model's [W], and describes it in the JSON Schema and the
 * documentation.
 */
internal abstract class Type<out R : Any, in W> {
    /** For the documentation's tables: `a duration from 1 ms to 1 h`. */
    abstract val words: String
    abstract val schema: JsonObject

    /** Null after a problem. */
    abstract fun read(cursor: Cursor): R?

    abstract fun write(value: W): Node
}

/** A key of a map in the file. Reader, writer, schema and documentation all use this declaration, see [Shape]. */
internal open class Key<in T, out R : Any>(
    val name: String,
    val type: Type<R, *>,
    val description: String,
    val required: Boolean,
    /** A name that files may still have; null without one. */
    val oldName: String? = null,
    private val node: (T) -> Node?,
) {
    /** Null if there is nothing to write. */
    fun write(value: T): Node? = node(value)?.takeUnless {
        (it is ListNode && it.items.isEmpty()) || (it is MapNode && it.fields.isEmpty())
    }
}

/** A key with a default value. */
internal class KeyWithDefault<in T, R : Any>(
    name: String,
    type: Type<R, R>,
    description: String,
    val default: R,
    node: (T) -> Node?,
) : Key<T, R>(name, type, description, required = false, node = node) {
    val shown: String = (type.write(default) as? TextNode)?.text.orEmpty()
}

/**
 * A map with known keys, read as [R] and written from [W]. Its keys are its properties: `val maxRounds by key(…)` is `max-rounds`.
 *
 * @param whole files that extend another still write it completely, so the schema can require its keys
 */
internal abstract class Shape<R : Any, W>(val noun: String, private val description: String, private val whole: Boolean = false) :
    Type<R, W>() {
    private val declared = mutableListOf<Key<W, *>>()
    val keys: List<Key<W, *>> get() = declared

    /** Alternative keys: exactly one is written; one in a file replaces an inherited other one. */
    open val kinds: List<Key<W, *>> get() = emptyList()

    override val words get() = if (keys.size > SMALL) noun else keys.joinToString(", ", "`{ ", " }`") { it.name }

    /** [get] returns the value for the resolved file; null omits the key. */
    protected fun <S : Any, V : Any> key(
        type: Type<S, V>,
        description: String,
        required: Boolean = false,
        name: String? = null,
        oldName: String? = null,
        get: (W) -> V?,
    ) = declare { property ->
        Key<W, S>(name ?: kebab(property), type, description, required, oldName) { get(it)?.let(type::write) }
    }

    protected fun <V : Any> key(type: Type<V, V>, description: String, default: V, get: (W) -> V?) =
        declare { property -> KeyWithDefault<W, V>(kebab(property), type, description, default) { get(it)?.let(type::write) } }

    private fun <K : Key<W, *>> declare(make: (String) -> K) =
        PropertyDelegateProvider<Any?, ReadOnlyProperty<Any?, K>> { _, property ->
            val key = make(property.name).also(declared::add)
            ReadOnlyProperty { _, _ -> key }
        }

    /** Adds keys that are not properties. */
    protected fun include(keys: Collection<Key<W, *>>) = declared.addAll(keys)

    /** Converts [fields], after all of them were read once to find all problems. Null after a problem. */
    protected abstract fun make(fields: Fields): R?

    override fun read(cursor: Cursor): R? = fields(cursor)?.let { fields ->
        keys.forEach { fields[it] }
        make(fields)
    }

    /** Null, after a problem, if it is not a map. Unknown keys are problems. */
    protected fun fields(cursor: Cursor): Fields? {
        val names = keys.map { it.name }
        val map = cursor.node as? MapNode
            ?: return cursor.shouldBe("a map with keys such as ${names.take(4).joinToString(", ")}")
        map.fields.filter { it.name !in names }.forEach {
            cursor.problems.add(it.place, join(cursor.path, it.name), "unknown key `${it.name}`", suggestion(it.name, names))
        }
        return Fields(cursor)
    }

    override fun write(value: W): MapNode = mapNode(keys.associate { it.name to it.write(value) })

    override val schema
        get() = typed("object") {
            put("description", description)
            putJsonObject("properties") {
                keys.forEach { key ->
                    put(key.name, described(key.type.schema, key.description))
                    key.oldName?.let { old ->
                        put(old, described(JsonObject(mapOf("deprecated" to JsonPrimitive(true))), "Now ${key.name}."))
                    }
                }
            }
            put("additionalProperties", false)
            if (whole) put("required", strings(keys.filter { it.required }.map { it.name }))
            // An extended file may have the required one.
            val pairs = kinds.flatMapIndexed { index, one -> kinds.drop(index + 1).map { listOf(one.name, it.name) } }
            val several = pairs.map { pair -> buildJsonObject { put("required", strings(pair)) } }
            if (pairs.isNotEmpty()) put("not", anyOf(several))
        }
}

/** A shape that returns its fields for further reading. */
internal abstract class OpenShape<W>(noun: String, description: String) : Shape<Fields, W>(noun, description) {
    override fun make(fields: Fields) = fields
}

internal fun kebab(name: String) = name.replace(Regex("[A-Z]")) { "-" + it.value.lowercase() }

private fun described(schema: JsonObject, description: String) =
    JsonObject(mapOf("description" to JsonPrimitive(withoutLinks(description))) + (schema - "description"))

/** [description] without link targets, because editors do not render Markdown. */
internal fun withoutLinks(description: String): String = description.replace(LINK, "$1")

private val LINK = Regex("""\[([^]]+)]\([^)]+\)""")

/** Maps with at most this number of keys are shown by their keys. */
private const val SMALL = 4

/** The value of [key] in a map; null if absent. */
internal fun Cursor.at(key: Key<*, *>): Cursor? =
    (node as? MapNode)?.get(key.name)?.let { Cursor(it, join(path, key.name), problems) }

internal class Fields(private val cursor: Cursor) {
    /** The value of [key] as written; null if absent. */
    fun at(key: Key<*, *>): Cursor? = if (key.required) required(key) else cursor.at(key)

    /** For keys that only some files need; adds a problem if absent. */
    fun required(key: Key<*, *>): Cursor? = cursor.at(key)
        ?: cursor.problems.add(cursor.node.place, join(cursor.path, key.name), "`${key.name}` is missing")

    operator fun <R : Any> get(key: Key<*, R>): R? = at(key)?.let(key.type::read)

    operator fun <R : Any> get(key: KeyWithDefault<*, R>): R = at(key)?.let(key.type::read) ?: key.default

    /** The only present one of [keys]; none and several are problems. */
    fun <K : Key<*, *>> exactlyOne(keys: List<K>): K? {
        val there = keys.filter { cursor.at(it) != null }
        val words = keys.joinToString(", ") { it.name }
        return when (there.size) {
            1 -> there.single()
            0 -> cursor.problem("needs one of $words")
            else -> cursor.problem("has ${there.joinToString(" and ") { it.name }}: choose one of $words")
        }
    }
}
