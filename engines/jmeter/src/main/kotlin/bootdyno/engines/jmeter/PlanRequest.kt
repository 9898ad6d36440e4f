package bootdyno.engines.jmeter

import kotlin.time.Duration

/** One request, all its texts as they stand in the plan: a sampler with its headers, its assertions and what it captures. */
internal class PlanRequest(
    private val name: String,
    private val host: String,
    private val port: Int,
    private val method: String,
    private val path: String,
    private val headers: List<Pair<String, String>>,
    private val body: String?,
    private val expect: Expected,
    private val timeout: Duration,
    /** Arguments of the script that takes values out of the answer; empty where nothing is captured. */
    private val captures: String = "",
) {
    /** [type] is an expression of the content type, [body] null where it is not compared. */
    class Expected(val status: Int, val type: String?, val body: String?)

    fun write(): String = """
        |        <HTTPSamplerProxy guiclass="HttpTestSampleGui" testclass="HTTPSamplerProxy" testname="$name" enabled="true">
        |          <stringProp name="HTTPSampler.domain">$host</stringProp>
        |          <stringProp name="HTTPSampler.port">$port</stringProp>
        |          <stringProp name="HTTPSampler.protocol">http</stringProp>
        |          <stringProp name="HTTPSampler.contentEncoding">UTF-8</stringProp>
        |          <stringProp name="HTTPSampler.path">$path</stringProp>
        |          <stringProp name="HTTPSampler.method">$method</stringProp>
        |          <boolProp name="HTTPSampler.follow_redirects">false</boolProp>
        |          <boolProp name="HTTPSampler.auto_redirects">false</boolProp>
        |          <boolProp name="HTTPSampler.use_keepalive">true</boolProp>
        |          <stringProp name="HTTPSampler.implementation">HttpClient4</stringProp>
        |          <stringProp name="HTTPSampler.connect_timeout">${timeout.inWholeMilliseconds}</stringProp>
        |          <stringProp name="HTTPSampler.response_timeout">${timeout.inWholeMilliseconds}</stringProp>
        |          <boolProp name="HTTPSampler.postBodyRaw">${body != null}</boolProp>
        |          <elementProp name="HTTPsampler.Arguments" elementType="Arguments">
        |            <collectionProp name="Arguments.arguments">${body?.let(::rawBody).orEmpty()}</collectionProp>
        |          </elementProp>
        |        </HTTPSamplerProxy>
        |        <hashTree>
        |${headerLines()}${assertions()}${capture()}
        |        </hashTree>
        |
    """.trimMargin()

    private fun rawBody(body: String) = """
        |<elementProp name="" elementType="HTTPArgument">
        |                <boolProp name="HTTPArgument.always_encode">false</boolProp>
        |                <stringProp name="Argument.value">$body</stringProp>
        |                <stringProp name="Argument.metadata">=</stringProp>
        |              </elementProp>
    """.trimMargin()

    private fun headerLines(): String = if (headers.isEmpty()) {
        ""
    } else {
        """
        |          <HeaderManager guiclass="HeaderPanel" testclass="HeaderManager" testname="headers" enabled="true">
        |            <collectionProp name="HeaderManager.headers">
        |${headers.joinToString("\n") { (name, value) -> headerLine(name, value) }}
        |            </collectionProp>
        |          </HeaderManager>
        |          <hashTree/>
        |
        """.trimMargin()
    }

    private fun headerLine(name: String, value: String) = """
        |              <elementProp name="" elementType="Header">
        |                <stringProp name="Header.name">$name</stringProp>
        |                <stringProp name="Header.value">$value</stringProp>
        |              </elementProp>
    """.trimMargin()

    /** The status first: it takes back JMeter's own judgement, which holds 200 to 399 for a success and nothing else. */
    private fun assertions(): String = buildString {
        append(assertion("status", "response_code", EQUALS, "${expect.status}", assumeSuccess = true))
        expect.type?.let { append(assertion("content type", "response_headers", CONTAINS, it, assumeSuccess = false)) }
        // An answer to HEAD has no body to compare. JMeter fails an empty body whatever it should equal.
        val body = expect.body?.takeIf { method != "HEAD" } ?: return@buildString
        val type = if (body.isEmpty()) CONTAINS_NOT else EQUALS
        append(assertion("body", "response_data", type, body.ifEmpty { ANYTHING }, assumeSuccess = false))
    }

    private fun assertion(name: String, field: String, type: Int, expected: String, assumeSuccess: Boolean) = """
        |          <ResponseAssertion guiclass="AssertionGui" testclass="ResponseAssertion" testname="$name" enabled="true">
        |            <collectionProp name="Asserion.test_strings">
        |              <stringProp name="expected">$expected</stringProp>
        |            </collectionProp>
        |            <stringProp name="Assertion.custom_message">another $name</stringProp>
        |            <stringProp name="Assertion.test_field">Assertion.$field</stringProp>
        |            <boolProp name="Assertion.assume_success">$assumeSuccess</boolProp>
        |            <intProp name="Assertion.test_type">$type</intProp>
        |          </ResponseAssertion>
        |          <hashTree/>
        |
    """.trimMargin()

    /** An assertion, since what a post-processor finds missing would be a success again after the assertion of the status. */
    private fun capture(): String = if (captures.isEmpty()) {
        ""
    } else {
        """
        |          <JSR223Assertion guiclass="TestBeanGUI" testclass="JSR223Assertion" testname="capture" enabled="true">
        |            <stringProp name="cacheKey">true</stringProp>
        |            <stringProp name="filename"></stringProp>
        |            <stringProp name="parameters">${PlanText.xml(captures)}</stringProp>
        |            <stringProp name="script">${PlanText.xml(CAPTURE)}</stringProp>
        |            <stringProp name="scriptLanguage">groovy</stringProp>
        |          </JSR223Assertion>
        |          <hashTree/>
        |
        """.trimMargin()
    }

    private companion object {
        /** Types of JMeter's response assertion. */
        const val CONTAINS = 2
        const val CONTAINS_NOT = 6
        const val EQUALS = 8
        const val ANYTHING = "(?s)."

        /** The same text for all steps: JMeter compiles it once. */
        val CAPTURE: String = checkNotNull(
            PlanRequest::class.java.getResource("/bootdyno/engines/jmeter/capture.groovy"),
        ).readText()
    }
}
