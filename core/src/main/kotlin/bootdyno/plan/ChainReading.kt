package bootdyno.plan

import bootdyno.model.Expectation
import bootdyno.model.JsonPath
import bootdyno.model.Step
import bootdyno.model.placeholders

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
        ((entry.value.node as? MapNode)?.get(StepKeys.capture.name) as? MapNode)?.fields.orEmpty().map { it.name }

    private fun step(entry: Entry, names: Names?): Step? {
        if (!STEP_NAME.matches(entry.name)) {
            entry.problem(
                "`${entry.name}` cannot be a step's name",
                "letters, digits, _ and - only: measures are called create.throughput",
            )
        }
        val fields = StepKeys.read(entry.value) ?: return null
        val method = fields.exactlyOne(StepKeys.kinds)
        val path = method?.let(fields::at)?.also { checkPath(it, parameters) }?.text()
        val own = fields.at(StepKeys.headers)?.let { headersOf(it, parameters) }.orEmpty()
        val capture = fields.at(StepKeys.capture)?.let(::captures).orEmpty()
        if (method == null || path == null) return null
        if (method.name == "head" && capture.isNotEmpty()) {
            fields.at(StepKeys.capture)?.problem("an answer to HEAD has no body to capture from")
        }
        val inherited = headers.filterKeys { name -> own.keys.none { it.equals(name, ignoreCase = true) } }
        if (names != null) {
            listOf(method, StepKeys.headers, StepKeys.body, StepKeys.expect).mapNotNull(fields::at)
                .forEach { checkBelow(it, entry.name, names) }
            inherited.values.forEach { checkText(it, entry.value, entry.name, names) }
        }
        val expect = fields[StepKeys.expect] ?: Expectation()
        return Step(entry.name, method.name.uppercase(), path, inherited + own, fields[StepKeys.body], expect, capture)
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
