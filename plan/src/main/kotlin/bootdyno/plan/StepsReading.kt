package bootdyno.plan

import bootdyno.keys.OperationKeys
import bootdyno.keys.StepKeys
import bootdyno.keys.hostOf
import bootdyno.keys.pathFault
import bootdyno.model.BrokenCsv
import bootdyno.model.CapturePlace
import bootdyno.model.DataFile
import bootdyno.model.Expectation
import bootdyno.model.Step
import bootdyno.model.placeholders
import bootdyno.model.readCsv
import bootdyno.yaml.Cursor
import bootdyno.yaml.EmptyNode
import bootdyno.yaml.Entry
import bootdyno.yaml.ListNode
import bootdyno.yaml.MapNode
import bootdyno.yaml.Node
import bootdyno.yaml.TextNode
import bootdyno.yaml.suggestion

/** Part of a measure's name (`create.throughput`), so it has no dots. */
private val STEP_NAME = Regex("[A-Za-z0-9][A-Za-z0-9_-]*")
private val CAPTURE_NAME = Regex("[A-Za-z][A-Za-z0-9_-]*")

/**
 * Reads the steps of a chain, or the operations of a mix, in the order of the file. [known]: names with a value before the first step, which
 * are parameters and data columns; null if the data file could not be read. [headers] apply to every step that does not override them.
 */
internal class StepsReading(
    private val isMix: Boolean,
    private val known: Set<String>?,
    private val headers: Map<String, String>,
    private val parameters: Parameters,
    /** Whether the steps are a login, which may send some to other servers. */
    private val isLogin: Boolean = false,
) {
    /** The names that the steps at [cursor] capture, also by invalid places. */
    fun capturedBy(cursor: Cursor): List<String> = (cursor.node as? MapNode)?.fields.orEmpty().flatMap { capturesOf(it.value) }

    /** Null after a problem, without steps. */
    fun read(cursor: Cursor): List<Step>? {
        val entries = cursor.entries() ?: return null
        if (entries.isEmpty()) return cursor.problem("is empty", if (isMix) MIX_HINT else CHAIN_HINT)
        val capturing = entries.associate { it.name to capturesOf(it.value.node) }
        val read = entries.mapIndexedNotNull { index, entry ->
            val earlier = if (isMix) emptyList() else entries.take(index).flatMap { capturing.getValue(it.name) }
            step(entry, known?.let { Names(it + earlier, capturing) })
        }
        return read.takeIf { it.size == entries.size }
    }

    /** Names for placeholders, and the names that each step captures. */
    private class Names(val known: Set<String>, val capturing: Map<String, List<String>>)

    /** Includes invalid captures, so that one wrong capture does not make every later placeholder wrong. */
    private fun capturesOf(step: Node): List<String> =
        ((step as? MapNode)?.get(StepKeys.capture.name) as? MapNode)?.fields.orEmpty().map { it.name }

    private fun step(entry: Entry, names: Names?): Step? {
        if (!STEP_NAME.matches(entry.name)) {
            val hint = "letters, digits, _ and - only: measures are called create.throughput"
            entry.problem("`${entry.name}` cannot be the name of ${if (isMix) "an operation" else "a step"}", hint)
        }
        val keys = if (isMix) OperationKeys else StepKeys
        val fields = keys.read(entry.value) ?: return null
        val method = fields.exactlyOne(keys.methods)
        val path = method?.let(fields::at)?.let { if (isLogin && isUrl(it)) urlOf(it) else pathOf(it, parameters) }
        val own = fields.at(keys.headers)?.let { headersOf(it, parameters) }.orEmpty()
        val captures = fields.at(StepKeys.capture)
        captures?.entries()?.forEach(::checkName)
        if (method == null || path == null) return null
        val capture = fields[StepKeys.capture].orEmpty()
        if (method.name == "head" && capture.values.any { CapturePlace.parse(it)?.isHeader == false }) {
            captures?.problem("an answer to HEAD has no body to capture from")
        }
        val inherited = headers.filterKeys { name -> own.keys.none { it.equals(name, ignoreCase = true) } }
        val expect = fields[keys.expect] ?: Expectation()
        val weight = fields[OperationKeys.weight]
        val step = Step(entry.name, method.name.uppercase(), path, inherited + own, fields[keys.body], expect, capture, weight)
        if (step.isElsewhere) {
            checkSentOnce(step, entry)
        } else if (names != null) {
            listOf(method, keys.headers, keys.body, keys.expect).mapNotNull(fields::at)
                .forEach { checkBelow(it, entry.name, names) }
            inherited.values.forEach { checkText(it, entry.value, entry.name, names) }
        }
        return step
    }

    private fun isUrl(cursor: Cursor): Boolean = (cursor.node as? TextNode)?.text?.let { Step("", path = it).isElsewhere } == true

    /** A whole URL. Problems do not repeat it, because it may contain a password. */
    private fun urlOf(cursor: Cursor): String? = cursor.text()?.also { url ->
        val base = url.substringBefore("://") + "://" + url.substringAfter("://").substringBefore('/')
        val path = url.removePrefix(base).ifEmpty { "/" }
        val fault = if (hostOf(base) == null) "is not the address of a server" else pathFault(path)
        if (fault != null) cursor.problem("the URL $fault", "write https://auth.example.com/token")
    }

    private fun checkSentOnce(step: Step, entry: Entry) =
        step.texts.flatMap(::placeholders).distinct().filter { it !in parameters.names }.forEach {
            entry.problem(
                "{$it} is unknown here",
                "a request to another server is sent once for all users, and takes parameters only",
            )
        }

    private fun checkName(capture: Entry) {
        val name = capture.name
        if (!CAPTURE_NAME.matches(name)) {
            capture.problem("`$name` cannot be a name", "a letter first, then letters, digits, _ and -")
        } else if (known != null && name in known) {
            capture.problem("`$name` is a parameter or a column already", "capture it under another name")
        }
    }

    /** Checks the placeholders of every text below [cursor]. */
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
            cursor.problem("{$name} is unknown here", why)
        }
}

/** A data file: its absolute [path] and its text. */
data class FoundData(val path: String, val text: String)

/** Reads the CSV file named at [cursor]; null after a problem. [find] searches beside the experiment. */
internal fun readData(cursor: Cursor, parameters: Set<String>, find: (String) -> FoundData?): DataFile? {
    val name = cursor.text() ?: return null
    val found = find(name)
        ?: return cursor.problem("there is no file `$name`", "a CSV file, beside this one; its first line names the columns")
    val table = try {
        readCsv(found.text)
    } catch (broken: BrokenCsv) {
        return cursor.problem(broken.inFile("`$name`"), CSV)
    }
    val twice = table.columns.find { it in parameters }
    if (twice != null) cursor.problem("its column `$twice` is a parameter too", "rename one of the two")
    return DataFile(found.path, table.columns, table.rows.size)
}

private const val CHAIN_HINT = "name its steps in order: create: { post: /person }, read: …"
private const val MIX_HINT = "name its operations: list: { get: /orders, weight: 80 }, create: …"
private const val CSV =
    "values between commas, in double quotes where they have a comma, as many in each line as there are columns"
