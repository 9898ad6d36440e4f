package bootdyno.plan

import bootdyno.model.Bytes
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonObjectBuilder
import kotlinx.serialization.json.add
import kotlinx.serialization.json.buildJsonObject
import kotlinx.serialization.json.put
import kotlinx.serialization.json.putJsonArray
import kotlinx.serialization.serializer
import kotlin.enums.enumEntries
import kotlin.time.Duration

/** A single value. */
internal class Scalar<V : Any>(
    override val words: String,
    override val schema: JsonObject,
    private val text: (V) -> String,
    private val understand: (Cursor) -> V?,
) : Type<V, V>() {
    override fun read(cursor: Cursor) = understand(cursor)

    override fun write(value: V) = TextNode(text(value), NOWHERE)

    /** Or [word], which means [value]. */
    fun or(word: String, value: V): Scalar<V> = Scalar(
        "$words, or `$word`",
        anyOf(schema, enum(listOf(word))),
        { if (it == value) word else text(it) },
        { if ((it.node as? TextNode)?.text == word) value else understand(it) },
    )
}

/** A single value of any YAML type, as text. */
internal val TEXT = text("text", Cursor::text)

internal fun text(words: String, read: (Cursor) -> String?) = Scalar(
    words,
    buildJsonObject {
        putJsonArray("type") { listOf("string", "number", "boolean").forEach { add(it) } }
    },
    { it },
    read,
)

internal val FLAG = Scalar("`true` or `false`", typed("boolean"), Boolean::toString) {
    it.oneOf(mapOf("true" to true, "false" to false))
}

/** One of [words]. [old] words mean the same and are no longer written. */
internal fun <V : Any> choice(words: Map<String, V>, old: Map<String, V> = emptyMap()) = Scalar(
    words.keys.joinToString(", ") { "`$it`" },
    enum(words.keys),
    { value -> words.entries.first { it.value == value }.key },
    { it.oneOf(words, old) },
)

/** The constants of an enum by their serial names. */
internal inline fun <reified E : Enum<E>> words(): Map<String, E> =
    enumEntries<E>().associateBy { serializer<E>().descriptor.getElementName(it.ordinal) }

internal fun wholeNumber(range: IntRange) = Scalar(
    "a whole number ${words(range)}",
    typed("integer") {
        put("minimum", range.first)
        put("maximum", range.last)
    },
    Int::toString,
) { cursor -> cursor.value("a whole number ${words(range)}") { text -> text.toIntOrNull()?.takeIf { it in range } } }

/** `NaN` is in no range. */
internal fun number(range: ClosedFloatingPointRange<Double>) = Scalar(
    "a number ${words(range)}",
    typed("number") {
        put("minimum", range.start)
        put("maximum", range.endInclusive)
    },
    ::plainText,
) { cursor -> cursor.value("a number ${words(range)}") { text -> text.toDoubleOrNull()?.takeIf { it in range } } }

internal fun duration(range: ClosedRange<Duration>) = Scalar(
    "a duration ${words(range)}",
    formed("^[0-9]+([.][0-9]+)? *(h|min|s|ms|µs|us|ns)$"),
    Duration::toText,
) { cursor ->
    cursor.value("a duration ${words(range)}", "write a number and a unit: 30 s, 500 ms, 2 min") { text ->
        parseDuration(text)?.takeIf { it in range }
    }
}

internal fun bytes(range: ClosedRange<Bytes>) = Scalar(
    "an amount of memory ${words(range)}",
    formed("^[0-9]+([.][0-9]+)? *(GiB|MiB|KiB|B)$"),
    Bytes::toText,
) { cursor ->
    cursor.value("an amount of memory ${words(range)}", "write a number and a binary unit: 1 GiB, 512 MiB") { text ->
        parseBytes(text)?.takeIf { it in range }
    }
}

internal fun percentage(range: ClosedFloatingPointRange<Double>, hint: String): Scalar<Double> {
    val words = "a percentage from ${percentText(range.start)} to ${percentText(range.endInclusive)}"
    return Scalar(words, formed("^[0-9.]+ *%$"), ::percentText) { cursor ->
        cursor.value(words, hint) { text -> parsePercent(text)?.takeIf { it in range } }
    }
}

internal class ListOf<R : Any, W>(private val item: Type<R, W>) : Type<List<R>, List<W>>() {
    override val words = "a list of ${item.words}"
    override val schema get() = typed("array") { put("items", item.schema) }

    override fun read(cursor: Cursor) = cursor.list()?.mapNotNull(item::read)

    override fun write(value: List<W>) = ListNode(value.map(item::write), NOWHERE)

    override fun renamed(node: Node, problems: Problems) =
        if (node is ListNode) node.copy(items = node.items.map { item.renamed(it, problems) }) else node
}

/** One value, or a list of them; a list of one is written as the value. */
internal class OneOrMore<R : Any, W>(private val item: Type<R, W>) : Type<List<R>, List<W>>() {
    private val list = ListOf(item)
    override val words = "${item.words}, or a list"
    override val schema get() = anyOf(item.schema, list.schema)

    override fun read(cursor: Cursor) = if (cursor.node is ListNode) list.read(cursor) else listOfNotNull(item.read(cursor))

    override fun write(value: List<W>) = value.singleOrNull()?.let(item::write) ?: list.write(value)
}

/** A map whose keys are names that the file's author chooses. A name without a value takes an inherited value away. */
internal class MapOf<R : Any, W>(
    private val value: Type<R, W>,
    private val name: String = "name",
    private val names: JsonObject? = null,
) : Type<Map<String, R>, Map<String, W>>() {
    override val words get() = "$name → ${value.words}"
    override val schema
        get() = typed("object") {
            put("additionalProperties", anyOf(value.schema, typed("null")))
            if (names != null) put("propertyNames", names)
        }

    override fun read(cursor: Cursor) =
        cursor.entries()?.mapNotNull { entry -> value.read(entry.value)?.let { entry.name to it } }?.toMap()

    override fun write(value: Map<String, W>) =
        MapNode(value.map { (name, one) -> Field(name, NOWHERE, this.value.write(one)) }, NOWHERE)

    override fun renamed(node: Node, problems: Problems) =
        if (node is MapNode) node.copy(fields = node.fields.map { it.copy(value = value.renamed(it.value, problems)) }) else node
}

internal val TEXTS = ListOf(TEXT)
internal val TEXTS_BY_NAME = MapOf(TEXT)

/** One of several types, which its reader tells apart by the node. */
internal class Either<W>(private vararg val types: Type<*, *>, private val make: (W) -> Node) : Type<Cursor, W>() {
    override val words get() = types.joinToString(", or ") { it.words }
    override val schema get() = anyOf(*types.map { it.schema }.toTypedArray())

    override fun read(cursor: Cursor) = cursor

    override fun write(value: W) = make(value)

    override fun renamed(node: Node, problems: Problems) = types.fold(node) { so, type -> type.renamed(so, problems) }
}

/** One that its reader understands by itself. */
internal class Raw<W>(override val words: String, override val schema: JsonObject, private val make: (W) -> Node) :
    Type<Cursor, W>() {
    override fun read(cursor: Cursor) = cursor

    override fun write(value: W) = make(value)
}

internal fun typed(type: String, more: JsonObjectBuilder.() -> Unit = {}) = buildJsonObject {
    put("type", type)
    more()
}

/** Text of the form [pattern], a regular expression. */
internal fun formed(pattern: String) = typed("string") { put("pattern", pattern) }

internal fun enum(words: Collection<String>) = typed("string") { putJsonArray("enum") { words.forEach { add(it) } } }

internal fun anyOf(vararg choices: JsonObject) = buildJsonObject { putJsonArray("anyOf") { choices.forEach { add(it) } } }
