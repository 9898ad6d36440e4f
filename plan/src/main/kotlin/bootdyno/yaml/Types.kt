package bootdyno.yaml

import bootdyno.model.Bytes
import bootdyno.model.Worded
import bootdyno.model.count
import bootdyno.model.plainText
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonObjectBuilder
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.buildJsonObject
import kotlinx.serialization.json.put
import kotlin.enums.enumEntries
import kotlin.time.Duration

internal class Scalar<V : Any>(
    override val words: String,
    override val schema: JsonObject,
    private val text: (V) -> String,
    private val understand: (Cursor) -> V?,
) : Type<V, V>() {
    override fun read(cursor: Cursor) = understand(cursor)

    override fun write(value: V) = TextNode(text(value), NOWHERE)

    /** The same text, with its value converted by [make]. */
    fun <T : Any> of(make: (V) -> T, value: (T) -> V): Scalar<T> =
        Scalar(words, schema, { text(value(it)) }) { understand(it)?.let(make) }

    /** Also accepts [word], which stands for [value]. */
    fun or(word: String, value: V): Scalar<V> = Scalar(
        "$words, or `$word`",
        anyOf(listOf(schema, oneOf(listOf(word)))),
        { if (it == value) word else text(it) },
        { if ((it.node as? TextNode)?.text == word) value else understand(it) },
    )
}

private val SINGLE = buildJsonObject { put("type", strings(listOf("string", "number", "boolean"))) }

/** A single value of any YAML type, as text. */
internal val TEXT = text("text", Cursor::text)

internal fun text(words: String, read: (Cursor) -> String?) = Scalar(words, SINGLE, { it }, read)

/** The path of a file. Reading makes it absolute; relative paths are relative to the file that they stand in. */
internal val FILE = text("a file") { cursor -> cursor.text()?.let(cursor::resolve) }

/** A text converted by [parse]; [expected] completes "is not …". */
internal fun <V : Any> parsed(
    expected: String,
    schema: JsonObject,
    text: (V) -> String,
    hint: String? = null,
    parse: (String) -> V?,
) = Scalar(expected, schema, text) { it.value(expected, hint, parse) }

internal fun text(expected: String, form: Regex, hint: String? = null) =
    parsed(expected, SINGLE, { it }, hint) { it.takeIf(form::matches) }

internal val FLAG = Scalar("`true` or `false`", typed("boolean"), Boolean::toString) {
    it.oneOf(mapOf("true" to true, "false" to false))
}

internal fun <V : Any> choice(words: Map<String, V>) = Scalar(
    words.keys.joinToString(", ") { "`$it`" },
    oneOf(words.keys),
    { value -> words.entries.first { it.value == value }.key },
    { it.oneOf(words) },
)

/** A constant of an enum, by its [Worded.word]. */
internal inline fun <reified E> choice() where E : Enum<E>, E : Worded = choice(enumEntries<E>().associateBy { it.word })

internal fun wholeNumber(range: IntRange, expected: String = "a whole number ${words(range)}") =
    parsed(expected, limited("integer", range.first, range.last), Int::toString) { text ->
        text.toIntOrNull()?.takeIf { it in range }
    }

/** Rejects `NaN`. */
internal fun number(range: ClosedFloatingPointRange<Double>) =
    parsed("a number ${words(range)}", limited("number", range.start, range.endInclusive), ::plainText) { text ->
        text.toDoubleOrNull()?.takeIf { it in range }
    }

internal fun duration(range: ClosedRange<Duration>): Scalar<Duration> {
    val expected = "a duration ${words(range, Duration::toText)}"
    val hint = "write a number and a unit: 30 s, 500 ms, 2 min"
    val schema = formed("$NUMBER *(h|min|s|ms|µs|us|ns)$")
    return parsed(expected, schema, Duration::toText, hint) { text -> parseDuration(text)?.takeIf { it in range } }
}

internal fun bytes(range: ClosedRange<Bytes>): Scalar<Bytes> {
    val expected = "an amount of memory ${words(range, Bytes::toText)}"
    val hint = "write a number and a binary unit: 1 GiB, 512 MiB"
    return parsed(expected, formed("$NUMBER *(GiB|MiB|KiB|B)$"), Bytes::toText, hint) { text ->
        parseBytes(text)?.takeIf { it in range }
    }
}

internal fun percentage(range: ClosedFloatingPointRange<Double>, hint: String): Scalar<Double> {
    val expected = "a percentage ${words(range, ::percentText)}"
    return parsed(expected, formed("$NUMBER *%$"), ::percentText, hint) { text -> parsePercent(text)?.takeIf { it in range } }
}

private const val NUMBER = "^[0-9]+([.][0-9]+)?"

internal class ListOf<R : Any, W>(private val item: Type<R, W>) : Type<List<R>, List<W>>() {
    override val words = "a list of ${item.words}"
    override val schema get() = typed("array") { put("items", item.schema) }

    override fun read(cursor: Cursor) = cursor.list()?.mapNotNull(item::read)

    override fun write(value: List<W>) = ListNode(value.map(item::write), NOWHERE)
}

/** One value, or a list; a list with one value is written as that value. */
internal class OneOrMore<R : Any, W>(private val item: Type<R, W>) : Type<List<R>, List<W>>() {
    private val list = ListOf(item)
    override val words = "${item.words}, or a list"
    override val schema get() = anyOf(listOf(item.schema, list.schema))

    override fun read(cursor: Cursor) = if (cursor.node is ListNode) list.read(cursor) else listOfNotNull(item.read(cursor))

    override fun write(value: List<W>) = value.singleOrNull()?.let(item::write) ?: list.write(value)
}

/** [swept]: whether [values] were written as a list; otherwise there is one value. */
internal class Swept<out V>(val values: List<V>, val swept: Boolean)

/** One value, or a list with one workload or profile per value; null if a value is invalid. */
internal class OneOrSwept<R : Any, W>(private val item: Type<R, W>) : Type<Swept<R>, Swept<W>>() {
    private val list = ListOf(item)
    override val words = "${item.words}, or a list"
    override val schema get() = anyOf(listOf(item.schema, list.schema))

    override fun read(cursor: Cursor): Swept<R>? {
        val items = if (cursor.node is ListNode) cursor.list().orEmpty() else listOf(cursor)
        return Swept(items.mapNotNull(item::read), cursor.node is ListNode).takeIf { it.values.size == items.size }
    }

    override fun write(value: Swept<W>) = if (value.swept) list.write(value.values) else item.write(value.values.first())
}

/** A map with free keys. A name without a value removes an inherited value. */
internal class MapOf<R : Any, W>(
    private val value: Type<R, W>,
    private val name: String = "name",
    private val names: JsonObject? = null,
) : Type<Map<String, R>, Map<String, W>>() {
    override val words get() = "$name → ${value.words}"
    override val schema
        get() = typed("object") {
            put("additionalProperties", anyOf(listOf(value.schema, typed("null"))))
            if (names != null) put("propertyNames", names)
        }

    override fun read(cursor: Cursor) =
        cursor.entries()?.mapNotNull { entry -> value.read(entry.value)?.let { entry.name to it } }?.toMap()

    override fun write(value: Map<String, W>) = mapNode(value.mapValues { (_, one) -> this.value.write(one) })
}

internal val TEXTS = ListOf(TEXT)
internal val TEXTS_BY_NAME = MapOf(TEXT)

/** A value of one type, or a map of another type. */
internal class Either<R : Any, W>(private val one: Type<R, *>, private val map: Type<R, *>, private val make: (W) -> Node) :
    Type<R, W>() {
    override val words get() = "${one.words}, or ${map.words}"
    override val schema get() = anyOf(listOf(one.schema, map.schema))

    override fun read(cursor: Cursor) = if (cursor.node is MapNode) map.read(cursor) else one.read(cursor)

    override fun write(value: W) = make(value)
}

/** A value that its reader parses; described like [type]. */
internal class Unread<W>(private val type: Type<*, W>, override val words: String = type.words) : Type<Cursor, W>() {
    override val schema get() = type.schema

    override fun read(cursor: Cursor) = cursor

    override fun write(value: W) = type.write(value)
}

internal fun typed(type: String, more: JsonObjectBuilder.() -> Unit = {}) = buildJsonObject {
    put("type", type)
    more()
}

internal fun limited(type: String, least: Number, most: Number) = typed(type) {
    put("minimum", least)
    put("maximum", most)
}

/** Text that matches the regular expression [pattern]. */
internal fun formed(pattern: String) = typed("string") { put("pattern", pattern) }

internal fun oneOf(words: Collection<String>) = typed("string") { put("enum", strings(words)) }

internal fun anyOf(choices: List<JsonObject>) = JsonObject(mapOf("anyOf" to JsonArray(choices)))

internal fun strings(words: Collection<String>) = JsonArray(words.map(::JsonPrimitive))

internal fun <T : Comparable<T>> words(range: ClosedRange<T>, text: (T) -> String) =
    "from ${text(range.start)} to ${text(range.endInclusive)}"

internal fun words(range: IntRange) = words(range) { count(it) }

internal fun words(range: ClosedRange<Double>) = words(range) { if (it % 1.0 == 0.0) count(it.toLong()) else plainText(it) }
