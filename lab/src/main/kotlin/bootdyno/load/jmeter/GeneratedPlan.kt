package bootdyno.load.jmeter

import bootdyno.load.EngineFailed
import bootdyno.load.LoadOrder
import bootdyno.model.Expectation
import bootdyno.model.LoadProfile
import kotlin.math.ceil
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlin.time.DurationUnit

/**
 * The plan for one order, as JMeter's GUI would save it.
 *
 * Closed load: a thread for each connection, started within half of the settling time, each asking again when answered, until
 * the window is over and a second more, so that every thread still works when it ends. A burst: a thread for each user, all
 * started at once, one after the other as fast as JMeter can. Each thread keeps its connection (implementation HttpClient4, no
 * reset between iterations); an answer must have the expected status, body and content type; redirects are not followed.
 *
 * [shares] remote engines get an equal part of the threads each. The timeout is JMeter's: for connecting, and for each wait for
 * bytes of the answer, not for the whole of it.
 */
internal class GeneratedPlan(private val order: LoadOrder, private val shares: Int, private val warmUp: WarmUpServer?) {
    private val text = PlanText()
    private val profile = order.load

    val properties: Map<String, String> get() = text.named

    /** Threads of all engines together. */
    val users: Int = when (profile) {
        is LoadProfile.Closed -> profile.connections
        is LoadProfile.Burst -> profile.users
        is LoadProfile.Open -> throw EngineFailed("JMeter asks again when answered: it has no open load. Take another engine.")
    }
    private val share: Int = shareOf(users)

    val length: RunLength = when (profile) {
        is LoadProfile.Burst -> RunLength(Duration.ZERO, order.window, lasts = false, stopAfter = order.window + MORE + ending())
        else -> RunLength(order.settle, order.window, lasts = true, stopAfter = order.settle + order.window + MORE + ending())
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

    fun write(): String = """
        |<?xml version="1.0" encoding="UTF-8"?>
        |<jmeterTestPlan version="1.2" properties="5.0" jmeter="5.6.3">
        |  <hashTree>
        |    <TestPlan guiclass="TestPlanGui" testclass="TestPlan" testname="Boot Dyno" enabled="true">
        |      <elementProp name="TestPlan.user_defined_variables" elementType="Arguments">
        |        <collectionProp name="Arguments.arguments"/>
        |      </elementProp>
        |    </TestPlan>
        |    <hashTree>
        |${warmUp?.let(::warmUpGroup).orEmpty()}
        |${mainGroup()}
        |    </hashTree>
        |  </hashTree>
        |</jmeterTestPlan>
    """.trimMargin()

    private fun mainGroup(): String {
        val loops = if (profile is LoadProfile.Burst) profile.requestsEach else FOR_EVER
        val last = if (profile is LoadProfile.Burst) order.window + MORE else order.settle + order.window + MORE
        return group("ThreadGroup", "load", share, rampUp(), loops, last) + sampler(
            "${order.method} ${order.path}",
            Asked(order.host, order.port, order.method, order.path, order.body),
            order.timeout,
            order.headers,
            order.expect,
        )
    }

    /** Samples of the warm-up carry a message that keeps them out of every count, JMeter's own included. */
    private fun warmUpGroup(server: WarmUpServer): String =
        group("SetupThreadGroup", "warm-up", minOf(share, WARM_UP_USERS), 0, FOR_EVER, server.length) + sampler(
            "warm-up",
            Asked("127.0.0.1", server.port, "GET", "/", null),
            5.seconds,
            order.headers,
            Expectation(body = WarmUpServer.BODY),
        )

    /** Whole seconds; JMeter knows no others. */
    private fun rampUp(): Long =
        if (profile is LoadProfile.Burst) 0 else minOf(order.settle.inWholeSeconds / 2, (share + 99L) / 100)

    private fun group(kind: String, name: String, threads: Int, rampUp: Long, loops: Int, last: Duration) = """
        |      <$kind guiclass="${kind}Gui" testclass="$kind" testname="$name" enabled="true">
        |        <stringProp name="ThreadGroup.on_sample_error">continue</stringProp>
        |        <elementProp name="ThreadGroup.main_controller" elementType="LoopController">
        |          <boolProp name="LoopController.continue_forever">false</boolProp>
        |          <stringProp name="LoopController.loops">$loops</stringProp>
        |        </elementProp>
        |        <stringProp name="ThreadGroup.num_threads">$threads</stringProp>
        |        <stringProp name="ThreadGroup.ramp_time">$rampUp</stringProp>
        |        <boolProp name="ThreadGroup.scheduler">true</boolProp>
        |        <stringProp name="ThreadGroup.duration">${wholeSeconds(last)}</stringProp>
        |        <stringProp name="ThreadGroup.delay">0</stringProp>
        |        <boolProp name="ThreadGroup.same_user_on_next_iteration">true</boolProp>
        |      </$kind>
        |
    """.trimMargin()

    private fun wholeSeconds(duration: Duration): Long = ceil(duration.toDouble(DurationUnit.SECONDS)).toLong().coerceAtLeast(1)

    private class Asked(val host: String, val port: Int, val method: String, val path: String, val body: String?)

    private fun sampler(name: String, asked: Asked, timeout: Duration, headers: Map<String, String>, expect: Expectation) = """
        |      <hashTree>
        |        <HTTPSamplerProxy guiclass="HttpTestSampleGui" testclass="HTTPSamplerProxy"
        |            testname="${text.of(name)}" enabled="true">
        |          <stringProp name="HTTPSampler.domain">${text.of(asked.host)}</stringProp>
        |          <stringProp name="HTTPSampler.port">${asked.port}</stringProp>
        |          <stringProp name="HTTPSampler.protocol">http</stringProp>
        |          <stringProp name="HTTPSampler.contentEncoding">UTF-8</stringProp>
        |          <stringProp name="HTTPSampler.path">${text.of(asked.path)}</stringProp>
        |          <stringProp name="HTTPSampler.method">${text.of(asked.method)}</stringProp>
        |          <boolProp name="HTTPSampler.follow_redirects">false</boolProp>
        |          <boolProp name="HTTPSampler.auto_redirects">false</boolProp>
        |          <boolProp name="HTTPSampler.use_keepalive">true</boolProp>
        |          <stringProp name="HTTPSampler.implementation">HttpClient4</stringProp>
        |          <stringProp name="HTTPSampler.connect_timeout">${timeout.inWholeMilliseconds}</stringProp>
        |          <stringProp name="HTTPSampler.response_timeout">${timeout.inWholeMilliseconds}</stringProp>
        |          <boolProp name="HTTPSampler.postBodyRaw">${asked.body != null}</boolProp>
        |          <elementProp name="HTTPsampler.Arguments" elementType="Arguments">
        |            <collectionProp name="Arguments.arguments">${asked.body?.let(::rawBody).orEmpty()}</collectionProp>
        |          </elementProp>
        |        </HTTPSamplerProxy>
        |        <hashTree>
        |${headerLines(headers)}${assertions(expect, asked.method)}
        |        </hashTree>
        |      </hashTree>
    """.trimMargin()

    private fun rawBody(body: String) = """
        |<elementProp name="" elementType="HTTPArgument">
        |                <boolProp name="HTTPArgument.always_encode">false</boolProp>
        |                <stringProp name="Argument.value">${text.of(body)}</stringProp>
        |                <stringProp name="Argument.metadata">=</stringProp>
        |              </elementProp>
    """.trimMargin()

    private fun headerLines(headers: Map<String, String>): String = if (headers.isEmpty()) {
        ""
    } else {
        """
        |          <HeaderManager guiclass="HeaderPanel" testclass="HeaderManager" testname="headers" enabled="true">
        |            <collectionProp name="HeaderManager.headers">
        |${headers.entries.joinToString("\n") { (name, value) -> headerLine(name, value) }}
        |            </collectionProp>
        |          </HeaderManager>
        |          <hashTree/>
        |
        """.trimMargin()
    }

    private fun headerLine(name: String, value: String) = """
        |              <elementProp name="" elementType="Header">
        |                <stringProp name="Header.name">${text.of(name)}</stringProp>
        |                <stringProp name="Header.value">${text.of(value)}</stringProp>
        |              </elementProp>
    """.trimMargin()

    /** The status first: it takes back JMeter's own judgement, which holds 200 to 399 for a success and nothing else. */
    private fun assertions(expect: Expectation, method: String): String = buildString {
        append(assertion("status", "response_code", EQUALS, "${expect.status}", assumeSuccess = true))
        expect.contentType?.let {
            val header = "(?i)content-type:\\s*${perl(it)}"
            append(assertion("content type", "response_headers", CONTAINS, header, assumeSuccess = false))
        }
        // An answer to HEAD has no body to compare. JMeter fails an empty body whatever it should equal.
        val body = expect.body?.takeIf { method != "HEAD" } ?: return@buildString
        val type = if (body.isEmpty()) CONTAINS_NOT else EQUALS
        append(assertion("body", "response_data", type, body.ifEmpty { ANYTHING }, assumeSuccess = false))
    }

    private fun assertion(name: String, field: String, type: Int, expected: String, assumeSuccess: Boolean) = """
        |          <ResponseAssertion guiclass="AssertionGui" testclass="ResponseAssertion" testname="$name" enabled="true">
        |            <collectionProp name="Asserion.test_strings">
        |              <stringProp name="expected">${text.of(expected)}</stringProp>
        |            </collectionProp>
        |            <stringProp name="Assertion.custom_message">another $name</stringProp>
        |            <stringProp name="Assertion.test_field">Assertion.$field</stringProp>
        |            <boolProp name="Assertion.assume_success">$assumeSuccess</boolProp>
        |            <intProp name="Assertion.test_type">$type</intProp>
        |          </ResponseAssertion>
        |          <hashTree/>
        |
    """.trimMargin()

    /** [literal] in a Perl 5 expression. */
    private fun perl(literal: String) = literal.map { if (it.isLetterOrDigit()) "$it" else "\\$it" }.joinToString("")

    private companion object {
        /** Threads go on for this long after the window, which began with the first sample and not with the thread group. */
        val MORE = 1.seconds
        const val FOR_EVER = -1

        /** Few: on one CPU every thread at work keeps the compiler from its own. */
        const val WARM_UP_USERS = 4

        /** Types of JMeter's response assertion. */
        const val CONTAINS = 2
        const val CONTAINS_NOT = 6
        const val EQUALS = 8
        const val ANYTHING = "(?s)."
    }
}
