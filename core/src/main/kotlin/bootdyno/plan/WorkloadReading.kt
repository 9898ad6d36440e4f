package bootdyno.plan

import bootdyno.model.Expectation
import bootdyno.model.Workload
import kotlin.time.Duration

internal val METHODS = listOf("get", "post", "put", "delete", "patch", "head")
internal val WORKLOAD_KEYS = METHODS + listOf("parameters", "warm-up", "holds", "expect", "on", "headers", "body", "calls")
internal val EXPECT_KEYS = listOf("status", "body", "content-type")
private val PLACEHOLDER = Regex("""\{([A-Za-z][A-Za-z0-9_-]*)}""")
private val STATUSES = 100..599

/** Reads workloads; [variants] are the names `on` may use, `*` matching anything. */
internal class WorkloadReading(private val variants: List<String>) {
    /** One workload, or one for each value of a swept parameter; null after a problem. */
    fun read(entry: Entry): List<Workload>? {
        entry.checkName()
        val fields = entry.value.fields(WORKLOAD_KEYS) ?: return null
        val method = fields.exactlyOne(METHODS)
        val path = method?.let { fields[it] }?.let(::pathOf)
        val given = fields["parameters"]
        val parameters = (if (given == null) Parameters.NONE else readParameters(given)) ?: return null
        val warmUp = fields["warm-up"]?.let { warmUp(it, parameters) }.orEmpty()
        val holds = fields["holds"]?.let { holds(it, parameters) }.orEmpty()
        val expect = fields["expect"]?.let(::expect)
        val on = fields["on"]?.let(::on).orEmpty()
        val headers = fields["headers"]?.textMap().orEmpty()
        val body = fields["body"]?.text()
        val calls = fields["calls"]?.wholeNumber(0)
        if (method == null || path == null) return null
        fields[method]?.let { checkPlaceholders(path, parameters, it) }
        return parameters.points(entry.name).mapIndexed { index, at ->
            Workload(
                name = at.name,
                method = method.uppercase(),
                path = path,
                headers = headers,
                body = body,
                parameters = at.parameters,
                warmUpParameters = warmUp,
                expect = expect ?: Expectation(),
                holds = holds.getOrNull(index),
                on = on,
                calls = calls ?: 1,
                point = at.point,
            )
        }
    }

    private fun warmUp(cursor: Cursor, parameters: Parameters): Map<String, String>? {
        cursor.entries()?.filter { it.name !in parameters.names }?.forEach {
            it.problem("`${it.name}` is no parameter of this workload", suggestion(it.name, parameters.names, "parameters"))
        }
        return cursor.textMap()
    }

    /** One time for each value of the axis: a list as long as it, or one text filled with each value's parameters. */
    private fun holds(cursor: Cursor, parameters: Parameters): List<Duration?> = when (cursor.node) {
        is ListNode -> cursor.list().orEmpty().map { it.duration() }.also { times ->
            if (times.size != parameters.size) cursor.problem("has ${times.size} times for ${parameters.size} values")
        }

        is TextNode, is EmptyNode, is MapNode -> heldTimes(cursor, parameters)
    }

    private fun heldTimes(cursor: Cursor, parameters: Parameters): List<Duration?> {
        val written = cursor.text() ?: return emptyList()
        checkPlaceholders(written, parameters, cursor)
        return parameters.sets.map { set -> held(fill(written, set), cursor) }
    }

    private fun held(filled: String, cursor: Cursor): Duration? {
        val unitless = "write a number and a unit: 500 ms, or \"{ms} ms\" with the parameter ms"
        if (PLACEHOLDER.containsMatchIn(filled)) return null
        return parseDuration(filled) ?: cursor.problem("`$filled` is not a duration above 0", unitless)
    }

    private fun fill(text: String, parameters: Map<String, String>) =
        parameters.entries.fold(text) { filled, (name, value) -> filled.replace("{$name}", value) }

    private fun checkPlaceholders(text: String, parameters: Parameters, cursor: Cursor) =
        PLACEHOLDER.findAll(text).map { it.groupValues[1] }.filter { it !in parameters.names }.forEach {
            cursor.problem(
                "{$it} stands for no parameter",
                suggestion(it, parameters.names, "parameters") ?: "add parameters: { $it: … }",
            )
        }

    private fun expect(cursor: Cursor): Expectation? {
        val fields = cursor.fields(EXPECT_KEYS) ?: return null
        val status = fields["status"]?.value("an HTTP status") { text -> text.toIntOrNull()?.takeIf { it in STATUSES } }
        return Expectation(status ?: Expectation().status, fields["body"]?.text(), fields["content-type"]?.text())
    }

    private fun on(cursor: Cursor): List<String>? = cursor.list()?.flatMap { item ->
        val pattern = item.text() ?: return@flatMap emptyList()
        variants.filter { matches(pattern, it) }.ifEmpty {
            item.problem("no variant is called `$pattern`", suggestion(pattern, variants, "variants")) ?: emptyList()
        }
    }?.distinct()
}

/** Whether [text] has the form of [pattern], in which `*` stands for anything. */
internal fun matches(pattern: String, text: String): Boolean =
    Regex(pattern.split('*').joinToString(".*") { Regex.escape(it) }).matches(text)
