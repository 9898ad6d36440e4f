package bootdyno.yaml

import bootdyno.model.count
import bootdyno.model.redactText

/**
 * One problem of a file or a flag, with its position, its path (`variants.tomcat.subject`) and, if available, a hint.
 *
 * [file] is the flag for values of the command line; [line] and [column] count from 1, and are null for flags.
 */
data class Problem(val file: String, val line: Int?, val column: Int?, val path: String, val message: String, val hint: String?)

/**
 * Collects problems, so that the user sees all of them at once. For one reading, on one thread.
 *
 * @param resolve see [Surroundings.resolve]
 */
internal class Problems(val resolve: (file: String, path: String) -> String = { _, path -> path }) {
    private val found = mutableListOf<Problem>()
    private val warned = linkedSetOf<String>()

    val none: Boolean get() = found.isEmpty()

    /** Sentences for the user. Warnings do not prevent a run. */
    val warnings: List<String> get() = warned.toList()

    /** In the order of files and lines. */
    fun all(): List<Problem> = found.distinct().sortedWith(
        compareBy({ it.line == null }, { it.file }, { it.line }, { it.column }),
    )

    /** Adds a problem; returns null as the value that could not be read. */
    fun add(place: Place, path: String, message: String, hint: String? = null): Nothing? {
        found += Problem(place.file, place.line, place.column, path, redactText(message), hint)
        return null
    }

    fun warnOfOldName(place: Place, old: String, new: String) {
        val where = listOfNotNull(place.file, place.line).joinToString(":")
        warned += "$where: `$old` is now called `$new`. The old name still works."
    }
}

/**
 * A value and its path. Reading it returns the value, or adds a problem and returns null. The caller continues with the rest, and builds
 * nothing if there are problems.
 */
internal class Cursor(val node: Node, val path: String, val problems: Problems) {
    fun problem(message: String, hint: String? = null): Nothing? = problems.add(node.place, path, message, hint)

    fun text(): String? = when (node) {
        is TextNode -> node.text
        is EmptyNode -> shouldBe("one value")
        is ListNode -> problem("should be one value, not a list")
        is MapNode -> problem("should be one value, not a map")
    }

    fun shouldBe(kind: String, hint: String? = null): Nothing? =
        if (node is EmptyNode) problem("has no value", "give it one or leave it out") else problem("should be $kind", hint)

    /** The absolute path of a file that is named here. */
    fun resolve(named: String): String = problems.resolve(node.place.file, named)

    /** The text converted by [parse]; [expected] completes "is not …". */
    fun <T : Any> value(expected: String, hint: String? = null, parse: (String) -> T?): T? {
        val text = text() ?: return null
        if (text.length > LONGEST_VALUE) return problem("is longer than ${count(LONGEST_VALUE)} characters", hint)
        return parse(text) ?: problem("`$text` is not $expected", hint)
    }

    fun <T : Any> oneOf(words: Map<String, T>): T? {
        val text = text() ?: return null
        return words[text] ?: problem("`$text` is not one of ${words.keys.joinToString(", ")}", suggestion(text, words.keys))
    }

    fun list(): List<Cursor>? = when (node) {
        is ListNode -> node.items.mapIndexed { index, item -> Cursor(item, "$path[$index]", problems) }
        is TextNode, is EmptyNode, is MapNode -> shouldBe("a list", "write [ a, b ]")
    }

    /** Entries of a map with free keys. */
    fun entries(): List<Entry>? = when (node) {
        is MapNode -> node.fields.map { Entry(it.name, Cursor(it.value, "$path.${it.name}", problems), it.place) }
        is TextNode, is EmptyNode, is ListNode -> shouldBe("a map", "write keys and values below it, indented")
    }
}

/** A free key with its value. */
internal class Entry(val name: String, val value: Cursor, private val place: Place) {
    /** The key itself, for problems. */
    val key: Cursor get() = Cursor(TextNode(name, place), value.path, value.problems)

    fun problem(message: String, hint: String? = null): Nothing? = key.problem(message, hint)

    fun called(name: String) = Entry(name, value, place)
}

/** [text] shortened for a problem. */
internal fun shortened(text: String): String = if (text.length > LONGEST_SHOWN) text.take(LONGEST_SHOWN) + "…" else text

private const val LONGEST_SHOWN = 200

internal fun join(path: String, key: String) = if (path.isEmpty()) key else "$path.$key"

/** The result of reading: a value, or all problems. */
sealed interface Read<out T> {
    /** [warnings] are sentences for the user. */
    data class Sound<T>(val value: T, val warnings: List<String> = emptyList()) : Read<T>

    data class Unsound(val problems: List<Problem>) : Read<Nothing>
}

/** Maximum length of one parsed value: an address, a gate, a number. */
internal const val LONGEST_VALUE = 8_192
