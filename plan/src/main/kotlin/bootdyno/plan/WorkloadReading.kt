package bootdyno.plan

import bootdyno.keys.FIGURES
import bootdyno.keys.HOLDING_TIME
import bootdyno.keys.HOLDING_TIMES
import bootdyno.keys.MOST_POINTS
import bootdyno.keys.NAME
import bootdyno.keys.WorkloadKeys
import bootdyno.keys.checkName
import bootdyno.keys.headerFault
import bootdyno.keys.pathFault
import bootdyno.model.AxisPoint
import bootdyno.model.Expectation
import bootdyno.model.Step
import bootdyno.model.Workload
import bootdyno.model.count
import bootdyno.model.filled
import bootdyno.model.placeholders
import bootdyno.yaml.Cursor
import bootdyno.yaml.Entry
import bootdyno.yaml.Fields
import bootdyno.yaml.ListNode
import bootdyno.yaml.TEXTS_BY_NAME
import bootdyno.yaml.TextNode
import bootdyno.yaml.parseDuration
import bootdyno.yaml.shortened
import bootdyno.yaml.suggestion
import bootdyno.yaml.toText
import bootdyno.yaml.words
import kotlin.time.Duration

/** Reads workloads. [variants]: names for `on`, with `*` for any text. [data] finds data files. */
internal class WorkloadReading(private val variants: List<String>, private val data: (String) -> FoundData?) {
    /** One workload, or one per value of a swept parameter; null after a problem. */
    fun read(entry: Entry): List<Workload>? {
        entry.checkName()
        val fields = WorkloadKeys.read(entry.value) ?: return null
        val kind = fields.exactlyOne(WorkloadKeys.kinds)
        val isMix = kind == WorkloadKeys.mix
        val hasSteps = isMix || kind == WorkloadKeys.chain
        val parameters = fields.at(WorkloadKeys.parameters)?.let { readParameters(it) ?: return null } ?: Parameters.NONE
        fields.at(WorkloadKeys.warmUp)?.let { checkWarmUp(it, parameters) }
        val on = fields.at(WorkloadKeys.on)?.let(::on).orEmpty()
        val headers = fields.at(WorkloadKeys.headers)?.let { headersOf(it, parameters) }.orEmpty()
        if (kind != null && hasSteps) rejectOfSteps(fields, kind.name)
        val holds = fields.at(WorkloadKeys.holds)?.takeUnless { hasSteps }?.let { holds(it, parameters) }.orEmpty()
        val csv = fields.at(WorkloadKeys.data)
        val loginAt = fields.at(WorkloadKeys.login)
        val takesData = hasSteps || loginAt != null
        val file = csv?.takeIf { takesData }?.let { readData(it, parameters.names, data) }
        // Names of an unreadable file are not reported as further problems.
        val known = (parameters.names + file?.columns.orEmpty()).takeIf { csv == null || file != null }
        val loginReading = StepsReading(isMix = false, known, emptyMap(), parameters, isLogin = true)
        val login = loginAt?.let(loginReading::read)
        val knownAfter = known?.plus(loginAt?.let(loginReading::capturedBy).orEmpty())
        val steps = when {
            kind == null -> null

            hasSteps -> fields.at(kind)?.let { StepsReading(isMix, knownAfter, headers, parameters).read(it) }

            else -> {
                if (!takesData) {
                    csv?.problem("only chains and mixes take values from a file", "write the request as a chain of one step")
                }
                val names = knownAfter ?: parameters.names
                val path = fields.at(kind)?.let { at -> pathOf(at, parameters)?.also { checkPlaceholders(it, names, at) } }
                if (loginAt != null) {
                    val texts =
                        fields.at(WorkloadKeys.headers)?.entries().orEmpty().map { it.value } + fields.at(WorkloadKeys.body)
                    texts.forEach { at -> (at?.node as? TextNode)?.let { checkPlaceholders(it.text, names, at) } }
                }
                val expect = fields[WorkloadKeys.expect] ?: Expectation()
                // One step, named like the workload.
                path?.let { listOf(Step(entry.name, kind.name.uppercase(), it, headers, fields[WorkloadKeys.body], expect)) }
            }
        } ?: return null
        return parameters.sets.mapIndexed { index, set ->
            val value = parameters.axis?.let(set::getValue)?.trim()
            Workload(
                name = entry.name + if (value == null) "" else "+${parameters.axis}=$value",
                steps = steps,
                parameters = set,
                warmUpParameters = fields[WorkloadKeys.warmUp].orEmpty(),
                holds = holds.getOrNull(index),
                on = on,
                calls = fields[WorkloadKeys.calls],
                point = value?.let { AxisPoint(entry.name, parameters.axis, it.toDouble()) },
                data = file,
                mix = isMix,
                think = fields[WorkloadKeys.think],
                login = login.orEmpty(),
                cookies = fields[WorkloadKeys.cookies] ?: (loginAt != null),
            )
        }
    }

    private fun rejectOfSteps(fields: Fields, kind: String) {
        val times = "its requests have different holding times"
        listOf(WorkloadKeys.expect, WorkloadKeys.body, WorkloadKeys.holds).forEach { key ->
            val why = if (key == WorkloadKeys.holds) times else "each of its requests has its own"
            fields.at(key)?.problem("a $kind has no `${key.name}` of its own", why)
        }
    }

    private fun checkWarmUp(cursor: Cursor, parameters: Parameters) =
        cursor.entries().orEmpty().filter { it.name !in parameters.names }.forEach {
            it.problem("`${it.name}` is no parameter of this workload", suggestion(it.name, parameters.names, "parameters"))
        }

    /** One time per value of the axis: from a list of the same length, or from one text with each value's parameters. */
    private fun holds(cursor: Cursor, parameters: Parameters): List<Duration?> {
        if (cursor.node is ListNode) {
            val times = cursor.list().orEmpty().map(HOLDING_TIME::read)
            if (times.size != parameters.sets.size) cursor.problem("has ${times.size} times for ${parameters.sets.size} values")
            return times
        }
        val written = cursor.text() ?: return emptyList()
        checkPlaceholders(written, parameters.names, cursor)
        val hint = "write a number and a unit: 500 ms, or \"{ms} ms\" with the parameter ms"
        return parameters.sets.map { filled(written, it) }.map { filled ->
            if (placeholders(filled).isNotEmpty()) return@map null
            parseDuration(filled)?.takeIf { it in HOLDING_TIMES }
                ?: cursor.problem("`$filled` is not a duration ${words(HOLDING_TIMES, Duration::toText)}", hint)
        }
    }

    private fun checkPlaceholders(text: String, known: Set<String>, cursor: Cursor) =
        placeholders(text).filter { it !in known }.forEach {
            val hint = suggestion(it, known, "parameters") ?: "add parameters: { $it: … }"
            cursor.problem("{$it} is not a parameter", hint)
        }

    private fun on(cursor: Cursor): List<String> = cursor.list().orEmpty().flatMap { item ->
        val pattern = item.text() ?: return@flatMap emptyList()
        val named = variants.filter { matches(pattern, it) }
        if (named.isEmpty()) item.problem("no variant is called `$pattern`", suggestion(pattern, variants, "variants"))
        named
    }.distinct()
}

/** The path at [cursor]. Adds a problem for each value of the sweep that makes it invalid, because parameters are inserted unchanged. */
internal fun pathOf(cursor: Cursor, parameters: Parameters): String? = cursor.text()?.also { path ->
    val sent = parameters.sets.map { filled(path, it) }.find { pathFault(it) != null }
    if (sent != null) cursor.problem("`${shortened(sent)}` ${pathFault(sent)}")
}

/** The headers at [cursor]. Adds a problem for invalid names and values, for each value of the sweep. */
internal fun headersOf(cursor: Cursor, parameters: Parameters): Map<String, String> {
    val headers = TEXTS_BY_NAME.read(cursor).orEmpty()
    cursor.entries().orEmpty().forEach { entry ->
        val value = headers[entry.name] ?: return@forEach
        parameters.sets.firstNotNullOfOrNull { headerFault(entry.name, filled(value, it)) }?.let(entry::problem)
    }
    return headers
}

/**
 * Parameters of a workload: one set of values, or one per value of the [axis].
 *
 * Lists have equal lengths: the first values belong to the first workload, and so on. The first list is the axis.
 */
internal class Parameters(val sets: List<Map<String, String>>, val axis: String? = null) {
    val names: Set<String> get() = sets.first().keys

    companion object {
        val NONE = Parameters(listOf(emptyMap()))
    }
}

/** Reads `{ limit: [ 100, 1000 ], sum: [ 1060, 76127 ], unit: ms }`; null after a problem. */
internal fun readParameters(cursor: Cursor): Parameters? {
    val entries = cursor.entries() ?: return null
    val read = WorkloadKeys.parameters.type.read(cursor).orEmpty()
    if (read.size < entries.size) return null
    val lists = entries.filter { read.getValue(it.name).swept }
    val axis = lists.firstOrNull() ?: return Parameters(listOf(read.mapValues { it.value.values.single() }))
    val texts = read.getValue(axis.name).values
    if (!checkAxis(axis.value, texts)) return null
    val bad = texts.find { text -> text.toDoubleOrNull()?.let { it in FIGURES } != true }
    val uneven = lists.find { read.getValue(it.name).values.size != texts.size }
    return when {
        !NAME.matches(axis.name) -> axis.value.problem(
            "`${axis.name}` cannot name an axis",
            "letters, digits and . _ = + - only: cells are called by it",
        )

        bad != null -> axis.value.problem("`$bad` is not a number ${words(FIGURES)}", "an axis is drawn on a logarithmic scale")

        uneven != null -> uneven.problem(
            "has ${read.getValue(uneven.name).values.size} values, ${axis.name} has ${texts.size}",
            "lists go together: the first values belong together, then the second",
        )

        else -> Parameters(
            texts.indices.map { index ->
                read.mapValues { (_, one) -> one.values.run { if (one.swept) get(index) else single() } }
            },
            axis.name,
        )
    }
}

/** Whether [values], the list at [cursor], can be swept; otherwise adds a problem. */
internal fun checkAxis(cursor: Cursor, values: List<Any>): Boolean {
    when {
        values.size > MOST_POINTS ->
            cursor.problem("has ${count(values.size)} values", "sweep at most ${count(MOST_POINTS)}")

        values.isEmpty() -> cursor.problem("is empty", "write the values to sweep: [ 100, 1000 ]")

        values.distinct().size < values.size -> cursor.problem("names a value twice")

        else -> return true
    }
    return false
}
