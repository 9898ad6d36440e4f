package bootdyno.plan

import kotlin.time.Duration

/**
 * A value and the way to it. Reading it as a type gives the value, or adds a problem and gives null: the caller goes on reading the
 * rest, and nothing is built when there were problems.
 */
internal class Cursor(val node: Node, val path: String, val problems: Problems) {
    fun problem(message: String, hint: String? = null): Nothing? = problems.add(node.place, path, message, hint)

    fun text(): String? = when (node) {
        is TextNode -> node.text
        is EmptyNode -> problem("has no value", "give it one or remove the line")
        is ListNode -> problem("should be one value, not a list")
        is MapNode -> problem("should be one value, not a map")
    }

    /** The text understood by [parse]; [expected] completes "is not …". */
    fun <T : Any> value(expected: String, hint: String? = null, parse: (String) -> T?): T? {
        val text = text() ?: return null
        if (text.length > LONGEST_VALUE) return problem("is longer than ${whole(LONGEST_VALUE.toLong())} characters", hint)
        return parse(text) ?: problem("`$text` is not $expected", hint)
    }

    fun <T : Any> oneOf(words: Map<String, T>): T? {
        val text = text() ?: return null
        return words[text] ?: problem("`$text` is not one of ${words.keys.joinToString(", ")}", suggestion(text, words.keys))
    }

    fun wholeNumber(range: IntRange): Int? =
        value("a whole number ${words(range)}") { text -> text.toIntOrNull()?.takeIf { it in range } }

    fun duration(range: ClosedRange<Duration>): Duration? =
        value("a duration ${words(range)}", "write a number and a unit: 30 s, 500 ms, 2 min") { text ->
            parseDuration(text)?.takeIf { it in range }
        }

    fun list(): List<Cursor>? = when (node) {
        is ListNode -> node.items.mapIndexed { index, item -> Cursor(item, "$path[$index]", problems) }
        is TextNode, is EmptyNode, is MapNode -> problem("should be a list", "write [ a, b ]")
    }

    /** The texts of a list; those that are none are problems and left out. */
    fun texts(): List<String>? = list()?.mapNotNull { it.text() }

    /** The keys of a map that the file's author chooses. */
    fun entries(): List<Entry>? = when (node) {
        is MapNode -> node.fields.map { Entry(it.name, Cursor(it.value, "$path.${it.name}", problems), it.place) }
        is TextNode, is EmptyNode, is ListNode -> problem("should be a map", "write keys and values below it, indented")
    }

    /** A map of names to values; scalars of any YAML type are texts. */
    fun textMap(): Map<String, String>? = entries()?.mapNotNull { entry -> entry.value.text()?.let { entry.name to it } }?.toMap()

    /** The fields of a map whose keys are [known]; others are problems. */
    fun fields(known: List<String>): NamedFields? = when (node) {
        is MapNode -> NamedFields(this, node).also { rejectUnknown(node, known) }
        is TextNode, is EmptyNode, is ListNode -> problem("should be a map with keys such as ${known.take(4).joinToString(", ")}")
    }

    private fun rejectUnknown(map: MapNode, known: List<String>) = map.fields.filter { it.name !in known }.forEach {
        problems.add(it.place, join(path, it.name), "unknown key `${it.name}`", suggestion(it.name, known))
    }
}

/** A key that the file's author chose, with its value. */
internal class Entry(val name: String, val value: Cursor, val place: Place) {
    fun problem(message: String, hint: String? = null): Nothing? = value.problems.add(place, value.path, message, hint)

    /** Whether [name] may stand in a cell's id; a problem when it may not. */
    fun checkName(): Boolean = NAME.matches(name).also { good ->
        if (!good) {
            problem(
                "`$name` cannot be a name",
                "letters, digits and . _ = + - only, since it becomes part of cell ids and file names",
            )
        }
    }
}

/** The fields of a map with known keys, by their names. */
internal class NamedFields(private val cursor: Cursor, private val map: MapNode) {
    operator fun get(key: String): Cursor? = map[key]?.let { Cursor(it, join(cursor.path, key), cursor.problems) }

    /** The one of [keys] that is there; none and several are problems. */
    fun exactlyOne(keys: List<String>): String? {
        val there = keys.filter { map[it] != null }
        val words = keys.joinToString(", ")
        return when (there.size) {
            1 -> there.single()
            0 -> cursor.problem("needs one of $words")
            else -> cursor.problem("has ${there.joinToString(" and ")}: choose one of $words")
        }
    }
}

/** A text as a problem repeats it. */
internal fun shortened(text: String): String = if (text.length > LONGEST_SHOWN) text.take(LONGEST_SHOWN) + "…" else text

private const val LONGEST_SHOWN = 200

internal fun join(path: String, key: String) = if (path.isEmpty()) key else "$path.$key"
