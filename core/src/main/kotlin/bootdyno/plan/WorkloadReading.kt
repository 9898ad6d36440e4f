package bootdyno.plan

import bootdyno.model.Expectation
import bootdyno.model.Workload
import kotlin.time.Duration

internal val METHODS = listOf("get", "post", "put", "delete", "patch", "head")
internal val WORKLOAD_KEYS = METHODS + listOf("parameters", "warm-up", "holds", "expect", "on", "headers", "body")
internal val EXPECT_KEYS = listOf("status", "body", "content-type")
private val PLACEHOLDER = Regex("""\{([A-Za-z][A-Za-z0-9_-]*)}""")
private val STATUSES = 100..599

/** Reads workloads; [variants] are the names `on` may use, `*` matching anything. */
internal class WorkloadReading(private val variants: List<String>) {
    fun read(entry: Entry): Workload? {
        entry.checkName()
        val fields = entry.value.fields(WORKLOAD_KEYS) ?: return null
        val method = fields.exactlyOne(METHODS)
        val path = method?.let { fields[it] }?.let(::pathOf)
        val parameters = fields["parameters"]?.let(::parameters).orEmpty()
        val warmUp = fields["warm-up"]?.let { warmUp(it, parameters) }.orEmpty()
        val holds = fields["holds"]?.let { holds(it, parameters) }
        val expect = fields["expect"]?.let(::expect)
        val on = fields["on"]?.let(::on).orEmpty()
        val headers = fields["headers"]?.textMap().orEmpty()
        val body = fields["body"]?.text()
        if (method == null || path == null) return null
        fields[method]?.let { checkPlaceholders(path, parameters, it) }
        return Workload(
            name = entry.name,
            method = method.uppercase(),
            path = path,
            headers = headers,
            body = body,
            parameters = parameters,
            warmUpParameters = warmUp,
            expect = expect ?: Expectation(),
            holds = holds,
            on = on,
        )
    }

    private fun parameters(cursor: Cursor): Map<String, String>? =
        cursor.entries()?.mapNotNull { entry -> parameter(entry)?.let { entry.name to it } }?.toMap()

    private fun parameter(entry: Entry): String? = when (entry.value.node) {
        is ListNode -> entry.value.problem("a parameter has one value for now, not a list", "write one workload for each value")
        is TextNode, is EmptyNode, is MapNode -> entry.value.text()
    }

    private fun warmUp(cursor: Cursor, parameters: Map<String, String>): Map<String, String>? {
        cursor.entries()?.filter { it.name !in parameters }?.forEach {
            it.problem("`${it.name}` is no parameter of this workload", suggestion(it.name, parameters.keys, "parameters"))
        }
        return cursor.textMap()
    }

    private fun holds(cursor: Cursor, parameters: Map<String, String>): Duration? {
        val written = cursor.text() ?: return null
        checkPlaceholders(written, parameters, cursor)
        val filled = fill(written, parameters)
        val unitless = "write a number and a unit: 500 ms, or \"{ms} ms\" with the parameter ms"
        return if (PLACEHOLDER.containsMatchIn(filled)) {
            null
        } else {
            parseDuration(filled)
                ?: cursor.problem("`$filled` is not a duration above 0", unitless)
        }
    }

    private fun fill(text: String, parameters: Map<String, String>) =
        parameters.entries.fold(text) { filled, (name, value) -> filled.replace("{$name}", value) }

    private fun checkPlaceholders(text: String, parameters: Map<String, String>, cursor: Cursor) =
        PLACEHOLDER.findAll(text).map { it.groupValues[1] }.filter { it !in parameters }.forEach {
            cursor.problem(
                "{$it} stands for no parameter",
                suggestion(it, parameters.keys, "parameters") ?: "add parameters: { $it: … }",
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
