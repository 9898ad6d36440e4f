package bootdyno.engines.jmeter

import bootdyno.engine.EngineFailed
import bootdyno.engine.LONGEST_CAPTURED_FROM
import bootdyno.engine.LoadOrder
import bootdyno.engine.TruthServer
import bootdyno.engine.answerBytes
import bootdyno.model.DataTable
import bootdyno.model.Expectation
import bootdyno.model.ExpectedType
import bootdyno.model.LoadProfile
import bootdyno.model.Step
import bootdyno.model.Template
import bootdyno.model.Writing
import org.w3c.dom.Element
import java.io.InputStream
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.writeText
import kotlin.math.ceil
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlin.time.DurationUnit

/** Threads continue for this long after the window, which starts with the first sample, not with the thread group. */
private val EXTRA_LOAD = 1.seconds

/** Delay between the window and the stop; requests after the window are not counted. */
private val STOP_DELAY = 100.milliseconds
private const val FOR_EVER = -1

/** Few, because on one CPU busy threads slow down the compiler. */
private const val WARM_UP_USERS = 4
private const val WARM_UP_BODY = """{"warm":1}"""

/** The reason phrase makes JMeter treat warm-up samples as transactions, which are not counted. */
private const val WARM_UP_ANSWER =
    "HTTP/1.1 200 ${TransactionRows.PREFIX} : 0\r\nContent-Length: ${WARM_UP_BODY.length}\r\n\r\n$WARM_UP_BODY"

/** Maximum bytes of a response in a sample. By default JMeter stores all: a few responses of 100 MB exceeded its heap. */
private const val MOST_STORED = "httpsampler.max_bytes_to_store_per_request"

/** Types of JMeter's response assertion. */
private const val CONTAINS_NOT = 6
private const val EQUALS = 8
private const val ANYTHING = "(?s)."

/** The same text for all steps, so that JMeter compiles it once. */
private val CAPTURE: String = resource("capture.groovy").use { it.readAllBytes().decodeToString() }

/**
 * The plan for one order, based on `generated.jmx`.
 *
 * Closed load: one thread per connection, started within half of the settling time, each sending after a response until just after the end of
 * the window. A burst: one thread per user, started as fast as JMeter can. Each thread keeps its connection (implementation HttpClient4, no
 * reset between iterations). A response must have the expected status, body and content type. Redirects are not followed.
 *
 * Each step is a sampler; a failed step starts the next loop. Data and captured values are JMeter variables, already encoded for their
 * places: data in a CSV file for this plan, captured values by the capturing script.
 *
 * The threads are divided equally among [shares] remote engines. The timeout is JMeter's: for connecting, and for each wait for bytes of the
 * response, not for the complete response.
 */
internal class GeneratedPlan(private val order: LoadOrder, private val shares: Int, private val rows: DataTable? = null) {
    private val text = PlanText()
    private val burst = order.load as? LoadProfile.Burst
    private val columns = rows?.columns.orEmpty()
    private val values = (columns + order.steps.flatMap { it.capture.keys }).toSet()

    /** Number of threads on all engines. */
    private val users: Int = order.load.clients
        ?: throw EngineFailed("JMeter has no open load: it sends again when answered. Take another engine.")
    private val share: Int = shareOf(users)

    private fun shareOf(total: Int): Int {
        if (total <= 0) throw EngineFailed("$total users make no load.")
        if (total % shares != 0) throw EngineFailed("$total users cannot be shared evenly by $shares remote engines.")
        return total / shares
    }

    /** The last thread of a burst may need one timeout to connect, and one to wait. */
    private val length: RunLength = if (burst != null) {
        val stopAfter = order.window + EXTRA_LOAD + order.timeout * 2 + 5.seconds
        RunLength(Duration.ZERO, order.window, lasts = false, stopAfter)
    } else {
        RunLength(order.settle, order.window, lasts = true, stopAfter = order.settle + order.window + STOP_DELAY)
    }

    /**
     * Writes the plan and its files to [folder]. The plan first loads a private server for [warm]: a cold JMeter makes a fifth of its possible
     * load, and its compilation is part of the latencies.
     */
    fun prepare(folder: Path, warm: Duration): PreparedPlan {
        val answer = answerBytes(WARM_UP_ANSWER)
        val server = if (warm.isPositive()) TruthServer.start { it.answer(answer) } else null
        val file = folder.resolve("plan.jmx")
        resource("generated.jmx").use { Files.copy(it, file) }
        Jmx.read(file).also { fill(it, folder.resolve("data.csv"), warm, server?.port) }.write(file)
        return PreparedPlan(
            file = file,
            workingFolder = folder,
            properties = text.named + (MOST_STORED to "${mostCompared()}"),
            users = users,
            length = length,
            steps = order.steps,
            atEnd = { server?.close() },
        )
    }

    private fun fill(plan: Jmx, data: Path, warm: Duration, warmUpPort: Int?) {
        val (warmUpGroup, group, rowsOfData, template) = listOf("warm-up", "load", "data", "request").map(plan::named)
        group.shape(share, rampUp(), burst?.requestsEach ?: FOR_EVER, length.settle + order.window + EXTRA_LOAD)
        val requests = order.steps.map { step ->
            template.copyInto(group.beneath).also { fill(it, step, order.host, order.port, order.https) }
        }
        val needed = text.needed.filter { it.name in columns }
        if (needed.isEmpty()) {
            rowsOfData.remove()
        } else {
            data.writeText(csv(needed))
            rowsOfData.put("filename", text.of("$data"))
            rowsOfData.put("variableNames", needed.joinToString(",") { it.named })
        }
        requests.zip(order.steps).forEach { (sampler, step) -> capture(sampler, step.capture) }
        if (warmUpPort == null) {
            warmUpGroup.remove()
        } else {
            warmUpGroup.shape(minOf(share, WARM_UP_USERS), 0, FOR_EVER, warm)
            val request = template.copyInto(warmUpGroup.beneath)
            val step =
                Step("warm-up", path = "/", headers = order.steps.first().headers, expect = Expectation(body = WARM_UP_BODY))
            fill(request, step, "127.0.0.1", warmUpPort, https = false)
            capture(request, if (order.steps.any { it.capture.isNotEmpty() }) mapOf("warm" to "$.warm") else emptyMap())
        }
        template.remove()
    }

    /** In whole seconds, as JMeter requires. */
    private fun rampUp(): Long = if (burst != null) 0 else minOf(order.settle.inWholeSeconds / 2, (share + 99L) / 100)

    private fun Element.shape(threads: Int, rampUp: Long, loops: Int, last: Duration) {
        put("LoopController.loops", "$loops")
        put("ThreadGroup.num_threads", "$threads")
        put("ThreadGroup.ramp_time", "$rampUp")
        put("ThreadGroup.duration", "${ceil(last.toDouble(DurationUnit.SECONDS)).toLong().coerceAtLeast(1)}")
    }

    /** The rows for JMeter: without a header line, all values quoted. */
    private fun csv(needed: List<PlanVariable>): String = rows?.rows.orEmpty().joinToString("") { row ->
        needed.joinToString(",", postfix = "\n") {
            val value = it.writing.write(row[columns.indexOf(it.name)])
            "\"${value.replace("\"", "\"\"")}\""
        }
    }

    private fun fill(sampler: Element, step: Step, host: String, port: Int, https: Boolean) {
        sampler.setAttribute("testname", text.of(step.name))
        sampler.put("HTTPSampler.domain", text.of(host))
        sampler.put("HTTPSampler.port", "$port")
        sampler.put("HTTPSampler.protocol", if (https) "https" else "http")
        sampler.put("HTTPSampler.path", text.of(Template.ofPath(step.path), values))
        sampler.put("HTTPSampler.method", text.of(step.method))
        sampler.put("HTTPSampler.connect_timeout", "${order.timeout.inWholeMilliseconds}")
        sampler.put("HTTPSampler.response_timeout", "${order.timeout.inWholeMilliseconds}")
        sampler.put("HTTPSampler.postBodyRaw", "${step.body != null}")
        val body = step.body
        if (body == null) {
            sampler.put("Arguments.arguments", "")
        } else {
            sampler.put("Argument.value", bodyOf(body, step.contentType))
        }
        headers(sampler.beneath.named("headers"), step.headers)
        sampler.beneath.named("status").put("expected", "${step.expect.status}")
        val type = step.expect.contentType?.let { text.of("(?im)^content-type:[ \\t]*${ExpectedType(it).pattern}[ \\t]*$") }
        sampler.beneath.named("content type").run { if (type == null) remove() else put("expected", type) }
        // Responses to HEAD have no body to compare. JMeter fails an empty body in any comparison.
        val answer = step.expect.body?.takeIf { step.method != "HEAD" }?.let { bodyOf(it, step.expect.contentType) }
        sampler.beneath.named("body").run {
            put("Assertion.test_type", "${if (answer.isNullOrEmpty()) CONTAINS_NOT else EQUALS}")
            if (answer == null) remove() else put("expected", answer.ifEmpty { ANYTHING })
        }
    }

    private fun bodyOf(body: String, type: String?): String = text.of(Template.ofBody(body, type), values)

    private fun headers(manager: Element, headers: Map<String, String>) {
        if (headers.isEmpty()) return manager.remove()
        val all = manager.children().single()
        val template = all.children().single()
        headers.forEach { (name, value) ->
            val header = all.appendChild(template.cloneNode(true)) as Element
            header.put("Header.name", text.of(name))
            header.put("Header.value", text.of(Template.ofHeader(value), values))
        }
        all.removeChild(template)
    }

    /**
     * Each captured value is stored in all encodings that later texts need, which are known after all texts; unencoded if there is none, because
     * the presence of the value is checked anyway.
     */
    private fun capture(sampler: Element, captures: Map<String, String>) {
        val assertion = sampler.beneath.named("capture")
        if (captures.isEmpty()) return assertion.remove()
        val arguments = captures.map { (name, path) ->
            val writings = text.needed.filter { it.name == name }.map { it.writing }.ifEmpty { listOf(Writing.AS_IS) }
            "$name=${writings.joinToString(",")}=$path"
        }
        assertion.put("parameters", arguments.joinToString(" "))
        assertion.put("script", CAPTURE)
    }

    /** Number of bytes for capturing values, or for comparing a body: one more than the expected length. */
    private fun mostCompared(): Int =
        maxOf(LONGEST_CAPTURED_FROM, order.steps.maxOf { it.expect.body.orEmpty().toByteArray().size } + 1)
}

internal fun resource(name: String): InputStream = checkNotNull(GeneratedPlan::class.java.getResourceAsStream(name)) { name }

/** A run-time value as a JMeter variable; one variable per encoding. */
internal data class PlanVariable(val name: String, val writing: Writing) {
    val named: String get() = "$name.$writing"
}

/**
 * Text in a plan. JMeter cannot escape `${` in a text without functions, and XML 1.0 excludes most control characters and unpaired
 * surrogates. Such a text becomes a property, whose value JMeter does not evaluate.
 */
internal class PlanText {
    private val properties = LinkedHashMap<String, String>()
    private val variables = LinkedHashSet<PlanVariable>()

    /** Properties that the plan uses, with their values. */
    val named: Map<String, String> get() = properties

    /** Variables that the plan uses. */
    val needed: Set<PlanVariable> get() = variables

    fun of(text: String): String = if ("\${" !in text && text.all(::fitsXml)) text else property(text)

    /** [template] with variables for [values]; other placeholders are text. */
    fun of(template: Template, values: Set<String>): String {
        val isVariable = { piece: Template.Piece -> piece is Template.Hole && piece.name in values }
        if (template.pieces.none(isVariable)) return of(template.fill(emptyMap()))
        return template.pieces.joinToString("") { piece ->
            when (piece) {
                is Template.Literal -> besideVariable(piece.text)
                is Template.Hole -> if (isVariable(piece)) variable(piece) else besideVariable(piece.text)
            }
        }
    }

    private fun variable(hole: Template.Hole) = "\${${PlanVariable(hole.name, hole.writing).also(variables::add).named}}"

    /** In a text with variables, backslashes escape and dollars may start a variable. */
    private fun besideVariable(text: String): String = if ('\\' in text || '$' in text) property(text) else of(text)

    private fun property(text: String): String {
        val earlier = properties.entries.find { it.value == text }?.key
        val name = earlier ?: "bootdyno.text.${properties.size + 1}".also { properties[it] = text }
        return "\${__property($name)}"
    }

    private fun fitsXml(char: Char) = char in ' '..'\uD7FF' || char in '\uE000'..'\uFFFD' || char in "\n\t\r"
}
