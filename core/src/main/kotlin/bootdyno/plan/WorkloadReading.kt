package bootdyno.plan

import bootdyno.model.DataFile
import bootdyno.model.Expectation
import bootdyno.model.Step
import bootdyno.model.Workload
import kotlin.time.Duration

/** What a chain says of each of its steps, or not at all, and why. */
private fun notOfChains() = mapOf(
    WorkloadKeys.expect to "each step has its own",
    WorkloadKeys.body to "each step has its own",
    WorkloadKeys.holds to "its steps hold what they occupy for different times, so that no law gives its throughput",
)
private val PLACEHOLDER = Regex("""\{([A-Za-z][A-Za-z0-9_-]*)}""")

/** Reads workloads; [variants] are the names `on` may use, `*` matching anything; [data] finds the files of chains. */
internal class WorkloadReading(private val variants: List<String>, private val data: (String) -> FoundData?) {
    /** One workload, or one for each value of a swept parameter; null after a problem. */
    fun read(entry: Entry): List<Workload>? {
        entry.checkName()
        val fields = WorkloadKeys.read(entry.value) ?: return null
        val kind = fields.exactlyOne(WorkloadKeys.kinds)
        val given = fields.at(WorkloadKeys.parameters)
        val parameters = (if (given == null) Parameters.NONE else readParameters(given)) ?: return null
        val warmUp = fields.at(WorkloadKeys.warmUp)?.let { warmUp(it, parameters) }.orEmpty()
        val on = fields.at(WorkloadKeys.on)?.let(::on).orEmpty()
        val headers = fields.at(WorkloadKeys.headers)?.let { headersOf(it, parameters) }.orEmpty()
        val isChain = kind == WorkloadKeys.chain
        if (isChain) {
            notOfChains().forEach { (key, why) ->
                fields.at(key)?.problem("a chain has no `${key.name}` of its own", why)
            }
        }
        val holds = fields.at(WorkloadKeys.holds)?.takeUnless { isChain }?.let { holds(it, parameters) }.orEmpty()
        val asked = if (isChain) chain(fields, parameters, headers) else single(entry.name, kind, fields, parameters, headers)
        if (asked == null) return null
        return parameters.points(entry.name).mapIndexed { index, at ->
            Workload(
                name = at.name,
                steps = asked.steps,
                parameters = at.parameters,
                warmUpParameters = warmUp,
                holds = holds.getOrNull(index),
                on = on,
                calls = fields[WorkloadKeys.calls],
                point = at.point,
                data = asked.data,
            )
        }
    }

    private class Asked(val steps: List<Step>, val data: DataFile? = null)

    /** One step, called as the workload is. */
    private fun single(
        name: String,
        method: Key<*, *>?,
        fields: Fields,
        parameters: Parameters,
        headers: Map<String, String>,
    ): Asked? {
        if (method == null) return null
        fields.at(WorkloadKeys.data)?.problem("only a chain takes values from a file", "write the request as a chain of one step")
        val cursor = fields.at(method) ?: return null
        val path = cursor.text() ?: return null
        checkPlaceholders(path, parameters, cursor)
        checkPath(cursor, parameters)
        val expect = fields[WorkloadKeys.expect] ?: Expectation()
        return Asked(listOf(Step(name, method.name.uppercase(), path, headers, fields[WorkloadKeys.body], expect)))
    }

    private fun chain(fields: Fields, parameters: Parameters, headers: Map<String, String>): Asked? {
        val given = fields.at(WorkloadKeys.data)
        val data = given?.let { readData(it, parameters.names, data) }
        // What a file that cannot be read would have named is not reported as a second problem.
        val known = (parameters.names + data?.columns.orEmpty()).takeIf { given == null || data != null }
        val steps = fields.at(WorkloadKeys.chain)?.let { ChainReading(known, headers, parameters).read(it) } ?: return null
        return Asked(steps, data)
    }

    private fun warmUp(cursor: Cursor, parameters: Parameters): Map<String, String>? {
        cursor.entries()?.filter { it.name !in parameters.names }?.forEach {
            it.problem("`${it.name}` is no parameter of this workload", suggestion(it.name, parameters.names, "parameters"))
        }
        return TEXTS_BY_NAME.read(cursor)
    }

    /** One time for each value of the axis: a list as long as it, or one text filled with each value's parameters. */
    private fun holds(cursor: Cursor, parameters: Parameters): List<Duration?> = when (cursor.node) {
        is ListNode -> cursor.list().orEmpty().map(HOLDING_TIME::read).also { times ->
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
        return parseDuration(filled)?.takeIf { it in HOLDING_TIMES }
            ?: cursor.problem("`$filled` is not a duration ${words(HOLDING_TIMES)}", unitless)
    }

    private fun checkPlaceholders(text: String, parameters: Parameters, cursor: Cursor) =
        PLACEHOLDER.findAll(text).map { it.groupValues[1] }.filter { it !in parameters.names }.forEach {
            cursor.problem(
                "{$it} stands for no parameter",
                suggestion(it, parameters.names, "parameters") ?: "add parameters: { $it: … }",
            )
        }

    private fun on(cursor: Cursor): List<String>? = cursor.list()?.flatMap { item ->
        val pattern = item.text() ?: return@flatMap emptyList()
        variants.filter { matches(pattern, it) }.ifEmpty {
            item.problem("no variant is called `$pattern`", suggestion(pattern, variants, "variants")) ?: emptyList()
        }
    }?.distinct()
}

/** The path as it is sent, for each value of the sweep: parameters are put in as they are. */
internal fun checkPath(cursor: Cursor, parameters: Parameters) {
    val path = cursor.text() ?: return
    val filled = parameters.sets.map { fill(path, it) }.distinct()
    filled.firstNotNullOfOrNull { sent -> pathFault(sent)?.let { cursor.problem("`${shortened(sent)}` $it") } }
}

/** Headers whose names and values a request can have, whatever the parameters are. */
internal fun headersOf(cursor: Cursor, parameters: Parameters): Map<String, String> =
    cursor.entries().orEmpty().mapNotNull { entry ->
        val value = entry.value.text() ?: return@mapNotNull null
        val fault = parameters.sets.firstNotNullOfOrNull { headerFault(entry.name, fill(value, it)) }
        if (fault == null) entry.name to value else entry.problem(fault)
    }.toMap()

private fun fill(text: String, parameters: Map<String, String>) =
    parameters.entries.fold(text) { filled, (name, value) -> filled.replace("{$name}", value) }
