package bootdyno.plan

import bootdyno.model.Expectation
import bootdyno.model.JsonPath
import bootdyno.model.Step
import bootdyno.model.placeholders

internal const val CHAIN = "chain"
internal val STEP_KEYS = METHODS + listOf("headers", "body", "expect", "capture")

/** Part of a measure's name (`create.throughput`), so without dots. */
private val STEP_NAME = Regex("[A-Za-z0-9][A-Za-z0-9_-]*")
private val CAPTURE_NAME = Regex("[A-Za-z][A-Za-z0-9_-]*")

/**
 * Reads the steps of a chain in the order of the file. [known] are the names that have a value before the first one: parameters and columns
 * of the data, all names when null (of a file that could not be read); [headers] are those of every step, unless it gives its own.
 */
internal class ChainReading(
    private val known: Set<String>?,
    private val headers: Map<String, String>,
    private val parameters: Parameters,
) {
    /** Null after a problem that leaves no steps. */
    fun read(cursor: Cursor): List<Step>? {
        val entries = cursor.entries() ?: return null
        if (entries.isEmpty()) return cursor.problem("is empty", "name its steps in order: create: { post: /person }, read: …")
        val capturing = entries.associate { it.name to capturesOf(it) }
        val read = entries.mapIndexedNotNull { index, entry ->
            val earlier = entries.take(index).flatMap { capturing.getValue(it.name) }
            step(entry, known?.let { Names(it + earlier, capturing) })
        }
        return read.takeIf { it.size == entries.size }
    }

    /** What a placeholder may name at some step, and what each step captures. */
    private class Names(val known: Set<String>, val capturing: Map<String, List<String>>)

    /** Whether they can be read or not: one wrong capture should not make every later placeholder wrong. */
    private fun capturesOf(entry: Entry): List<String> =
        ((entry.value.node as? MapNode)?.get("capture") as? MapNode)?.fields.orEmpty().map { it.name }

    private fun step(entry: Entry, names: Names?): Step? {
        if (!STEP_NAME.matches(entry.name)) {
            entry.problem(
                "`${entry.name}` cannot be a step's name",
                "letters, digits, _ and - only: measures are called create.throughput",
            )
        }
        val fields = entry.value.fields(STEP_KEYS) ?: return null
        val method = fields.exactlyOne(METHODS)
        val path = method?.let { fields[it] }?.also { checkPath(it, parameters) }?.text()
        val own = fields["headers"]?.let { headersOf(it, parameters) }.orEmpty()
        val body = fields["body"]?.text()
        val expect = fields["expect"]?.let(::readExpect)
        val capture = fields["capture"]?.let(::captures).orEmpty()
        if (method == "head" && capture.isNotEmpty()) fields["capture"]?.problem("an answer to HEAD has no body to capture from")
        if (method == null || path == null) return null
        val inherited = headers.filterKeys { name -> own.keys.none { it.equals(name, ignoreCase = true) } }
        if (names != null) {
            listOf(method, "headers", "body", "expect").mapNotNull { fields[it] }.forEach { checkBelow(it, entry.name, names) }
            inherited.values.forEach { checkText(it, entry.value, entry.name, names) }
        }
        return Step(entry.name, method.uppercase(), path, inherited + own, body, expect ?: Expectation(), capture)
    }

    private fun captures(cursor: Cursor): Map<String, String>? = cursor.entries()?.mapNotNull { entry ->
        val path = entry.value.value(
            "a way into a JSON answer",
            "names after dots and places in brackets only: $.persons[0].id",
        ) { text ->
            text.takeIf { JsonPath.parse(it) != null }
        }
        when {
            !CAPTURE_NAME.matches(entry.name) ->
                entry.problem("`${entry.name}` cannot be a name", "a letter first, then letters, digits, _ and -")

            known != null && entry.name in known -> entry.problem(
                "`${entry.name}` is a parameter or a column already",
                "capture it under another name",
            )

            else -> path?.let { entry.name to it }
        }
    }?.toMap()

    /** In every text below [cursor]. */
    private fun checkBelow(cursor: Cursor, step: String, names: Names) {
        when (cursor.node) {
            is TextNode -> checkText(cursor.node.text, cursor, step, names)
            is MapNode -> cursor.entries().orEmpty().forEach { checkBelow(it.value, step, names) }
            is ListNode, is EmptyNode -> Unit
        }
    }

    private fun checkText(text: String, cursor: Cursor, step: String, names: Names) =
        placeholders(text).distinct().filter { it !in names.known }.forEach { name ->
            val capturers = names.capturing.filterValues { name in it }.keys
            val why = when {
                step in capturers -> "only this step's own answer gives it"

                capturers.isNotEmpty() -> "only `${capturers.first()}` captures it, which comes later"

                else -> suggestion(name, names.known, "known here")
                    ?: "name a parameter, a column of the data, or what an earlier step captures"
            }
            cursor.problem("{$name} stands for nothing here", why)
        }
}
