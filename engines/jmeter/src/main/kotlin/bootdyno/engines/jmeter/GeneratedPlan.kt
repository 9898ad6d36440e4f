package bootdyno.engines.jmeter

import bootdyno.engine.EngineFailed
import bootdyno.engine.LoadOrder
import bootdyno.model.DataTable
import bootdyno.model.LoadProfile
import bootdyno.model.Step
import bootdyno.model.Template
import bootdyno.model.Writing
import java.nio.file.Path
import kotlin.io.path.writeText
import kotlin.math.ceil
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlin.time.DurationUnit

/**
 * The plan for one order, as JMeter's GUI would save it.
 *
 * Closed load: a thread for each connection, started within half of the settling time, each sending again when answered, until
 * it is stopped just after the window, so that every thread still works when that ends. A burst: a thread for each user, all
 * started at once, one after the other as fast as JMeter can. Each thread keeps its connection (implementation HttpClient4, no
 * reset between iterations); an answer must have the expected status, body and content type; redirects are not followed.
 *
 * Each step is a sampler; one that fails begins the next loop. Values of the data and of answers are variables of JMeter's, written for
 * their places before they get there: those of the data in a CSV file made for this plan, those of answers by the script that takes them
 * out.
 *
 * [shares] remote engines get an equal part of the threads each. The timeout is JMeter's: for connecting, and for each wait for
 * bytes of the answer, not for the whole of it.
 */
internal class GeneratedPlan(
    private val order: LoadOrder,
    private val shares: Int,
    private val warmUp: WarmUpServer?,
    private val rows: DataTable? = null,
) {
    private val text = PlanText()
    private val profile = order.load
    private val columns = rows?.columns.orEmpty()
    private val values = (columns + order.steps.flatMap { it.capture.keys }).toSet()
    private val requests = order.steps.map(::request)

    /** The columns that are needed. Empty where the chain has no data, or does not use it. */
    private val needed = text.needed.filter { it.name in columns }

    val properties: Map<String, String> get() = text.named

    /** Threads of all engines together. */
    val users: Int = when (profile) {
        is LoadProfile.Closed -> profile.connections
        is LoadProfile.Burst -> profile.users
        is LoadProfile.Open -> throw EngineFailed("JMeter has no open load: it sends again when answered. Take another engine.")
    }
    private val share: Int = shareOf(users)

    val length: RunLength = when (profile) {
        is LoadProfile.Burst -> RunLength(Duration.ZERO, order.window, lasts = false, stopAfter = order.window + MORE + ending())
        else -> RunLength(order.settle, order.window, lasts = true, stopAfter = order.settle + order.window + A_LITTLE)
    }

    private fun shareOf(total: Int): Int {
        if (total <= 0) throw EngineFailed("$total users make no load.")
        if (total % shares != 0) throw EngineFailed("$total users cannot be shared evenly by $shares remote engines.")
        return total / shares
    }

    /**
     * From the end of sending until the last thread must have had its answer or its timeout; connecting and waiting each have
     * one.
     */
    private fun ending(): Duration = order.timeout * 2 + 5.seconds

    /** Writes the plan and what it reads into [folder]; @return the plan */
    fun writeInto(folder: Path): Path {
        val data = folder.resolve("data.csv")
        if (needed.isNotEmpty()) data.writeText(csv())
        val xml = PlanXml()
        xml.plan {
            element(
                "TestPlan",
                "TestPlanGui",
                "Boot Dyno",
                { nested("TestPlan.user_defined_variables", "Arguments") { collection("Arguments.arguments") {} } },
            ) {
                warmUp?.let { warmUpGroup(it) }
                mainGroup(data)
            }
        }
        return folder.resolve("plan.jmx").also { it.writeText("$xml") }
    }

    /** The rows as JMeter reads them: without a line that names the columns, all values in quotes. */
    private fun csv(): String = rows?.rows.orEmpty().joinToString("") { row ->
        needed.joinToString(",", postfix = "\n") { quoted(it.writing.write(row[columns.indexOf(it.name)])) }
    }

    private fun quoted(value: String) = "\"${value.replace("\"", "\"\"")}\""

    private fun PlanXml.mainGroup(data: Path) {
        val burst = profile as? LoadProfile.Burst
        val last = if (burst != null) order.window + MORE else order.settle + order.window + MORE
        val shape = Shape(share, if (burst != null) 0 else rampUp(), burst?.requestsEach ?: FOR_EVER, last)
        group("ThreadGroup", "load", shape) {
            if (needed.isNotEmpty()) dataSet(data)
            requests.forEach { write(it) }
        }
    }

    /** Samples of the warm-up carry a message that keeps them out of every count, JMeter's own included. */
    private fun PlanXml.warmUpGroup(server: WarmUpServer) {
        val captures = if (order.steps.any { it.capture.isNotEmpty() }) mapOf("warm" to "$.warm") else emptyMap()
        val request = PlanRequest(
            name = "warm-up",
            host = "127.0.0.1",
            port = server.port,
            path = "/",
            headers = requests.first().headers,
            expectedBody = WarmUpServer.BODY,
            captures = captures,
        )
        group("SetupThreadGroup", "warm-up", Shape(minOf(share, WARM_UP_USERS), 0, FOR_EVER, server.length)) { write(request) }
    }

    /** Whole seconds; JMeter knows no others. */
    private fun rampUp(): Long = minOf(order.settle.inWholeSeconds / 2, (share + 99L) / 100)

    private class Shape(val threads: Int, val rampUp: Long, val loops: Int, val last: Duration)

    private fun PlanXml.group(kind: String, name: String, shape: Shape, beneath: PlanXml.() -> Unit) = element(
        kind,
        "${kind}Gui",
        name,
        {
            text("ThreadGroup.on_sample_error", "startnextloop")
            nested("ThreadGroup.main_controller", "LoopController") {
                flag("LoopController.continue_forever", false)
                text("LoopController.loops", "${shape.loops}")
            }
            text("ThreadGroup.num_threads", "${shape.threads}")
            text("ThreadGroup.ramp_time", "${shape.rampUp}")
            flag("ThreadGroup.scheduler", true)
            text("ThreadGroup.duration", "${wholeSeconds(shape.last)}")
            text("ThreadGroup.delay", "0")
            flag("ThreadGroup.same_user_on_next_iteration", true)
        },
        beneath,
    )

    private fun wholeSeconds(duration: Duration): Long = ceil(duration.toDouble(DurationUnit.SECONDS)).toLong().coerceAtLeast(1)

    /** A row for each loop of a thread, all threads taking turns at one file, from the first row again after the last. */
    private fun PlanXml.dataSet(data: Path) = element("CSVDataSet", "TestBeanGUI", "data", {
        text("filename", text.of("$data"))
        text("fileEncoding", "UTF-8")
        text("variableNames", needed.joinToString(",") { it.named })
        flag("ignoreFirstLine", false)
        text("delimiter", ",")
        flag("quotedData", true)
        flag("recycle", true)
        flag("stopThread", false)
        text("shareMode", "shareMode.all")
    })

    /** All texts as they stand in the plan. */
    private fun request(step: Step) = PlanRequest(
        name = text.of(step.name),
        host = text.of(order.host),
        port = order.port,
        method = text.of(step.method),
        path = text.of(Template.ofPath(step.path), values),
        headers = step.headers.map { (name, value) -> text.of(name) to text.of(Template.ofHeader(value), values) }.toMap(),
        body = step.body?.let { text.of(Template.ofBody(it, step.contentType), values) },
        status = step.expect.status,
        type = step.expect.contentType?.let { text.of("(?i)content-type:\\s*${perl(it)}") },
        expectedBody = step.expect.body?.let { text.of(Template.ofBody(it, step.expect.contentType), values) },
        captures = step.capture,
    )

    private class PlanRequest(
        val name: String,
        val host: String,
        val port: Int,
        val method: String = "GET",
        val path: String,
        val headers: Map<String, String>,
        val body: String? = null,
        val status: Int = 200,
        /** A Perl 5 expression of the header that has the content type. */
        val type: String? = null,
        val expectedBody: String? = null,
        val captures: Map<String, String>,
    )

    private fun PlanXml.write(request: PlanRequest) = element("HTTPSamplerProxy", "HttpTestSampleGui", request.name, {
        text("HTTPSampler.domain", request.host)
        text("HTTPSampler.port", "${request.port}")
        text("HTTPSampler.protocol", "http")
        text("HTTPSampler.contentEncoding", "UTF-8")
        text("HTTPSampler.path", request.path)
        text("HTTPSampler.method", request.method)
        flag("HTTPSampler.follow_redirects", false)
        flag("HTTPSampler.auto_redirects", false)
        flag("HTTPSampler.use_keepalive", true)
        text("HTTPSampler.implementation", "HttpClient4")
        text("HTTPSampler.connect_timeout", "${order.timeout.inWholeMilliseconds}")
        text("HTTPSampler.response_timeout", "${order.timeout.inWholeMilliseconds}")
        flag("HTTPSampler.postBodyRaw", request.body != null)
        nested("HTTPsampler.Arguments", "Arguments") {
            collection("Arguments.arguments") { request.body?.let { rawBody(it) } }
        }
    }) {
        if (request.headers.isNotEmpty()) headers(request.headers)
        assertions(request)
        if (request.captures.isNotEmpty()) capture(request.captures)
    }

    private fun PlanXml.rawBody(body: String) = nested("", "HTTPArgument") {
        flag("HTTPArgument.always_encode", false)
        text("Argument.value", body)
        text("Argument.metadata", "=")
    }

    private fun PlanXml.headers(headers: Map<String, String>) = element("HeaderManager", "HeaderPanel", "headers", {
        collection("HeaderManager.headers") {
            headers.forEach { (name, value) ->
                nested("", "Header") {
                    text("Header.name", name)
                    text("Header.value", value)
                }
            }
        }
    })

    /** The status first: it takes back JMeter's own judgement, which holds 200 to 399 for a success and nothing else. */
    private fun PlanXml.assertions(request: PlanRequest) {
        assertion("status", "response_code", EQUALS, "${request.status}")
        request.type?.let { assertion("content type", "response_headers", CONTAINS, it) }
        // An answer to HEAD has no body to compare. JMeter fails an empty body whatever it should equal.
        val body = request.expectedBody?.takeIf { request.method != "HEAD" } ?: return
        assertion("body", "response_data", if (body.isEmpty()) CONTAINS_NOT else EQUALS, body.ifEmpty { ANYTHING })
    }

    private fun PlanXml.assertion(name: String, field: String, type: Int, expected: String) =
        element("ResponseAssertion", "AssertionGui", name, {
            collection("Asserion.test_strings") { text("expected", expected) }
            text("Assertion.custom_message", "another $name")
            text("Assertion.test_field", "Assertion.$field")
            flag("Assertion.assume_success", name == "status")
            number("Assertion.test_type", type)
        })

    /** An assertion, since what a post-processor finds missing would be a success again after the assertion of the status. */
    private fun PlanXml.capture(captures: Map<String, String>) = element("JSR223Assertion", "TestBeanGUI", "capture", {
        text("cacheKey", "true")
        text("filename", "")
        text("parameters", captures.map { (name, path) -> "$name=${writings(name)}=$path" }.joinToString(" "))
        text("script", CAPTURE)
        text("scriptLanguage", "groovy")
    })

    /** How the places that need it write it. One where there is none: that it is in the answer is checked all the same. */
    private fun writings(name: String): String =
        text.needed.filter { it.name == name }.map { it.writing }.ifEmpty { listOf(Writing.AS_IS) }.joinToString(",")

    private companion object {
        /** Threads go on for this long after the window, which began with the first sample and not with the thread group. */
        val MORE = 1.seconds

        /** After the window they are stopped: what is sent then counts nowhere. */
        val A_LITTLE = 100.milliseconds
        const val FOR_EVER = -1

        /** Few: on one CPU every busy thread keeps the compiler from its work. */
        const val WARM_UP_USERS = 4

        /** Types of JMeter's response assertion. */
        const val CONTAINS = 2
        const val CONTAINS_NOT = 6
        const val EQUALS = 8
        const val ANYTHING = "(?s)."

        /** The same text for all steps: JMeter compiles it once. */
        val CAPTURE: String = checkNotNull(GeneratedPlan::class.java.getResource("capture.groovy")).readText()

        /** [literal] in a Perl 5 expression. */
        fun perl(literal: String) = literal.map { if (it.isLetterOrDigit()) "$it" else "\\$it" }.joinToString("")
    }
}
