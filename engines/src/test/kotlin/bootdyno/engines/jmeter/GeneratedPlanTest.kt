package bootdyno.engines.jmeter

import bootdyno.engine.LoadOrder
import bootdyno.model.DataTable
import bootdyno.model.Expectation
import bootdyno.model.LoadProfile
import bootdyno.model.Step
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldStartWith
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.io.path.readText
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

class GeneratedPlanTest {
    @TempDir
    private lateinit var folder: Path

    private val order = LoadOrder(
        host = "127.0.0.1",
        port = 4711,
        steps = listOf(
            Step("GET /a?b=<c>", path = "/a?b=<c>", headers = mapOf("X-Odd" to "\"1\"\n  |2"), expect = Expectation(body = "")),
        ),
        load = LoadProfile.Closed(300),
        settle = 4.seconds,
        window = 2500.milliseconds,
        timeout = 3.seconds,
    )

    private fun prepared(plan: GeneratedPlan, warm: Duration = Duration.ZERO): PreparedPlan = plan.prepare(folder, warm)

    private fun read(plan: PreparedPlan) = Jmx.read(plan.file).enabled

    @Test
    fun `closed load is a thread for each connection, told to stop when the window is over`() {
        val plan = prepared(GeneratedPlan(order, 1))
        val group = read(plan).single { it.tagName == "ThreadGroup" }
        group.text("ThreadGroup.num_threads") shouldBe "300"
        // A second for each hundred threads, at most half of the settling time.
        group.text("ThreadGroup.ramp_time") shouldBe "2"
        // 4 + 2.5 + 1, in whole seconds.
        group.text("ThreadGroup.duration") shouldBe "8"
        group.property("ThreadGroup.main_controller")?.text("LoopController.loops") shouldBe "-1"
        // It is told to stop before that.
        plan.length shouldBe RunLength(4.seconds, 2500.milliseconds, lasts = true, stopAfter = 6600.milliseconds)
    }

    @Test
    fun `a burst is all users at once, each with its loops, and three remote engines share them`() {
        val plan = prepared(GeneratedPlan(order.copy(load = LoadProfile.Burst(300, 7)), 3))
        val group = read(plan).single { it.tagName == "ThreadGroup" }
        group.text("ThreadGroup.num_threads") shouldBe "100"
        group.text("ThreadGroup.ramp_time") shouldBe "0"
        group.property("ThreadGroup.main_controller")?.text("LoopController.loops") shouldBe "7"
        plan.length.settle shouldBe Duration.ZERO
        plan.length.lasts shouldBe false
    }

    @Test
    fun `text arrives in the plan as it is`() {
        val elements = read(prepared(GeneratedPlan(order, 1)))
        val sampler = elements.single { it.tagName == "HTTPSamplerProxy" }
        sampler.getAttribute("testname") shouldBe "GET /a?b=<c>"
        sampler.text("HTTPSampler.path") shouldBe "/a?b=<c>"
        val header = elements.single { it.tagName == "HeaderManager" }.property("HeaderManager.headers")?.children()?.single()
        header?.property("Header.value")?.textContent shouldBe "\"1\"\n  |2"
        elements.filter { it.tagName == "ResponseAssertion" }.map { it.getAttribute("testname") } shouldContainExactly
            listOf("status", "body")
    }

    @Test
    fun `what JMeter or XML would misread goes into a property`() {
        val text = PlanText()
        text.of("plain \\ \$ {x}") shouldBe "plain \\ \$ {x}"
        text.of("\${x}") shouldStartWith "\${__property("
        text.of("a\u0001") shouldStartWith "\${__property("
        text.of("\ud83d") shouldStartWith "\${__property("
        text.of("\${x}") shouldBe text.of("\${x}")
        text.named.values.toList() shouldContainExactly listOf("\${x}", "a\u0001", "\ud83d")
    }

    @Test
    fun `a chain is a sampler for each step, and a file with each value as its places need it`() {
        val steps = listOf(
            Step("create", "POST", "/p/{name}", body = """{"n":"{name}"}""", capture = mapOf("id" to "$.id")),
            Step("read", path = "/p/{id}/{other}", expect = Expectation(body = "costs \$5 {id}")),
        )
        val rows = DataTable(listOf("unused", "name"), listOf(listOf("-", "a \"b\""), listOf("-", "c\nd")))
        val plan = prepared(GeneratedPlan(order.copy(steps = steps, data = "x.csv"), 1, rows))
        val elements = read(plan)
        elements.single { it.tagName == "ThreadGroup" }.text("ThreadGroup.on_sample_error") shouldBe "startnextloop"
        val samplers = elements.filter { it.tagName == "HTTPSamplerProxy" }
        samplers.map { it.getAttribute("testname") } shouldContainExactly listOf("create", "read")
        samplers.map { it.text("HTTPSampler.path") } shouldContainExactly
            listOf("/p/\${name.PERCENT_ENCODED}", "/p/\${id.PERCENT_ENCODED}/{other}")
        val data = elements.single { it.tagName == "CSVDataSet" }
        data.text("variableNames") shouldBe "name.PERCENT_ENCODED,name.JSON_STRING"
        folder.resolve("data.csv").readText() shouldBe "\"a%20%22b%22\",\"a \\\"\"b\\\"\"\"\n\"c%0Ad\",\"c\\nd\"\n"
        elements.single { it.tagName == "JSR223Assertion" }.text("parameters") shouldBe "id=PERCENT_ENCODED,AS_IS=$.id"
        // A dollar beside a variable would be the beginning of another.
        plan.properties.filterKeys { it.startsWith("bootdyno.") }.values.toList() shouldContainExactly listOf("costs \$5 ")
    }

    @Test
    fun `before the load a few threads warm JMeter up at a private server, with the headers and captures of the chain`() {
        val steps = order.steps.map { it.copy(capture = mapOf("id" to "$.id")) }
        prepared(GeneratedPlan(order.copy(steps = steps), 1), warm = 1500.milliseconds).use { plan ->
            val elements = read(plan)
            val group = elements.single { it.tagName == "SetupThreadGroup" }
            group.text("ThreadGroup.num_threads") shouldBe "4"
            group.text("ThreadGroup.duration") shouldBe "2"
            val sampler = group.beneath.named("warm-up")
            sampler.text("HTTPSampler.domain") shouldBe "127.0.0.1"
            sampler.beneath.named("body").property("Asserion.test_strings")?.textContent?.trim() shouldBe "{\"warm\":1}"
            sampler.beneath.named("capture").text("parameters") shouldBe "warm=AS_IS=$.warm"
            elements.count { it.tagName == "HeaderManager" } shouldBe 2
        }
    }
}
